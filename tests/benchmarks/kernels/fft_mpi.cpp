// The Fourier transform of kernels.py by hand against MPI.
#include "fft.hpp"
#include "ranks_mpi.hpp"

namespace {

class AllToAll {
 public:
  explicit AllToAll(const Layout& layout)
      : layout_(layout), out_(layout.rows() * layout.n()), in_(layout.rows() * layout.n()) {
    for (int rank = 0; rank < layout.ranks(); ++rank) {
      counts_.push_back(layout.doubles(rank));
      places_.push_back(layout.doubles_below(rank));
    }
  }

  void operator()(Square& square) {
    for (int to = 0; to < layout_.ranks(); ++to) square.pack(at(out_, to), to);
    if (layout_.even())
      MPI_Alltoall(out_.data(), counts_[0], MPI_DOUBLE, in_.data(), counts_[0], MPI_DOUBLE, MPI_COMM_WORLD);
    else
      MPI_Alltoallv(out_.data(), counts_.data(), places_.data(), MPI_DOUBLE, in_.data(), counts_.data(),
                    places_.data(), MPI_DOUBLE, MPI_COMM_WORLD);
    for (int from = 0; from < layout_.ranks(); ++from) square.unpack(at(in_, from), from);
  }

 private:
  Complex* at(const Numbers& numbers, int rank) const {
    return numbers.data() + places_[static_cast<std::size_t>(rank)] / 2;
  }

  const Layout layout_;
  const Numbers out_, in_;
  std::vector<int> counts_, places_;
};

void meet() { MPI_Barrier(MPI_COMM_WORLD); }

}  // namespace

int main(int argc, char** argv) {
  const Ranks ranks(&argc, &argv);
  const Request request = read_request(argc, argv);
  const Layout layout(request.size, ranks.rank, ranks.size);
  AllToAll transpose(layout);
  ranks.tell(transform(request, layout, meet, [&](Square& square) { transpose(square); }));
}

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

/// The same in tiles: while one is unpacked the next one is on its way.
class InTiles {
 public:
  InTiles(const Layout& layout, int edge)
      : layout_(layout),
        edge_(edge),
        tile_(static_cast<std::size_t>(edge) * static_cast<std::size_t>(edge)),
        buffers_(3 * tile_) {}

  void operator()(Square& square) {
    transpose_in_tiles(layout_, edge_, square, buffers_.data(), [&](int other, const Tiles& tiles) {
      MPI_Request sent[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
      for (std::size_t number = 0; number <= tiles.count(); ++number) {
        if (number < tiles.count())
          send(square, tiles.at(number), other, buffers_.data() + number % 2 * tile_, sent[number % 2]);
        if (number > 0) receive(square, tiles.at(number - 1), other);
      }
      MPI_Waitall(2, sent, MPI_STATUSES_IGNORE);
    });
  }

 private:
  static void send(const Square& square, const Tile& tile, int to, Complex* buffer, MPI_Request& sent) {
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    square.pack(buffer, tile);
    MPI_Isend(buffer, tile.doubles(), MPI_DOUBLE, to, 0, MPI_COMM_WORLD, &sent);
  }
  void receive(Square& square, const Tile& tile, int from) {
    Complex* const buffer = buffers_.data() + 2 * tile_;
    MPI_Recv(buffer, tile.doubles(), MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    square.unpack(buffer, tile);
  }

  const Layout layout_;
  const int edge_;
  const std::size_t tile_;
  const Numbers buffers_;
};

void meet() { MPI_Barrier(MPI_COMM_WORLD); }

}  // namespace

int main(int argc, char** argv) {
  const Ranks ranks(&argc, &argv);
  const Request request = read_request(argc, argv);
  const Layout layout(request.size, ranks.rank, ranks.size);
  if (request.edge) {
    InTiles transpose(layout, request.edge);
    ranks.tell(transform(request, layout, meet, [&](Square& square) { transpose(square); }));
  } else {
    AllToAll transpose(layout);
    ranks.tell(transform(request, layout, meet, [&](Square& square) { transpose(square); }));
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The molecular dynamics of kernels.py by hand against MPI.
#include "md.hpp"
#include "ranks_mpi.hpp"

namespace {

class Side {
 public:
  template <class Pack, class Unpack>
  void exchange(std::array<int, 2> neighbours, std::array<int, 2> counts, int most, Pack pack,
                Unpack unpack) {
    MPI_Request open[4];
    MPI_Status statuses[4];
    for (int side = 0; side < 2; ++side) {
      // It is the neighbour's other border.
      MPI_Irecv(room(in_[side], most), most, MPI_DOUBLE, neighbours[side], 1 - side, MPI_COMM_WORLD,
                &open[side]);
    }
    for (int side = 0; side < 2; ++side) {
      double* const buffer = room(out_[side], counts[side]);
      pack(side, buffer);
      MPI_Isend(buffer, counts[side], MPI_DOUBLE, neighbours[side], side, MPI_COMM_WORLD, &open[2 + side]);
    }
    MPI_Waitall(4, open, statuses);
    for (int side = 0; side < 2; ++side) {
      int count = 0;
      MPI_Get_count(&statuses[side], MPI_DOUBLE, &count);
      unpack(side, in_[side].data(), count);
    }
  }

 private:
  /// Buffers only grow.
  static double* room(std::vector<double>& buffer, int count) {
    if (buffer.size() < static_cast<std::size_t>(count)) buffer.resize(static_cast<std::size_t>(count));
    return buffer.data();
  }

  std::vector<double> out_[2], in_[2];
};

void meet() { MPI_Barrier(MPI_COMM_WORLD); }

}  // namespace

int main(int argc, char** argv) {
  const Ranks ranks(&argc, &argv);
  Side side;
  ranks.tell(simulate(read_request(argc, argv), ranks.rank, ranks.size, meet, side));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The molecular dynamics of kernels.py with buffers that are handed over, as in figure 7 of the paper.
#include "md.hpp"
#include "ranks_opi.hpp"

namespace {

struct Side {
  template <class Pack, class Unpack>
  void exchange(std::array<int, 2> neighbours, std::array<int, 2> counts, int most, Pack pack,
                Unpack unpack) {
    double *out[2], *in[2];
    MPI_Request open[4];
    MPI_Status statuses[4];
    for (int side = 0; side < 2; ++side) {
      const int neighbour = neighbours[side], count = counts[side];
      OPI_Alloc(&out[side], static_cast<std::size_t>(count) * sizeof(double));
      pack(side, out[side]);
      OPI_Igive(&out[side], count, MPI_DOUBLE, neighbour, side, MPI_COMM_WORLD, &open[2 + side]);
      // It is the neighbour's other border.
      OPI_Itake(&in[side], most, MPI_DOUBLE, neighbour, 1 - side, MPI_COMM_WORLD, &open[side]);
    }
    MPI_Waitall(4, open, statuses);
    for (int side = 0; side < 2; ++side) {
      int count = 0;
      MPI_Get_count(&statuses[side], MPI_DOUBLE, &count);
      unpack(side, in[side], count);
      OPI_Free(&in[side]);
    }
  }
};

void meet() { MPI_Barrier(MPI_COMM_WORLD); }

}  // namespace

int main(int argc, char** argv) {
  const Ranks ranks(&argc, &argv);
  Side side;
  ranks.tell(simulate(read_request(argc, argv), ranks.rank, ranks.size, meet, side));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

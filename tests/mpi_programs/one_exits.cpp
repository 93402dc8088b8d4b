// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 1 ends by exit() with the status of the argument, or by _exit(0) without one. No rank calls what
// others have registered, and nothing is called for a rank that has ended by _exit().
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace {

int rank = -1;

struct Manager {
  ~Manager() {
    int off = 0;
    MPI_Finalized(&off);
    if (!off) MPI_Finalize();
    std::printf("the end of rank %d\n", rank);
    std::fflush(stdout);
  }
} manager;

__attribute__((destructor)) void last() {
  if (rank >= 0) std::printf("the last of rank %d\n", rank);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank != 1 && argc > 1) MPI_Recv(&rank, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank != 1) return 0;
  if (argc > 1) std::exit(std::atoi(argv[1]));
  ::_exit(0);
}

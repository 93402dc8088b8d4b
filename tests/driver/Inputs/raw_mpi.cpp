#include <kanor/kanor.hpp>
#include <mpi.h>

#include <cstdio>
#include <cstring>

extern "C" void start_elsewhere();

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE, number = -1, sum = 0, right = -1;
#ifdef ELSEWHERE
  start_elsewhere();
#endif
  if (argc > 1 && std::strcmp(argv[1], "plain") == 0)
    MPI_Init(&argc, &argv);
  else if (argc > 1)
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
  MPI_Query_thread(&provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  @communicate { right@(i - 1) <<= number@i where i in world, i > 0 }
  MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  const bool fits = number == kanor::world.rank() && sum == kanor::world.size() * (kanor::world.size() - 1) / 2;
  if (MPI_Finalize() != MPI_SUCCESS) return 9;
  if (kanor::world.size() > 1) MPI_Barrier(MPI_COMM_WORLD);  // MPI has not ended
  std::printf("rank %d: %s, %s, then %d\n", kanor::world.rank(), fits ? "numbers fit" : "numbers differ",
              provided == MPI_THREAD_MULTIPLE ? "multiple" : "fewer threads", right);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A critical region without a name is its rank's: one rank receives in it what the other sends in it.
#include <mpi.h>

#include "check.h"

static int rank, size;

static int exchange(void) {
  int got = -1;
#pragma omp parallel num_threads(2) shared(got)
  {
#pragma omp single
    {
#pragma omp critical
      if (rank > 0)
        MPI_Recv(&got, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      else
        got = 0;
#pragma omp critical
      if (rank + 1 < size) MPI_Ssend(&rank, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    }
  }
  return got;
}

// Threads of one rank wait for each other.
static int count(void) {
  static volatile int counter;
  counter = 0;
#pragma omp parallel num_threads(4)
  for (int i = 0; i < 2000; ++i) {
#pragma omp critical
    counter = counter + 1;
  }
  return counter;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check_part("messages");
  for (int i = 0; i < 20; ++i) {
    CHECK_EQ(exchange(), rank > 0 ? rank - 1 : 0);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  check_part("threads");
  CHECK_EQ(count() % 2000, 0);
  return check_finish();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each rank has the variables of the program's shared libraries for itself, as it has those of the program.
#include <mpi.h>
#include <stdio.h>

#include "Inputs/counter.h"
#include "check.h"
#include "one_process.h"

#ifdef OPENS
#include <dlfcn.h>
void* (*open_library)(const char*, int) = dlopen;
#endif

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check_one_process();
  CHECK_EQ(counter_begun, 1);
  for (int i = 1; i <= 5 + rank; ++i) {
    CHECK_EQ(counter_next(), 1100 + i);
    CHECK_EQ(counter_calls, i);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_EQ(counter_calls, 5 + rank);
  char expected[32];
  snprintf(expected, sizeof expected, "%d of %d", 5 + rank, 10 * rank);
  CHECK_STR(counter_name(), expected);
  int sum = 0;
  MPI_Allreduce(&counter_calls, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK_EQ(sum, 5 * size + size * (size - 1) / 2);
  return check_finish();
}

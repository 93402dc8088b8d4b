// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each rank has a variable for itself.
#include <mpi.h>

#include "check.h"
#include "one_process.h"

static int mine;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  check_one_process();
  MPI_Barrier(MPI_COMM_WORLD);
  mine += rank + 1;
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_EQ(mine, rank + 1);
  return check_finish();
}

/* A real MPI beside Kanor. */
#include <mpi.h>
#include <stdio.h>

#include "ranks.h"

int main(int argc, char** argv) {
  int ranks = 0, number = -1;
  const int me = place_among(&ranks);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  printf("rank %d of %d is MPI's %d\n", me, ranks, number);
  MPI_Finalize();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

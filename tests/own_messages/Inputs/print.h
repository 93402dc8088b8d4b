/* What the programs here have in common: rank 0 prints what each rank has computed, in the order of the ranks. */
#ifndef PRINT_H
#define PRINT_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void print_all(const char* what, double number) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double* all = (double*)malloc(size * sizeof(double));
  MPI_Gather(&number, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == 0)
    for (int i = 0; i < size; ++i) printf("%s %d: %.17g\n", what, i, all[i]);
  free(all);
}

#endif
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

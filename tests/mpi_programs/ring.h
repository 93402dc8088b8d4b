/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where this rank is among all, for programs whose ranks write to their right and read from their left. */
#ifndef KANOR_TESTS_MPI_PROGRAMS_RING_H
#define KANOR_TESTS_MPI_PROGRAMS_RING_H

#include "check.h"

static int rank, size, left, right;

CHECK_UNUSED static void find_place(void) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
}

/* Begins MPI. */
CHECK_UNUSED static void begin_ring(int* argc, char*** argv) {
  MPI_Init(argc, argv);
  find_place();
}

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program's functions under names of the C library's (own_names_defined.c) are the program's.
#include <mpi.h>

#include "check.h"

extern long random(void);
extern void srandom(unsigned seed);
extern char* setlocale(int category, const char* name);

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  check_part("own names");
  srandom(100 + (unsigned)rank);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_EQ(random(), 101 + rank);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_EQ(random(), 102 + rank);
  CHECK_STR(setlocale(0, "own"), "own");
  return check_finish();
}

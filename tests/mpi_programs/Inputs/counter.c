// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "counter.h"

#include <mpi.h>

int counter_calls = 0;
int counter_begun = 0;
static int last = 100;

__attribute__((visibility("hidden"))) int helper(void) { return ++last; }

__attribute__((constructor)) static void begin(void) {
  last += 1000;
  ++counter_begun;
}

int counter_next(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ++counter_calls;
  names_rank = rank;
  return helper();
}

const char* counter_name(void) { return names_of(counter_calls); }

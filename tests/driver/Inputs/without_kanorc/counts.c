/* C: the functions with which C knows its rank are in a library. */
#include <stdio.h>

#include "ranks.h"

int main(void) {
  int ranks = 0;
  const int me = place_among(&ranks);
  printf("rank %d of %d\n", me, ranks);
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>

#include "counter.h"

int names_rank = -1;

__attribute__((visibility("hidden"))) int helper(void) { return names_rank * 10; }

const char* names_of(int number) {
  static char text[32];
  snprintf(text, sizeof text, "%d of %d", number, helper());
  return text;
}

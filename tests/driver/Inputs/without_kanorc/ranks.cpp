#include "ranks.h"

#include <kanor/kanor.hpp>

int place_among(int* ranks) {
  *ranks = kanor::world.size();
  return kanor::world.rank();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

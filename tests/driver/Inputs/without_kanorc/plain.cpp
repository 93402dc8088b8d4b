// C++ without blocks and without kanorc: teams and buffers.
#include <kanor/opi.h>

#include <cstdio>
#include <kanor/kanor.hpp>

#include "ranks.h"

int main() {
  int ranks = 0;
  const int me = place_among(&ranks);
  const kanor::team backwards = kanor::world.split(0, -me);
  kanor::buffer<int> numbers{me, ranks};
  std::printf("rank %d of %d, backwards %d, %d numbers\n", numbers[0], numbers[1], backwards.rank(),
              static_cast<int>(numbers.size()));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "circle.hpp"

#ifdef KANOR_IDE
#error kanorc compiles this source, no editor reads it
#endif

int once_around(int mine) {
  for (int at = 0; at < kanor::world.size(); ++at) mine = from_before(mine, STEP);
  return mine;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

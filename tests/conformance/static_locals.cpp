// RUN: %kanorc -Wall -Wextra -Werror %s -o %t && %run_everywhere --ranks 1,2,3 %t
// RUN: %kanorc -Wall -Wextra -Werror --globals=process %s -o %t.shared 2>/dev/null && %run_everywhere --ranks 1,3 --modes processes,mpi %t.shared
// Static variables of functions that blocks alone read or write: the host compiler must not take them for unused.
#include "check.hpp"

namespace {

using kanor::world;

void exchange() {
  static int mine, left = -1;
  static double row[4], ghosts[4];
  static long cells[3][2], tiles[3][2];
  const int me = world.rank(), n = world.size();
  mine = me;
  for (int k = 0; k < 4; ++k) row[k] = me + k;
  cells[2][1] = 7 * me;
  @communicate {
    left@(i + 1) % n <<= mine@i where i in world;
    ghosts@(i + 1) % n <<= row@i where i in world;
    tiles[1 : 2][0 : 2]@(i + 1) % n <<= cells[1 : 2][0 : 2]@i where i in world
  }
  const int before = (me + n - 1) % n;
  CHECK_EQ(left, before);
  CHECK_EQ(ghosts[3], before + 3.0);
  CHECK_EQ(tiles[2][1], 7L * before);
}

template <class T>
void in_a_template(T value) {
  static T sent, sums;
  sent = value;
  @communicate (async = sending) { sums@i << + << sent@j where i, j in world }
  sending.wait();
}

void only_in_blocks() {
  static int given, taken;
  given = world.rank() + 1;
  @communicate { taken@0 << + << given@i where i in world }
}

}  // namespace

int main() {
  exchange();
  in_a_template(1.5);
  only_in_blocks();
  return check::finish("static_locals");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

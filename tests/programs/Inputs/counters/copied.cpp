// Nothing is shared, for several reasons, and nothing is counted.
#include <kanor/kanor.hpp>

using kanor::world;

long unseen(const long* values) { return *values; }

int main() {
  long small[8] = {1}, seen = 0;
  [[kanor::local]] long local[1024] = {1};
  static long global[1024];
  long* const kept = global;
  for (int turn = 0; turn < 8; ++turn) {
    // says small is copied
    @communicate { small@i <<= small@0 where i in world }
    // says local is copied
    @communicate { local@i <<= local@0 where i in world }
    @communicate { global@i <<= global@0 where i in world }
    seen += small[turn] + unseen(local) + kept[turn];
  }
  return seen < 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

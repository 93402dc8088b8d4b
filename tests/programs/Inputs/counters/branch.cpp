// Only odd ranks write what all hold: each of them copies, as rank 0 reads the value when all have come to the end.
#include <kanor/kanor.hpp>

using kanor::world;

// given T = 8, V = 8192
int main() {
  // counts B: conflict = T * V * (r % 2)
  long A[1024] = {1}, B[1024];
  long seen = 0;
  for (int turn = 0; turn < 8; ++turn) {
    // says B takes over, A shares
    // counts shared = T * P * V * (r == 0)
    @communicate { B@i <<= A@0 where i in world }
    if (world.rank() % 2 == 1) B[turn] = turn;
    seen += B[turn] + B[turn + 1];
  }
  long all = 0;
  @communicate { all@0 << + << seen@i where i in world }
  return all + A[0] < 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

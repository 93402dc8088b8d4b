// An array that goes around a ring: nobody needs what it has sent, so each is the only holder and writes in place.
#include <kanor/kanor.hpp>

using kanor::world;

// given T = 8, V = 8192
int main() {
  long A[1024] = {1};
  long seen = 0;
  for (int turn = 0; turn < 8; ++turn) {
    // says A takes over, A hands over
    // counts handed_over = T * V
    @communicate { A@(i + 1) % world.size() <<= A@i where i in world }
    A[turn] += 1;
    seen += A[turn + 1];
  }
  return seen < 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

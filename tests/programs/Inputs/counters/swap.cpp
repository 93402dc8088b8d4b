// Two arrays change places: the block evaluates before it updates, and nothing is copied.
#include <kanor/kanor.hpp>

using kanor::world;

// given T = 8, V = 8192
int main() {
  long A[1024] = {1}, B[1024] = {2};
  long seen = 0;
  for (int turn = 0; turn < 8; ++turn) {
    // counts handed_over = 2 * T * V
    @communicate {
      // says A takes over, B hands over
      A@(i + 1) % world.size() <<= B@i where i in world;
      // says B takes over, A hands over
      B@(i + 1) % world.size() <<= A@i where i in world
    }
    A[turn] += 1;
    seen += A[turn] + B[turn];
  }
  return seen < 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

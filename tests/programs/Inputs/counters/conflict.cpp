// Rank 0 writes an element of what it has shared, while it still reads the value that it has received from itself.
#include <kanor/kanor.hpp>

using kanor::world;

// given T = 8, V = 8192
int main() {
  // counts A: conflict = T * V * (r == 0)
  long A[1024] = {1}, B[1024];
  long seen = 0;
  for (int turn = 0; turn < 8; ++turn) {
    // says B takes over, A shares
    // counts shared = T * P * V * (r == 0)
    @communicate { B@i <<= A@0 where i in world }
    A[turn] += 1;
    for (int i = 0; i < 1024; ++i) seen += B[i];
  }
  return seen + A[0] < 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

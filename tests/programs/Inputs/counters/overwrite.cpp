// Rank 0 overwrites all of what it has shared, while its own copy of the value is still read: it takes fresh memory.
#include <kanor/kanor.hpp>

using kanor::world;

// given T = 8, V = 8192
int main() {
  // counts A: renamed = T * V * (r == 0)
  long A[1024] = {1}, B[1024];
  long seen = 0;
  for (int turn = 0; turn < 8; ++turn) {
    // says B takes over, A shares
    // counts shared = T * P * V * (r == 0)
    @communicate { B@i <<= A@0 where i in world }
    seen += A[turn];
    for (int i = 0; i < 1024; ++i) A[i] = seen + i;
    for (int i = 0; i < 1024; ++i) seen += B[i];
  }
  return seen + A[0] < 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

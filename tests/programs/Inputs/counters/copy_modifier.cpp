// One block shares, the other is told to copy.
#include <kanor/kanor.hpp>

using kanor::world;

// given T = 8, V = 8192
int main() {
  long A[1024] = {1}, B[1024];
  long seen = 0;
  for (int turn = 0; turn < 8; ++turn) {
    // says B takes over, A shares
    // counts shared = T * P * V * (r == 0)
    @communicate { B@i <<= A@0 where i in world }
    seen += B[turn];
    // says B is copied, A is copied
    // counts copied = T * V + T * P * V * (r == 1 % P)
    @communicate (copy) { B@i <<= A@1 % world.size() where i in world }
    seen += B[turn];
  }
  return seen + A[0] < 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

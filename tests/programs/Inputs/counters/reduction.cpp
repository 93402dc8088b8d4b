// A sum reads the others' arrays where they lie.
#include <kanor/kanor.hpp>

using kanor::world;

// given T = 8, V = 8192
int main() {
  long A[1024] = {1}, B[1024] = {2};
  long seen = 0;
  for (int turn = 0; turn < 8; ++turn) {
    // says B takes over, A shares
    // counts shared = T * V
    @communicate { B@0 << + << A@j where j in world }
    seen += A[turn] + B[turn];
  }
  return seen < 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

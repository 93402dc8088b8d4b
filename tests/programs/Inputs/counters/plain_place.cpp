// The place is a variable that is not shared: the value is read where it lies, and copied once.
#include <kanor/kanor.hpp>

using kanor::world;

// given T = 8, V = 8192
int main() {
  long A[1024] = {1};
  [[kanor::local]] long B[1024] = {2};
  long seen = 0;
  for (int turn = 0; turn < 8; ++turn) {
    // says B is copied, A shares
    // counts shared = T * P * V * (r == 0)
    // counts copied = T * V
    @communicate { B@i <<= A@0 where i in world }
    seen += A[turn] + B[turn];
  }
  return seen < 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

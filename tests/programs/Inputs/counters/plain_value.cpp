// The value is a variable that is not shared: the place gets a copy, in fresh memory where rank 0 still shares the old.
#include <kanor/kanor.hpp>

using kanor::world;

// given T = 8, V = 8192
int main() {
  [[kanor::local]] long A[1024] = {1};
  // counts B: renamed = (T - 1) * V * (r == 0)
  long B[1024] = {2}, C[1024];
  long seen = 0;
  for (int turn = 0; turn < 8; ++turn) {
    // says B is copied, A is copied
    // counts copied = T * V
    @communicate { B@i <<= A@0 where i in world }
    // says C takes over, B shares
    // counts shared = T * P * V * (r == 0)
    @communicate { C@i <<= B@0 where i in world }
    A[turn] += 1;
    seen += A[turn] + B[turn] + C[turn];
  }
  return seen + B[0] + C[0] < 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

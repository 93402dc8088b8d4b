// Buffers that blocks copy, as far as the program can tell: threads share them, and who assigns another has new memory.
#include <kanor/kanor.hpp>

using kanor::world;

// given T = 8, V = 24000
int main() {
  // counts A: renamed = T * V * (r == 0) * threads
  kanor::buffer<long> A(3000, 1), B;
  long seen = 0;
  for (int turn = 0; turn < 8; ++turn) {
    // says B takes over, A shares
    // counts shared = T * P * V * (r == 0) * threads
    // counts copied = T * V * (1 + P * (r == 0)) * (not threads)
    @communicate { B@i <<= A@0 where i in world }
    seen += A[turn];
    A = kanor::buffer<long>(3000, turn);
    for (std::size_t i = 0; i < B.size(); ++i) seen += B[i];
  }
  return seen + A[0] < 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Vectors lie on their process's heap: threads share them, processes copy them.
#include <kanor/kanor.hpp>

#include <vector>

using kanor::world;

// given T = 8, V = 24000
int main() {
  std::vector<long> A(3000, 1), B;
  long seen = 0;
  for (int turn = 0; turn < 8; ++turn) {
    // says B takes over, A shares
    // counts shared = T * V * threads
    // counts copied = 2 * T * V * (not threads)
    @communicate { B@(i + 1) % world.size() <<= A@i where i in world }
    for (std::size_t i = 0; i < B.size(); ++i) seen += B[i];
  }
  return seen + A[0] < 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

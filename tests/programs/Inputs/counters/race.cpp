// Both sides of a ring write what they share at once: who comes first copies, and stops if the other has let go.
#include <kanor/kanor.hpp>

using kanor::world;

// given T = 8, V = 131072
int main() {
  // counts A: conflict + V * abandoned = [0, T * V]
  // counts A: abandoned_bytes = [0, T * V]
  // counts B: conflict + V * abandoned = [0, T * V]
  // counts B: abandoned_bytes = [0, T * V]
  // counts all: conflict = [P * T * V, 2 * P * T * V]
  long A[16384] = {1}, B[16384];
  long seen = 0;
  for (int turn = 0; turn < 8; ++turn) {
    // says B takes over, A shares
    // counts shared = T * V
    @communicate { B@(i + 1) % world.size() <<= A@i where i in world }
    A[turn] += 1;
    B[turn] += 2;
    for (int i = 0; i < 16384; ++i) seen += A[i] + B[i];
  }
  return seen < 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

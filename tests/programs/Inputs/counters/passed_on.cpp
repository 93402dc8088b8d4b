// What came is passed on: all hold one array of rank 0, and whoever overwrites it while others do takes fresh memory.
#include <kanor/kanor.hpp>

#include <array>

using kanor::world;

// given T = 8, V = 8192
int main() {
  // counts A: renamed = [0, (T - 1) * V]
  // counts all: renamed = [(T - 1) * (P - 1) * V, (T - 1) * P * V]
  std::array<long, 1024> A{}, B{};
  long seen = 0;
  for (int turn = 0; turn < 8; ++turn) {
    for (int i = 0; i < 1024; ++i) A[i] = turn + i;
    // says B takes over, A hands over
    // counts handed_over = T * P * V * (r == 0)
    @communicate { B@i <<= A@0 where i in world }
    // says A takes over, B hands over
    // counts handed_over = T * V
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    seen += A[turn];
  }
  return seen < 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Rows that nobody reads again: threads take them over as they are, processes get copies, but of what is their own.
#include <kanor/kanor.hpp>

#include <vector>

using kanor::world;

// given T = 8, V = 24000
int main() {
  long seen = 0;
  for (int turn = 0; turn < 8; ++turn) {
    std::vector<std::vector<long>> rows(world.size(), std::vector<long>(3000, turn)), got(world.size());
    // says rows hands over
    // counts handed_over = T * V * (P if threads else 1)
    // counts copied = T * (P - 1) * V * (not threads)
    @communicate { got[s]@r <<= rows[r]@s where r, s in world }
    for (const auto& row : got) seen += row[turn];
  }
  return seen < 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

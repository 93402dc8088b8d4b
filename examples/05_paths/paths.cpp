// All shortest paths in a random graph (Floyd and Warshall): each rank has some rows of the matrix, and in turn k row k goes to
// all of them.
#include <kanor/kanor.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

using kanor::world;

namespace {

/// The length of the road from `a` to `b`, the same on each rank.
int road(int a, int b) {
  std::uint64_t mixed = (static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint32_t>(b)) * 0x9E3779B97F4A7C15u;
  mixed ^= mixed >> 29;
  return a == b ? 0 : 1 + static_cast<int>(mixed * 0xBF58476D1CE4E5B9u >> 50);
}

}  // namespace

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1024;
  const int ranks = world.size(), me = world.rank();

  // Row k belongs to rank k % ranks.
  std::vector<std::vector<int>> rows;
  for (int k = me; k < n; k += ranks) {
    auto& row = rows.emplace_back(n);
    for (int to = 0; to < n; ++to) row[to] = road(k, to);
  }

  std::vector<int> pivot(n);
  for (int k = 0; k < n; ++k) {
    if (k % ranks == me) pivot = rows[k / ranks];
    @communicate { pivot@i <<= pivot@k % world.size() where i in world }
    for (auto& row : rows) {
      const int first = row[k];
      for (int to = 0; to < n; ++to) row[to] = std::min(row[to], first + pivot[to]);
    }
  }

  long sum = 0;
  int farthest = 0;
  for (const auto& row : rows)
    for (const int length : row) sum += length, farthest = std::max(farthest, length);
  @communicate {
    sum@0 << + << sum@i where i in world;
    farthest@0 << max << farthest@i where i in world
  }
  if (me == 0)
    std::printf("%d places: the farthest two are %d apart, the average is %.3f\n", n, farthest,
                static_cast<double>(sum) / n / n);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

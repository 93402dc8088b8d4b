// RUN: %kanorc -O1 %s -o %t && %run_everywhere %t
// Prefix sums of a distributed array in two ways: offsets by one reduction, and by doubling distances.
#include "oracle.hpp"

#include <numeric>
#include <vector>

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank(), count = 10007;
  oracle::Numbers numbers(3);
  std::vector<long> all(count);
  for (long& number : all) number = numbers.below(1000) - 500;
  const auto mine = oracle::part(count, n, me);

  std::vector<long> sums(all.begin() + mine.first, all.begin() + mine.last);
  std::partial_sum(sums.begin(), sums.end(), sums.begin());
  const long total = sums.empty() ? 0 : sums.back();

  long offset = 0;
  @communicate { offset@i << + << total@s where i in world, s in {0 ... i - 1} }

  long running = total, doubled = 0;
  for (int distance = 1; distance < n; distance *= 2) {
    long arrived = 0;
    @communicate { arrived@i + distance <<= running@i where i in {0 ... n - 1 - distance} }
    running += arrived;
    doubled += arrived;
  }

  bool right = offset == doubled;
  long wanted = std::accumulate(all.begin(), all.begin() + mine.first, 0L);
  for (int k = 0; k < mine.size(); ++k) {
    wanted += all[mine.first + k];
    right = right && sums[k] + offset == wanted;
  }
  return oracle::verdict("prefix_sums", right);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

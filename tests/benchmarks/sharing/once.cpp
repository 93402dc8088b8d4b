// An array that is made, filled, sent to all and read, once each: where sharing begins to pay outside of loops. Compiled with
// and without --no-globalize; prints microseconds, medians of the turns.
#include <kanor/kanor.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "timing.hpp"

using kanor::world;

namespace {

[[kanor::shared]] Arrival arrivals[most_ranks];
long meetings = 0;

template <int count>
long once() {
  long A[count], B[count];
  for (int i = 0; i < count; ++i) A[i] = i;
  @communicate { B@r <<= A@0 where r in world }
  return sum(B, count);
}

template <int count>
void measure() {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  for (int turn = 0; turn < 301; ++turn) {
    meet(arrivals, world.rank(), world.size(), ++meetings);
    const auto began = Clock::now();
    if (once<count>() != static_cast<long>(count) * (count - 1) / 2) std::abort();
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - began).count());
  }
  std::nth_element(times.begin(), times.begin() + 150, times.end());
  if (world.rank() == world.size() - 1) std::printf("%6zu bytes %9.2f us\n", count * sizeof(long), times[150]);
}

}  // namespace

int main() {
  measure<512>();
  measure<2048>();
  measure<4096>();
  measure<8192>();
  measure<16384>();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

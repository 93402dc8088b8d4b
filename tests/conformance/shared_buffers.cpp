// RUN: %kanorc -O2 -Wall -Wextra -Werror %s -o %t && %run_everywhere --large %t
// RUN: env KANOR_DISABLE=sharing %run_everywhere --keep KANOR_DISABLE --ranks 2,5 %t
// RUN: env KANOR_CHECK=1 %run_everywhere --keep KANOR_CHECK --ranks 2,5 %t
// RUN: %kanorc --explain %s | %FileCheck %s
// Buffers whose memory threads share: each rank sees its own, whatever is done to it.
#include "check.hpp"

#include <algorithm>
#include <numeric>
#include <source_location>
#include <utility>

namespace {

using kanor::buffer;
using kanor::world;

/// A function, because what a macro's argument names is not shared.
void same(double actual, double expected, std::source_location at = std::source_location::current()) {
  check::equal(at.file_name(), static_cast<int>(at.line()), "value", actual, expected);
}

double total(const buffer<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }
void raise(buffer<double>& values) {
  for (double& value : values) value += 1;
}

void copy_on_conflict() {
  const int me = world.rank();
  [[kanor::globalize]] buffer<double> a(800, me + 1.0);
  [[kanor::globalize]] buffer<double> b;
  for (int turn = 0; turn < 5; ++turn) {
    // CHECK: [[@LINE+1]]:{{.*}}'b' takes over the memory
    @communicate { b@r <<= a@0 where r in world }
    same(static_cast<double>(b.size()), 800);
    same(total(b), 800.0 * (turn + 1));
    b[static_cast<std::size_t>(me) % 7] = -1;
    same(total(b), 799.0 * (turn + 1) - 1);
    raise(a);
    same(a.front(), me + 2.0 + turn);
    same(b.back(), turn + 1.0);
  }
}

void other_memory() {
  const int n = world.size(), me = world.rank(), from = (me + n - 1) % n;
  [[kanor::globalize]] buffer<int> a(100, me), b(3, -1);
  for (std::size_t turn = 1; turn < 5; ++turn) {
    @communicate { b@(r + 1) % n <<= a@r where r in world }
    same(static_cast<double>(b.size()), 100);
    same(b[99], from);
    a.swap(b);
    a.resize(100 + turn);
    a.resize(100);
    same(a[7], from);
    buffer<int> kept = b.clone();
    b = buffer<int>(turn, 5);
    same(kept[99], me);
    std::swap(b, kept);
    same(static_cast<double>(kept.size()), static_cast<double>(turn));
    a = std::move(b);
    b.assign(kept.begin(), kept.end());
    same(static_cast<double>(b.size()), static_cast<double>(turn));
    same(a == buffer<int>(100, me), true);
  }
}

buffer<double> given_on(int turn) {
  const int n = world.size(), me = world.rank();
  buffer<double> mine(500, me + turn);
  [[kanor::globalize]] buffer<double> taken(500), sum(500);
  @communicate { taken@(r + 1) % n <<= std::move(mine)@r where r in world }
  same(mine.empty(), true);
  same(taken[499], (me + n - 1) % n + turn);
  @communicate { sum@r << + << taken@s where r, s in world }
  same(sum[250], n * (n - 1) / 2 + n * turn);
  mine = taken.clone();
  @communicate { sum@r << max << std::move(mine)@s where r, s in world }
  same(sum[0], n - 1 + turn);
  taken[0] = sum[1];
  return std::move(taken);
}

}  // namespace

int main() {
  copy_on_conflict();
  other_memory();
  for (int turn = 0; turn < 4; ++turn) same(given_on(turn)[0], world.size() - 1 + turn);
  return check::finish("shared_buffers");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

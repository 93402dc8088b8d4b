// RUN: %kanorc -O2 -Wall -Wextra -Werror %s -o %t && %run_everywhere %t
// RUN: env KANOR_DISABLE=sharing %run_everywhere --keep KANOR_DISABLE --ranks 2,5 %t
// RUN: %kanorc --explain %s | %FileCheck %s
// Lambdas that refer to variables whose memory ranks share: what they do is done where they run.
#include "check.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <source_location>
#include <vector>

namespace {

using kanor::world;

/// A function, because what a macro's argument names is not shared.
void same(double actual, double expected, std::source_location at = std::source_location::current()) {
  check::equal(at.file_name(), static_cast<int>(at.line()), "value", actual, expected);
}

/// One lambda reads what was received, another writes what others still hold.
void read_and_written() {
  const int me = world.rank();
  [[kanor::globalize]] std::vector<long> a(3000, me + 1), b;
  const auto total = [&] {
    long sum = 0;
    for (const long value : b) sum += value;
    return sum;
  };
  const auto raise = [&a](long by) {
    for (long& value : a) value += by;
  };
  for (int turn = 0; turn < 6; ++turn) {
    // CHECK: [[@LINE+1]]:{{.*}}'b' takes over the memory
    @communicate { b@r <<= a@0 where r in world }
    // CHECK: [[@LINE-1]]:{{.*}}'a' shares its memory
    raise(1);
    same(static_cast<double>(total()), 3000.0 * (1 + turn));
    same(static_cast<double>(a[2999]), me + 2 + turn);
  }
  if (me % 2 == 1) raise(100);
  same(static_cast<double>(a[0]), me + 7 + (me % 2) * 100);
}

/// Where it stands, and in the library's algorithms.
void run_at_once() {
  const int n = world.size(), me = world.rank();
  [[kanor::globalize]] double a[2][700];
  for (int i = 0; i < 700; ++i) a[0][i] = a[1][i] = me;
  std::vector<int> order(700);
  for (int turn = 0; turn < 4; ++turn) {
    // CHECK: [[@LINE+1]]:{{.*}}'a' {{shares|passes|takes}}
    @communicate { a@(r + 1) % n <<= a@r where r in world }
    const double got = (me + 4 * n - turn - 1) % n + turn;
    same([&] { return a[0][1] + a[1][699]; }(), 2 * got);
    std::iota(order.begin(), order.end(), 0);
    std::for_each(order.begin(), order.end(), [&](int i) { a[1][i] += i; });
    std::sort(order.begin(), order.end(), [&a](int i, int j) { return a[1][i] > a[1][j]; });
    same(order[0], 699);
    std::for_each(order.begin(), order.end(), [&](int i) { a[1][i] -= i - 1; });
    [&a] { std::fill(a[0], a[0] + 700, a[1][3]); }();
    same(a[0][7], got + 1);
  }
}

/// Before it is overwritten a value may be read by whoever holds it.
void across_conflicts() {
  const int me = world.rank();
  [[kanor::globalize]] std::vector<int> a(2000, 3), b;
  auto put = [&](int at, int value) { a[static_cast<std::size_t>(at)] = value; };
  auto get = [&](int at) { return b[static_cast<std::size_t>(at)]; };
  for (int turn = 0; turn < 5; ++turn) {
    // CHECK: [[@LINE+1]]:{{.*}}'b' takes over the memory
    @communicate { b@r <<= a@turn % world.size() where r in world }
    const int root = turn % world.size();
    put(turn, 10 * me + turn);
    for (int before = 0; before < turn; ++before) same(get(before), 10 * root + before);
    same(get(turn), 3);
    if (turn == 2) b.assign(2000, -1);
    if (turn == 2) same(get(1999), -1);
  }
}

/// Copied into the lambda, kept by somebody else, or with an element given out: then blocks copy.
void not_followed() {
  const int me = world.rank();
  std::vector<int> a(2000, me + 1), b, c(2000, me + 2), d, e(2000, me + 3), f(2000, -1);
  const std::function<int()> kept = [&] { return b[0]; };
  const auto copied = [d] { return d.size(); };
  const auto element = [&](int at) -> int& { return f[static_cast<std::size_t>(at)]; };
  for (int turn = 0; turn < 3; ++turn) {
    // CHECK: [[@LINE+2]]:{{.*}}'b' is copied
    // CHECK: note: a lambda captures it
    @communicate { b@r <<= a@0 where r in world }
    // CHECK: [[@LINE+1]]:{{.*}}'d' is copied{{.*}}a lambda captures it
    @communicate { d@r <<= c@0 where r in world }
    // CHECK: [[@LINE+1]]:{{.*}}'f' is copied{{.*}}it is returned by reference
    @communicate { f@r <<= e@0 where r in world }
    same(kept(), 1);
    same(static_cast<double>(copied()), 0);
    element(3) += me;
    same(f[3], 3 + me);
    same(d[1], 2);
  }
}

}  // namespace

int main() {
  read_and_written();
  run_at_once();
  across_conflicts();
  not_followed();
  return check::finish("shared_in_lambdas");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

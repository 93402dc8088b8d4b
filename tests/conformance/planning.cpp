// RUN: %kanorc %s -o %t && %run_everywhere --unchecked %t
// RUN: %kanorc --no-hoisting %s -o %t.inner && %run_everywhere --unchecked %t.inner
// RUN: env KANOR_DISABLE=plan %run_everywhere --unchecked --keep KANOR_DISABLE %t
// RUN: env KANOR_DISABLE=cache %run_everywhere --unchecked --keep KANOR_DISABLE %t
// RUN: env KANOR_DISABLE=repeat %run_everywhere --unchecked --keep KANOR_DISABLE %t
// Each rank finds its own bindings from sets, filters and ranks, whatever arithmetic they are made of; compared with what the
// same loops say in plain C++.
#include "check.hpp"

#include <string>
#include <vector>

using kanor::grid;
using kanor::world;

namespace {

int me() { return world.rank(); }
int size() { return world.size(); }

using Row = std::vector<int>;
Row nothing() { return Row(3200, -1); }

/// What this rank gets, and should get: the value of binding `key` is 1000 * its sender + key.
struct Exchange {
  Row got = nothing(), wanted = nothing();
  void binding(long to, long from, long key) {
    if (to == me()) wanted[static_cast<std::size_t>(key)] = static_cast<int>(1000 * from + key);
  }
  /// Compares, and begins anew.
  void check(int line = __builtin_LINE()) {
    check::equal(__FILE__, line, "got", got, wanted);
    got = wanted = nothing();
  }
};
int sent(long key) { return static_cast<int>(1000 * me() + key); }

void shifts() {
  const int n = size();
  for (int round = 0; round < 12; ++round) {
    const int by = round % 4 - 1;
    Exchange exchange;
    Row& got = exchange.got;
    @communicate { got[i]@(i + by + n) % n <<= sent(i)@i where i in world }
    for (int i = 0; i < n; ++i) exchange.binding((i + by + n) % n, i, i);
    exchange.check();
  }
}

void one_name() {
  const int n = size(), half = (n + 1) / 2;
  Exchange exchange;
  Row& got = exchange.got;
  @communicate { got[i]@(5 * i + 3) % n <<= sent(i)@n - 1 - i where i in world }
  for (int i = 0; i < n; ++i) exchange.binding((5 * i + 3) % n, n - 1 - i, i);
  exchange.check();
  @communicate { got[i]@i ^ 1 <<= sent(i)@i where i in world, (i ^ 1) < n }
  for (int i = 0; i < n; ++i)
    if ((i ^ 1) < n) exchange.binding(i ^ 1, i, i);
  exchange.check();
  @communicate { got[i]@i / 2 <<= sent(i)@i where i in range(n - 1, -1, -1) }
  for (int i = 0; i < n; ++i) exchange.binding(i / 2, i, i);
  exchange.check();
  @communicate { got[i]@2 * i <<= sent(i)@i where i in {0 ... half - 1} }
  for (int i = 0; i < half; ++i) exchange.binding(2 * i, i, i);
  exchange.check();
  @communicate { got[i]@i - i % 3 <<= sent(i)@i where i in world, i % 4 != 1, !(i & 4) }
  for (int i = 0; i < n; ++i)
    if (i % 4 != 1 && !(i & 4)) exchange.binding(i - i % 3, i, i);
  exchange.check();
  @communicate { got[i + 50]@(i % n + n) % n <<= sent(i + 50)@(i + 50) % n where i in {-50 ... 49} }
  for (int i = -50; i < 50; ++i) exchange.binding((i % n + n) % n, (i + 50) % n, i + 50);
  exchange.check();
  @communicate { got[k]@(1 << k) % n <<= sent(k)@(64 >> k) % n where k in {0 ... 6} }
  for (int k = 0; k < 7; ++k) exchange.binding((1 << k) % n, (64 >> k) % n, k);
  exchange.check();
  @communicate { got[k]@(k | 1) % n <<= sent(k)@(14 - k / 3) >> 2 where k in range(3l, 40l, 3), (14 - k / 3) >> 2 < n }
  for (long k = 3; k < 40; k += 3)
    if ((14 - k / 3) >> 2 < n) exchange.binding((k | 1) % n, (14 - k / 3) >> 2, k);
  exchange.check();
  @communicate { got[k]@(k + 1) % size() <<= sent(k)@k % size() where k in range(3ul, 40ul, 3) }
  for (unsigned long k = 3; k < 40; k += 3) exchange.binding((k + 1) % size(), k % size(), k);
  exchange.check();
  for (const int step : {1, 2, -1, -3, n, -n}) {
    const int from = step > 0 ? 0 : 3 * n - 1, end = step > 0 ? 3 * n : -1;
    @communicate { got[k]@(k + 1) % n <<= sent(k)@k % n where k in range(from, end, step) }
    for (int k = from; step > 0 ? k < end : k > end; k += step) exchange.binding((k + 1) % n, k % n, k);
    exchange.check();
  }
  // A `let` that no generator's name is in: it has one value, but a name only inside of the statement.
  @communicate { got[q]@t | 3 <<= sent(q)@t where q in world, let t = (1 / 1) % n, (t | 3) < n }
  for (int q = 0; q < n && (1 % n | 3) < n; ++q) exchange.binding(1 % n | 3, 1 % n, q);
  exchange.check();
  @communicate { got[to]@to <<= sent(to)@from where let from = n / 2, let to = (from + 1) % n, to != from || n == 1 }
  exchange.binding((n / 2 + 1) % n, n / 2, (n / 2 + 1) % n);
  exchange.check();
}

void two_names() {
  const int n = size();
  const std::vector<int> listed{n - 1, 0, n / 2};
  Exchange exchange;
  Row& got = exchange.got;
  @communicate { got[40 * i + j]@j <<= sent(40 * i + j)@i where i, j in world, i < j }
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) exchange.binding(j, i, 40 * i + j);
  exchange.check();
  @communicate { got[40 * i + j]@i <<= sent(40 * i + j)@j where i in world, j in {i ... n - 1}, j - i < 3 || i == 0 }
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j)
      if (j - i < 3 || i == 0) exchange.binding(i, j, 40 * i + j);
  exchange.check();
  @communicate { got[40 * i + j]@to <<= sent(40 * i + j)@j where i in listed, j in world, let to = (i + j) % n, j != i }
  for (const int i : listed)
    for (int j = 0; j < n; ++j)
      if (j != i) exchange.binding((i + j) % n, j, 40 * i + j);
  exchange.check();
  @communicate { got[40 * i + d + 5]@(i + d + n) % n <<= sent(40 * i + d + 5)@i where d in {1, -1, 0}, i in world, i % 2 == 0 }
  for (const int d : {1, -1, 0})
    for (int i = 0; i < n; i += 2) exchange.binding((i + d + n) % n, i, 40 * i + d + 5);
  exchange.check();
  for (const int step : {1, 3, -2}) {
    const int end = step > 0 ? n : -1;
    @communicate { got[40 * i + j]@i <<= sent(40 * i + j)@j where i in world, j in range(i, end, step) }
    for (int i = 0; i < n; ++i)
      for (int j = i; step > 0 ? j < end : j > end; j += step) exchange.binding(i, j, 40 * i + j);
    exchange.check();
  }
  @communicate { got[40 * i + j]@i <<= sent(40 * i + j)@j where i in world, j in world, j == (2 * i + 1) % n }
  for (int i = 0; i < n; ++i) exchange.binding(i, (2 * i + 1) % n, 40 * i + (2 * i + 1) % n);
  exchange.check();
}

void rows_and_columns() {
  const grid<2> g(world);
  const int rows = g.extent(0), columns = g.extent(1), n = size();
  Exchange exchange;
  Row& got = exchange.got;
  @communicate { got[i]@i / columns * columns + (i + 1) % columns <<= sent(i)@i where i in world }
  for (int i = 0; i < n; ++i) exchange.binding(i / columns * columns + (i + 1) % columns, i, i);
  exchange.check();
  @communicate { got[40 * x + y]@x * columns + (y + 1) % columns <<= sent(40 * x + y)@g(x, y) where x in {0 ... rows - 1}, y in {0 ... columns - 1} }
  for (int x = 0; x < rows; ++x)
    for (int y = 0; y < columns; ++y) exchange.binding(x * columns + (y + 1) % columns, g(x, y), 40 * x + y);
  exchange.check();
  @communicate { got[40 * i + j]@i <<= sent(40 * i + j)@j where i, j in world, g.coords(i)[1] == g.coords(j)[1] }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (g.coords(i)[1] == g.coords(j)[1]) exchange.binding(i, j, 40 * i + j);
  exchange.check();
  @communicate { got[40 * i + 2 * d + o + 1]@g.neighbor(i, d, o) <<= sent(40 * i + 2 * d + o + 1)@i where i in world, d in {0 ... 1}, o in {-1, 1} }
  for (int i = 0; i < n; ++i)
    for (int d = 0; d < 2; ++d)
      for (const int o : {-1, 1}) exchange.binding(g.neighbor(i, d, o), i, 40 * i + 2 * d + o + 1);
  exchange.check();
  // From those around, corners included.
  @communicate { got[40 * g(x, y) + 4 * dx + dy + 5]@g(x, y) <<= sent(40 * g(x, y) + 4 * dx + dy + 5)@g(x + dx, y + dy)
                 where x in {0 ... rows - 1}, y in {0 ... columns - 1}, dx, dy in {-1 ... 1}, dx != 0 || dy != 0 }
  for (int x = 0; x < rows; ++x)
    for (int y = 0; y < columns; ++y)
      for (int dx = -1; dx <= 1; ++dx)
        for (int dy = -1; dy <= 1; ++dy)
          if ((dx != 0 || dy != 0) && g(x + dx, y + dy) != kanor::no_rank)
            exchange.binding(g(x, y), g(x + dx, y + dy), 40 * g(x, y) + 4 * dx + dy + 5);
  exchange.check();
}

// Filters and sets that no form describes may differ from one execution to the next.
void what_changes() {
  const int n = size();
  std::vector<char> active(static_cast<std::size_t>(n));
  std::vector<int> members;
  for (int round = 0; round < 20; ++round) {
    members.clear();
    for (int i = 0; i < n; ++i) {
      active[i] = (round >> i & 1) != 0;
      if ((round + i) % 3 != 0) members.push_back((round + i) % n);
    }
    Exchange exchange;
    Row& got = exchange.got;
    @communicate {
      got[40 * i + j]@j <<= sent(40 * i + j)@i where i in world, active[i], j in {0 ... i};
      got[1600 + 40 * i + j]@i <<= sent(1600 + 40 * i + j)@j where i in members, j in range(i % 2, n, 2)
    }
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j)
        if (active[i]) exchange.binding(j, i, 40 * i + j);
    for (const int i : members)
      for (int j = i % 2; j < n; j += 2) exchange.binding(i, j, 1600 + 40 * i + j);
    exchange.check();
  }
}

void order_of_reductions() {
  const int n = size();
  std::string word(1, static_cast<char>('a' + me())), up, down, steps;
  @communicate {
    up@(n - 1) << + << word@i where i in world;
    down@i % 2 << + << word@j where j in range(n - 1, -1, -1), i in {0 ... 1}, i < n;
    steps@0 << + << word@k % n where k in range(20, 0, -3)
  }
  std::string all, reversed, stepped;
  for (int i = 0; i < n; ++i) all += static_cast<char>('a' + i);
  reversed.assign(all.rbegin(), all.rend());
  for (int k = 20; k > 0; k -= 3) stepped += static_cast<char>('a' + k % n);
  CHECK_EQ(up, me() == n - 1 ? all : "");
  CHECK_EQ(down, me() < 2 ? reversed : "");
  CHECK_EQ(steps, me() == 0 ? stepped : "");
}

void teams() {
  const kanor::team half = world.split(me() % 2, -me());
  Row got = nothing();
  const int m = half.size();
  @communicate (team = half) { got[i]@(i + 1) % m <<= sent(i)@i where i in half }
  const int from = (half.rank() + m - 1) % m;
  Row wanted = nothing();
  wanted[static_cast<std::size_t>(from)] = 1000 * half.world_rank(from) + from;
  CHECK_EQ(got, wanted);
}

// Ranks on which inner loops have no influence; these may be empty, and then nothing is evaluated. Turns with
// equal leaves find the same bindings again.
void ranks_of_outer_loops() {
  const int n = size();
  for (int turn = 0; turn < 12; ++turn) {
    const int count = turn % 4, modulus = count == 0 ? 0 : n, last = turn < 6 ? n - 1 : n - 2;
    Exchange exchange;
    Row& got = exchange.got;
    @communicate { got[4 * i + k]@(i + 1) % modulus <<= sent(4 * i + k)@i where i in world, k in {1 ... count} }
    for (int i = 0; i < n; ++i)
      for (int k = 1; k <= count; ++k) exchange.binding((i + 1) % n, i, 4 * i + k);
    exchange.check();
    @communicate { got[30 * i + 3 * j + k]@(i + j) % n <<= sent(30 * i + 3 * j + k)@n - 1 - i
                   where i in {0 ... last}, j in {0 ... i % 5}, let t = i + j, k in {0 ... 2}, (t + k) % 3 != 1 }
    for (int i = 0; i <= last; ++i)
      for (int j = 0; j <= i % 5; ++j)
        for (int k = 0; k < 3; ++k)
          if ((i + j + k) % 3 != 1) exchange.binding((i + j) % n, n - 1 - i, 30 * i + 3 * j + k);
    exchange.check();
    @communicate { got[k]@n / 2 <<= sent(k)@n / 3 where k in {0 ... count} }
    for (int k = 0; k <= count; ++k) exchange.binding(n / 2, n / 3, k);
    exchange.check();
    @communicate { got[4 * i + k]@t <<= sent(4 * i + k)@t where i in world, let t = (i * 3) % n, k in {0 ... 3} }
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < 4; ++k) exchange.binding(i * 3 % n, i * 3 % n, 4 * i + k);
    exchange.check();
  }
}

}  // namespace

int main() {
  shifts();
  one_name();
  two_names();
  rows_and_columns();
  what_changes();
  order_of_reductions();
  ranks_of_outer_loops();
  teams();
  return check::finish("planning");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

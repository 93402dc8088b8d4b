// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %kanorc -fdelta --explain %s | grep -c 'remark: split: it' | grep -x 20
// RUN: %kanorc -fdelta -Wall -Wextra -Wshadow -Werror %s -o %t && %run_everywhere --large %t
// RUN: env KANOR_CHECK=1 %run_everywhere --keep KANOR_CHECK --ranks 1,4 %t
// RUN: env KANOR_REFERENCE=1 %run_everywhere --keep KANOR_REFERENCE --ranks 1,3 %t
// RUN: env KANOR_INFLIGHT=4K %run_everywhere --keep KANOR_INFLIGHT --ranks 1,4 %t
// Blocks that start before they stand or are complete later, all of them: a value that is taken too early or too late,
// and a place that is used before its value has come, make a wrong number.
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "check.hpp"

namespace {

using kanor::world;

/// Takes a while, and longer on some ranks.
double work(std::vector<double>& all) {
  double sum = 0;
  for (int round = 0; round < 1 + world.rank() % 3; ++round)
    for (double& one : all) sum += one = 0.5 * one + 1;
  return sum;
}

int before(int distance = 1) { return ((world.rank() - distance) % world.size() + world.size()) % world.size(); }

/// The value changes as soon as the block has started; the place is used behind the loop.
void late(int n) {
  const int me = world.rank(), size = world.size();
  std::vector<double> inner(1000, 1.0), edge(n), ghost(n, -1.0);
  for (int t = 0; t < 5; ++t) {
    for (int k = 0; k < n; ++k) edge[k] = 1000 * t + 10 * me + k;
    @communicate { ghost[0:n]@(i + 1) % size <<= edge[0:n]@i where i in world }
    for (double& one : inner) one += 1;
    for (int k = 0; k < n; ++k) edge[k] = -7;
    for (int k = 0; k < n; ++k) CHECK_EQ(ghost[k], 1000.0 * t + 10 * before() + k);
  }
}

/// The block starts before a loop that only reads what it sends.
void early(int n) {
  const int me = world.rank(), size = world.size();
  double values[40], got = -1, sum = 0;
  for (int k = 0; k < 40; ++k) values[k] = 100 * me + k;
  for (int k = 0; k < n; ++k) sum += values[k % 40];
  @communicate { got@i <<= values[7]@(i + 1) % size where i in world }
  CHECK_EQ(got, 100.0 * ((me + 1) % size) + 7);
  CHECK_EQ(sum, n == 40 ? 4000.0 * me + 780 : sum);
}

/// It can't start before the last loop, which computes what is sent, but before what stands behind that.
void between(int n) {
  const int me = world.rank(), size = world.size();
  double mine = 0, got = -1;
  std::vector<double> other(200, 2.0);
  for (int k = 0; k < n; ++k) mine += me + k;
  const double sum = work(other);
  @communicate { got@(i + 1) % size <<= mine@i where i in world }
  CHECK_EQ(got, n * before() + 0.5 * n * (n - 1));
  CHECK(sum > 0);
}

/// Complete in the next iteration, where the inside comes first; at the end what came last is used.
void around(int steps) {
  const int me = world.rank(), size = world.size();
  std::vector<double> inner(300);
  double left = 0, edge = me, expected = 0;
  for (int t = 0; t < steps; ++t) {
    for (int k = 0; k < 300; ++k) inner[k] = 3 * t + k;
    CHECK_EQ(left, expected);
    edge = 1000 * t + me;
    expected = 1000 * t + before();
    @communicate { left@(i + 1) % size <<= edge@i where i in world }
  }
  CHECK_EQ(left, expected);
}

/// The body is one loop and the block, which could start as early as it is complete; and a place ends the loop.
void steady(int steps) {
  const int me = world.rank(), size = world.size();
  std::vector<double> inner(300, 1.0);
  [[kanor::uniform]] int limit = 5;
  int left = -1, laps = 0;
  for (int t = 0; t < steps; ++t) {
    for (double& one : inner) one = 0.5 * one + 1;
    @communicate { left@(i + 1) % size <<= 100 * t + me@i where i in world }
  }
  CHECK_EQ(left, 100 * (steps - 1) + before());
  for (int t = 0; t < limit; ++t) {
    for (double& one : inner) one = 0.5 * one + 1;
    ++laps;
    @communicate { limit@(i + 1) % size <<= 1@i where i in world }
  }
  CHECK_EQ(laps, 1);
}

/// The same with statements behind the block, iterations that end early, and a loop that is left.
void around_and_out(int steps) {
  const int me = world.rank(), size = world.size();
  std::vector<double> inner(300), other(300, 1.0);
  std::array<int, 3> got{-1, -1, -1};
  int mine = 0, expected = -1;
  for (int t = 0; t < steps; ++t) {
    for (int k = 0; k < 300; ++k) inner[k] = k;
    CHECK_EQ(got[1], expected);
    if (t % 4 == 3) continue;
    if (t == 17) break;
    mine = 100 * t + me;
    expected = 100 * t + before();
    @communicate { got[1]@(i + 1) % size <<= mine@i where i in world }
    for (double& one : other) one *= 1.5;
    mine = -1;
  }
  CHECK_EQ(got[1], expected);
}

/// Several statements and reductions, in a team.
void several(int n) {
  const int me = world.rank(), size = world.size();
  const kanor::team half = world.split(me % 2, me);
  const int mine_there = half.rank(), others = half.size();
  std::vector<double> inner(500, 1.0);
  double left = 10, right = 20, value = me;
  @communicate (team = half, copy) {
    left@(i + 1) % others << + << value@i where i in half;
    right@i <<= value@(i + 1) % others where i in half
  }
  const double sum = work(inner);
  const auto rank_of = [&](int member) { return 2.0 * ((member + others) % others) + me % 2; };
  CHECK_EQ(left, rank_of(mine_there - 1));
  CHECK_EQ(right, rank_of(mine_there + 1));
  CHECK(sum > n && size > 0);
}

struct Cell {
  double left[2];
  int count;
};

/// Parts of nested objects, by sections and lists.
void parts(int n) {
  const int me = world.rank(), last = world.size() - 1;
  std::vector<Cell> cells(3, Cell{{0, 0}, 0});
  std::vector<std::vector<int>> rows(4, std::vector<int>(6, me));
  int which[] = {5, 0};
  double sum = 0;
  @communicate {
    cells[1].left[1]@last <<= 4.5@0;
    rows[2][1:3]@0 <<= rows[1][0:3]@last;
    rows[3][which]@last <<= rows[0][which]@0
  }
  for (int k = 0; k < n; ++k) sum += std::sqrt(k);
  which[0] = 4;
  CHECK_EQ(cells[1].left[1], me == last ? 4.5 : 0.0);
  for (int k = 0; k < 6; ++k) {
    CHECK_EQ(rows[2][k], me == 0 && k >= 1 && k < 4 ? last : me);
    CHECK_EQ(rows[3][k], me == last && (k == 5 || k == 0) ? 0 : me);
  }
  CHECK(sum > 0);
}

/// Two blocks whose statements meet: neither runs before what it depends on.
void two(int n) {
  const int size = world.size();
  std::vector<double> inner(400, 1.0);
  double a = world.rank(), b = -1, c = -1, sum = 0;
  for (int t = 0; t < n; ++t) {
    @communicate { b@(i + 1) % size <<= a@i where i in world }
    sum += work(inner);
    a = b;
    @communicate { c@(i + 1) % size <<= a@i where i in world }
    sum += work(inner);
    CHECK_EQ(b, before(2 * t + 1));
    CHECK_EQ(c, before(2 * t + 2));
    a = c;
  }
  CHECK(sum > 0);
}

/// What one block brings the next one sends, and the work between them goes with one of them alone.
void one_after_another(int rounds) {
  const int size = world.size();
  std::vector<double> inner(400, 1.0), other(400, 1.0);
  double a = world.rank(), b = -1, c = -1, sum = 0;
  @communicate { b@(i + 1) % size <<= a@i where i in world }
  for (double& one : inner) one *= 2;
  for (double& one : other) one *= 3;
  @communicate { c@(i + 1) % size <<= b@i where i in world }
  for (double& one : inner) one *= 0.5;
  CHECK_EQ(c, before(2));
  for (int t = 0; t < rounds; ++t) {
    for (double one : inner) sum += one;
    for (double one : other) sum += one;
    @communicate { c@(i + 1) % size <<= b@i where i in world }
    a = c;
    @communicate { b@(i + 1) % size <<= a@i where i in world }
  }
  CHECK_EQ(c, before(2 * rounds));
  CHECK_EQ(b, before(2 * rounds + 1));
}

/// Blocks that are pipelined with the loops around them, and others that are split.
void beside_pipelines(int n) {
  const int me = world.rank(), size = world.size();
  std::vector<double> sent(n), got(n);
  std::vector<double> inner(400, 1.0);
  double sum = 0, last = -1;
  [[kanor::uniform]] int to = -1;
  for (int k = 0; k < n; ++k) sent[k] = me + k;
  @communicate (delta) { got@(i + 1) % size <<= sent@i where i in world }
  for (int k = 0; k < n; ++k) sum += got[k];
  @communicate { last@(i + 1) % size <<= got[n - 1]@i where i in world }
  for (double& one : inner) one *= 0.5;
  CHECK_EQ(sum, n * before() + 0.5 * n * (n - 1.0));
  CHECK_EQ(last, before(2) + n - 1.0);

  @communicate { to@i <<= size - 1@(i + 1) % size where i in world }
  for (int k = 0; k < n; ++k) sent[k] = 2 * me + k;
  @communicate (delta) { got@to <<= sent@0 }
  sum = 0;
  for (int k = 0; k < n; ++k) sum += got[k];
  if (me == size - 1) CHECK_EQ(sum, 0.5 * n * (n - 1.0));
}

/// Statements that touch each other.
void tight() {
  const int size = world.size();
  std::vector<double> inner(400, 1.0), other(400, 1.0);
  double a = world.rank(), b = -1, c = -1, sum = 0;
  @communicate { b@(i + 1) % size <<= a@i where i in world }
  for (double& one : inner) one *= 2;for (double& one : other) one *= 3;
  @communicate { c@(i + 1) % size <<= b@i where i in world }for (double one : other) sum += one;
  CHECK_EQ(c, before(2));
  CHECK_EQ(sum, 1200.0);
  @communicate { b@(i + 1) % size <<= c@i where i in world }
  for (double& one : inner) one *= 2;for (double& one : other) one += b;
  @communicate { c@(i + 1) % size <<= b@i where i in world }
  CHECK_EQ(c, before(4));
  @communicate { c@(i + 1) % size <<= b@i where i in world }for (int t = 0; t < 3; ++t) {
    for (double& one : inner) one *= 2;
    @communicate { b@(i + 1) % size <<= a + t@i where i in world }
  }
  CHECK_EQ(b, before() + 2);
}

/// Long messages, in a loop that hands its arrays on.
void long_ones(int n) {
  const int me = world.rank(), size = world.size();
  std::vector<double> mine(n), next(n), ghost(n);
  for (int t = 0; t < 4; ++t) {
    for (int k = 0; k < n; ++k) next[k] = me + k + t;
    mine.swap(next);
    @communicate { ghost[0:n]@(i + 1) % size <<= mine[0:n]@i where i in world }
    for (int k = 0; k < n; ++k) next[k] = mine[k] = -k;
    for (int k = 0; k < n; k += 97) CHECK_EQ(ghost[k], before() + k + t);
  }
}

}  // namespace

int main() {
  late(1);
  late(500);
  early(40);
  early(3);
  between(30);
  around(0);
  around(1);
  around(9);
  steady(7);
  around_and_out(2);
  around_and_out(30);
  several(3);
  parts(1000);
  two(4);
  one_after_another(5);
  beside_pipelines(5000);
  tight();
  long_ones(10);
  long_ones(50000);
  return check::finish("split_blocks");
}

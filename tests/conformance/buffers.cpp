// RUN: %kanorc -O2 -Wall -Wextra -Werror %s -o %t && %run_everywhere --large %t
// RUN: env KANOR_DISABLE=sharing %run_everywhere --keep KANOR_DISABLE --ranks 2,5 %t
// RUN: env KANOR_CHECK=1 %run_everywhere --keep KANOR_CHECK --ranks 2,5 %t
// RUN: env KANOR_INFLIGHT=1000 %run_everywhere --keep KANOR_INFLIGHT --ranks 3 %t
// Buffers: copied whole and in parts, given away to one and to several, empty afterwards, and never seen by two.
#include "check.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace {

using kanor::buffer;
using kanor::world;

buffer<double> values(int rank, int count) {
  buffer<double> made(static_cast<std::size_t>(count));
  std::iota(made.begin(), made.end(), 1000.0 * rank);
  return made;
}

void copies() {
  const int n = world.size(), me = world.rank(), from = (me + n - 1) % n;
  buffer<double> b = values(me, 900), c;
  @communicate { c@(r + 1) % n <<= b@r where r in world }
  CHECK(c == values(from, 900));
  CHECK(b == values(me, 900));
  c[0] = -1;
  CHECK_EQ(b[0], 1000.0 * me);

  double part[4] = {};
  @communicate {
    part[0 : 4]@(r + 1) % n <<= c[2 : 4]@r where r in world;
    c[0 : 2]@(r + 1) % n <<= b[7 : 2]@r where r in world;
    b[3]@(r + 1) % n <<= b[4]@r where r in world
  }
  CHECK_EQ(part[3], 1000.0 * ((from + n - 1) % n) + 5);
  CHECK_EQ(c[1], 1000.0 * from + 8);
  CHECK_EQ(b[3], 1000.0 * from + 4);

  // Places and lengths of its own on each rank.
  buffer<int> mine(static_cast<std::size_t>(me), me), theirs(17, -1);
  @communicate { theirs@(r + 1) % n <<= mine@r where r in world }
  CHECK_EQ(theirs.size(), static_cast<std::size_t>(from));
  for (const int value : theirs) CHECK_EQ(value, from);
}

void gifts() {
  const int n = world.size(), me = world.rank(), from = (me + n - 1) % n;
  buffer<double> b = values(me, 900), c;
  @communicate { b@(r + 1) % n <<= std::move(b)@r where r in world }
  CHECK(b == values(from, 900));
  @communicate { c@(r + 1) % n <<= std::move(b)@r where r in world }
  CHECK(c == values((from + n - 1) % n, 900));
  CHECK(b.empty() && b.data() == nullptr);

  if (n > 1) {
    buffer<int> swapped(5, me);
    @communicate { swapped@0 <<= std::move(swapped)@1; swapped@1 <<= std::move(swapped)@0 }
    CHECK_EQ(swapped.size(), 5u);
    CHECK_EQ(swapped[4], me == 0 ? 1 : me == 1 ? 0 : me);
  }

  // Several receivers: each has its own, whatever the others do with theirs.
  if (me == n - 1) b = values(7, 700);
  @communicate { c@r <<= std::move(b)@n - 1 where r in world }
  CHECK(c == values(7, 700));
  CHECK(b.empty());
  for (double& value : c) value += me;
  int right = 0;
  const bool mine = c[699] == 7699.0 + me;
  @communicate { right@r << + << int{mine}@s where r, s in world }
  CHECK_EQ(right, n);

  // Those of an array, and members.
  buffer<double> rows[3];
  for (int k = 0; k < 3; ++k) rows[k] = values(me, 10 * k + 1);
  @communicate { rows[(k + 1) % 3]@(r + 1) % n <<= std::move(rows[k])@r where r in world, k in {0 ... 2} }
  for (int k = 0; k < 3; ++k) CHECK(rows[(k + 1) % 3] == values(from, 10 * k + 1));
  std::vector<buffer<double>> to, got(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) to.push_back(values(10 * me + k, 5 + k));
  @communicate { got[j]@i <<= std::move(to[i])@j where i, j in world }
  for (int k = 0; k < n; ++k) {
    CHECK(got[k] == values(10 * k + me, 5 + me));
    CHECK(to[k].empty());
  }
  struct {
    buffer<int> member;
    int other = 0;
  } holder;
  holder.member = {1, 2, me};
  @communicate { holder.member@(r + 1) % n <<= std::move(holder.member)@r where r in world }
  CHECK_EQ(holder.member[2], from);

  // What is made for the block.
  @communicate { c@(r + 1) % n <<= values(r, r + 1)@r where r in world }
  CHECK(c == values(from, from + 1));
}

/// All values are those before the block, in whatever order the statements stand.
void supersteps() {
  const int n = world.size(), me = world.rank(), from = (me + n - 1) % n;
  buffer<double> b = values(me, 100), first, second;
  double one = 0, part[3] = {};
  @communicate {
    first@(r + 1) % n <<= std::move(b)@r where r in world;
    second@(r + 1) % n <<= b@r where r in world;
    one@(r + 1) % n <<= b[5]@r where r in world;
    part[0 : 3]@(r + 1) % n <<= b[97 : 3]@r where r in world
  }
  CHECK(first == values(from, 100));
  CHECK(second == first);
  CHECK_EQ(one, 1000.0 * from + 5);
  CHECK_EQ(part[2], 1000.0 * from + 99);
  CHECK(b.empty());

  buffer<double> third;
  @communicate {
    b@(r + 1) % n <<= std::move(first)@r where r in world;
    third@r <<= std::move(first)@(r + 1) % n where r in world;
    first@(r + 1) % n <<= std::move(second)@r where r in world
  }
  CHECK(b == values((from + n - 1) % n, 100));
  CHECK(first == b);
  CHECK(third == values(me, 100));
  third[0] = -me;
  CHECK_EQ(first[0], 1000.0 * ((from + n - 1) % n));
}

void empty_ones() {
  const int n = world.size();
  buffer<int> none, got(3, 3);
  for (int round = 0; round < 2; ++round) {
    @communicate { got@(r + 1) % n <<= std::move(none)@r where r in world }
    CHECK(got.empty());
    got = buffer<int>(2, 2);
    @communicate { got@r <<= std::move(none)@0 where r in world }
    CHECK(got.empty());
    got = buffer<int>(2, 2);
    @communicate { got@(r + 1) % n <<= none@r where r in world }
    CHECK(got.empty());
  }
}

void reductions() {
  const int n = world.size(), me = world.rank();
  buffer<long> x(50, me), sum, largest;
  x[7] = -me;
  @communicate { sum@r << + << x@s where r, s in world; largest@0 << max << x@s where s in world }
  CHECK_EQ(sum.size(), 50u);
  CHECK_EQ(sum[49], n * (n - 1L) / 2);
  CHECK_EQ(sum[7], -n * (n - 1L) / 2);
  if (me == 0) CHECK_EQ(largest[6], n - 1L);
  if (me == 0) CHECK_EQ(largest[7], 0L);
  @communicate { sum@r << * << std::move(x)@s where r, s in world, s > 0 }
  long product = 1;
  for (int s = 1; s < n; ++s) product *= s;
  if (n > 1) CHECK_EQ(sum[0], product);
  CHECK_EQ(x.empty(), n > 1 && me > 0);
  // The scan of gifts.
  buffer<double> d(20, 1), scanned;
  @communicate { scanned@r << + << std::move(d)@s where r, s in world, s <= r }
  CHECK_EQ(scanned[19], me + 1.0);
}

void modifiers() {
  const int n = world.size(), me = world.rank(), from = (me + n - 1) % n;
  buffer<double> p = values(me, 9000), q;
  @communicate (async = exchange) { q@(r + 1) % n <<= std::move(p)@r where r in world }
  exchange.wait();
  CHECK(q == values(from, 9000));
  CHECK(p.empty());
  @communicate (knows = sender) { p@(me + 1) % n <<= std::move(q)@me }
  CHECK(p == values((from + n - 1) % n, 9000));
  @communicate (knows = receiver) { q@me <<= std::move(p)@(me + 1) % n }
  CHECK(q == values(from, 9000));
  CHECK(p.empty());
  @communicate (copy) { p@(r + 1) % n <<= std::move(q)@r where r in world }
  CHECK(p == values((from + n - 1) % n, 9000));
  const kanor::team half = world.split(me % 2, -me);
  @communicate (team = half) { q@r <<= std::move(p)@0 where r in half }
  CHECK_EQ(q.size(), 9000u);
  CHECK_EQ(p.empty(), half.rank() == 0);
}

/// Memory that goes round comes back, however often.
void many_rounds() {
  const int n = world.size(), me = world.rank();
  buffer<double> b = values(me, 1 << 14);
  for (int round = 0; round < 50; ++round) {
    @communicate { b@(r + 1) % n <<= std::move(b)@r where r in world }
    buffer<double> all;
    @communicate { all@r <<= std::move(b)@0 where r in world }
    if (me == 0) b = std::move(all);
    if (me == 0) b[0] += 1;
  }
  if (me == 0) CHECK_EQ(b[1] - std::floor(b[1] / 1000) * 1000, 1.0);
}

/// As programs use them without blocks.
void as_a_container() {
  buffer<int> a{3, 1, 2}, b = a.clone();
  std::sort(a.begin(), a.end());
  CHECK_EQ(a.front() * 100 + a[1] * 10 + a.back(), 123);
  CHECK_EQ(b[0], 3);
  a.resize(5);
  CHECK_EQ(a[2] + a[4], 3);
  a.resize(1);
  CHECK_EQ(a.size(), 1u);
  swap(a, b);
  CHECK_EQ(a.size(), 3u);
  const std::vector<long> from{7, 8};
  b.assign(from.begin(), from.end());
  CHECK_EQ(b[1], 8);
  CHECK(!(a == b));
  a.clear();
  CHECK(a.empty() && a.begin() == a.end());
  buffer<int> moved = std::move(b);
  CHECK_EQ(moved.size(), 2u);
  CHECK_EQ(reinterpret_cast<std::uintptr_t>(moved.data()) % 64, 0u);
}

}  // namespace

int main() {
  copies();
  gifts();
  supersteps();
  empty_ones();
  reductions();
  modifiers();
  many_rounds();
  as_a_container();
  return check::finish("buffers");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

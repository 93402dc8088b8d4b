// RUN: %kanorc -O2 -Wall -Wextra -Werror %s -o %t && %run_everywhere --large %t
// RUN: env KANOR_DISABLE=sharing %run_everywhere --keep KANOR_DISABLE --ranks 2,5 %t
// RUN: env KANOR_CHECK=1 %run_everywhere --keep KANOR_CHECK --ranks 2,5 %t
// RUN: %kanorc --dump=analysis %s | %FileCheck %s
// RUN: %kanorc --explain %s | %FileCheck --check-prefix=EXPLAIN %s
// What a block gives away because nobody reads it again, and what it must not.
#include "check.hpp"

#include <array>
#include <deque>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace {

using kanor::world;
using Row = std::vector<double>;

/// So long that it is moved, if not for a rank of its own.
Row row(int from, int to) {
  Row made(600 + static_cast<std::size_t>(to));
  std::iota(made.begin(), made.end(), 1000.0 * from + to);
  return made;
}
double total(const Row& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

// CHECK: function all_to_all
void all_to_all() {
  const int n = world.size(), me = world.rank();
  for (int turn = 0; turn < 3; ++turn) {
    // CHECK-NEXT: candidate rows: moves only
    // CHECK-NEXT: hand over in block 0 part 0 "rows[r]"
    std::vector<Row> rows(n), got(n);
    for (int r = 0; r < n; ++r) rows[r] = row(me, r + turn);
    // EXPLAIN: moved_values.cpp:[[@LINE+1]]:33: remark: 'rows' hands its memory over to a rank that shares addresses, because it is not read again [-Rpass=kanor]
    @communicate { got[s]@r <<= rows[r]@s where r, s in world }
    for (int s = 0; s < n; ++s) CHECK(got[s] == row(s, me + turn));
    // CHECK-NEXT: candidate pieces: moves only
    // CHECK-NEXT: hand over in block 1 part 0 "pieces[r][1]"
    std::array<std::deque<Row>, 33> pieces;
    for (int r = 0; r < n; ++r) pieces[r] = {Row{1}, row(r, me)};
    @communicate { got[s]@r <<= pieces[r][1]@s where s in world, r in {0 ... n - 1} }
    for (int s = 0; s < n; ++s) CHECK(got[s] == row(me, s));
  }
}

// CHECK: function other_types
void other_types() {
  const int n = world.size(), me = world.rank();
  // CHECK-NEXT: candidate tables: moves only
  // CHECK-NEXT: hand over
  std::vector<std::map<std::string, Row>> tables(n), got(n);
  for (int r = 0; r < n; ++r) tables[r]["to " + std::to_string(r)] = row(me, r);
  @communicate { got[s]@r <<= tables[r]@s where r, s in world, (r + s) % 3 != 1 }
  for (int s = 0; s < n; ++s) CHECK_EQ(got[s].count("to " + std::to_string(me)), (me + s) % 3 != 1 ? 1u : 0u);
  // CHECK-NEXT: candidate names: moves only
  // CHECK-NEXT: hand over
  std::vector<std::string> names{std::string(100, static_cast<char>('a' + me)), "b"}, others;
  @communicate { others@(i + 1) % n <<= names@i where i in world }
  CHECK_EQ(others.at(0)[99], static_cast<char>('a' + (me + n - 1) % n));
}

// CHECK: function read_again
void read_again() {
  const int n = world.size(), me = world.rank();
  // CHECK-NEXT: candidate rows: moves only
  // CHECK-NEXT: candidate
  std::vector<Row> rows(n), got(n);
  for (int r = 0; r < n; ++r) rows[r] = row(me, r);
  @communicate { got[s]@r <<= rows[r]@s where r, s in world }
  double sum = 0;
  for (const Row& one : rows) sum += total(one);
  CHECK(sum > 0 || me == 0);
  for (int r = 0; r < n; ++r) CHECK(rows[r] == row(me, r));

  // What the same block reads or sends twice.
  // CHECK-SAME: lengths: moves only
  // CHECK-NEXT: obstacle: the block uses it twice
  std::vector<Row> lengths(n);
  for (int r = 0; r < n; ++r) lengths[r] = row(r, me);
  std::vector<std::size_t> sizes(n);
  @communicate {
    got[s]@r <<= lengths[r]@s where r, s in world;
    sizes[s]@r <<= lengths[r].size()@s where r, s in world
  }
  for (int s = 0; s < n; ++s) CHECK_EQ(sizes[s], got[s].size());

  // Each to all: not one object for each binding, so nobody looks at it.
  std::vector<Row> mine(2, row(me, 1));
  std::vector<Row> all(n);
  @communicate { all[s]@r <<= mine[1]@s where r, s in world }
  for (int s = 0; s < n; ++s) CHECK(all[s] == row(s, 1));
}

// CHECK: function outlives
void outlives() {
  const int n = world.size(), me = world.rank();
  // CHECK-NEXT: candidate rows: moves only
  // CHECK-NEXT: escapes
  // CHECK: candidate kept: moves only
  std::vector<Row> rows(n), got(n), kept(n);
  Row& first = rows[0];
  first = row(me, 0);
  for (int r = 1; r < n; ++r) rows[r] = row(me, r);
  @communicate { got[s]@r <<= rows[r]@s where r, s in world }
  CHECK(first == row(me, 0));
  for (int turn = 0; turn < 3; ++turn) {
    if (turn == 0)
      for (int r = 0; r < n; ++r) kept[r] = row(me, r);
    @communicate { got[s]@r <<= kept[r]@s where r, s in world }
    for (int s = 0; s < n; ++s) CHECK(got[s] == row(s, me));
  }
}

/// Both instances must be able to do without.
// CHECK: function sends
template <class Value, bool again>
std::size_t sends(Value value) {
  const int n = world.size();
  std::vector<Value> values(n, value), got(n);
  @communicate { got[s]@r <<= values[r]@s where r, s in world }
  std::size_t sum = got[n - 1].size();
  if constexpr (again) sum += values[0].size();
  return sum;
}

/// From one to all, and into variables that ranks share.
void scatter() {
  const int n = world.size(), me = world.rank();
  std::vector<Row> rows;
  if (me == 0)
    for (int r = 0; r < n; ++r) rows.push_back(row(r, 2 * r));
  rows.resize(n);
  [[kanor::globalize]] Row mine(3);
  double sum = 0;
  @communicate { mine@r <<= rows[r]@0 where r in world }
  sum = total(mine);
  CHECK_EQ(sum, total(row(me, 2 * me)));
  mine[1] = -1;
  std::vector<Row> left(n);
  @communicate { left[s]@0 <<= mine@s where s in world }
  sum = mine[1];
  CHECK_EQ(sum, -1.0);
  if (me == 0) CHECK_EQ(left[n - 1].size(), row(n - 1, 2 * (n - 1)).size());
}

}  // namespace

int main() {
  all_to_all();
  other_types();
  read_again();
  outlives();
  CHECK_EQ(sends<Row, false>(row(1, 1)) + sends<Row, true>(row(1, 1)), 3 * row(1, 1).size());
  CHECK_EQ(sends<std::vector<std::string>, false>({"a"}), 1u);
  scatter();
  return check::finish("moved_values");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

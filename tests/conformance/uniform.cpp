// RUN: %kanorc -Wall -Wextra -Werror %s -o %t
// RUN: %run_everywhere %t
// What kanorc proves to be the same on all ranks: no warning, and the ranks do agree.
#include <kanor/kanor.hpp>
#include <kanor/std/broadcast.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "check.hpp"

using kanor::world;

struct Settings {
  int root = 0, width = 1;
  std::vector<int> peers;
};

class Field {
 public:
  Field(int width, int me) : width_(width), me_(me), cells_(static_cast<std::size_t>(width), me) {}
  int sum_of_roots() {
    int sum = -1;
    for (int root = 0; root < std::min(width_, world.size()); ++root)
      @communicate { sum@i <<= me_@root where i in world }
    return sum;
  }
  int cells_left() {
    int left = -1;
    @communicate { left@(i + 1) % world.size() <<= cells_[k]@i where i in world, k in {0 ... int(cells_.size()) - 1}, k == 0 }
    return left;
  }

 private:
  int width_, me_;
  std::vector<int> cells_;
};

static int half_of(int n) { return n / 2; }

template <typename Set>
static int sum_over(const Set& set) {
  int sum = 0;
  @communicate { sum@i << + << 1@j where i in world, j in set }
  return sum;
}

static void fill(std::vector<int>& list, int n) {
  list.resize(static_cast<std::size_t>(n));
  std::iota(list.begin(), list.end(), 0);
}

/// The value of the rank before this one in a grid, of which this function knows nothing more.
template <int D>
static int from_before(const kanor::grid<D>& ranks, int value) {
  const kanor::team& members = ranks.team();
  int got = -1;
  for (int d = 0; d < D; ++d)
    @communicate (team = members) { got@ranks.neighbor(i, d, 1) <<= value@i where i in members }
  return got;
}

static int last_of(const kanor::team& members, int value) {
  const int count = half_of(2 * members.size());
  int got = -1;
  @communicate (team = members) { got@i <<= value@(count - 1) where i in members }
  return got;
}

/// Where some ranks have left, the others agree on what they assign afterwards; lambdas see that too.
static int last_even(int me) {
  const kanor::team part = world.split(me % 2, me);
  if (me % 2 != 0) return -1;
  const int count = part.size();
  int got = -1;
  const auto ask = [&] {
    @communicate (team = part) { got@i <<= me@(count - 1) where i in {0 ... count - 1} }
  };
  ask();
  return got;
}

int main(int argc, char** argv) {
  const int me = world.rank();
  int n = world.size();
  if (argc > 1) n = std::atoi(argv[1]);

  // the rank's own data, of a common length
  std::vector<int> data(static_cast<std::size_t>(n), me);
  for (auto& value : data) value += me;
  int count = 0;
  for (std::size_t k = 0; k < data.size(); ++k) @communicate { count@i << + << 1@j where i, j in world }
  CHECK_EQ(count, n);

  // what every rank received
  Settings settings;
  if (me == 0) settings = {n - 1, 2, {0, n - 1}};
  int root = me;
  @communicate { root@i <<= settings.root@0 where i in world }
  int x = -1;
  @communicate { x@i <<= me@root where i in {0 ... world.size() - 1} }
  CHECK_EQ(x, n - 1);
  int largest = 0;
  @communicate { largest@i << max << me@j where i, j in kanor::range(0, world.size()) }
  if (largest > 0) @communicate { x@i <<= me@largest where i in world }
  CHECK_EQ(x, n - 1);

  // through functions, containers and algorithms of the library
  const int middle = half_of(n);
  @communicate { x@i <<= me@middle where i in world }
  CHECK_EQ(x, n / 2);
  std::vector<int> list;
  fill(list, n);
  std::sort(list.begin(), list.end(), [](int a, int b) { return a > b; });
  CHECK_EQ(sum_over(list), n);
  CHECK_EQ(sum_over(kanor::range(0, n)), n);
  std::map<std::string, int> named;
  std::istringstream("0") >> named["root"];
  @communicate { x@i <<= me@named.at("root") where i in world }
  CHECK_EQ(x, 0);
  const auto pick = [&](int k) { return std::abs(k - list.front()); };
  @communicate { x@i <<= me@pick(n - 1) where i in world }
  CHECK_EQ(x, 0);

  // objects
  Field field(n, me);
  CHECK_EQ(field.sum_of_roots(), n - 1);
  CHECK_EQ(field.cells_left(), (me + n - 1) % n);

  Settings mine{0, me, {}};
  mine.root = n - 1;
  mine.peers.assign(1, me);
  @communicate { x@i <<= mine.width@mine.root where i in world, k in {1 ... int(mine.peers.size())}, k == 1 }
  CHECK_EQ(x, n - 1);

  // received in a function that is given it by reference
  int turns = me == 0 ? 3 : 0, taken = 0;
  kanor::broadcast(turns, 0);
  for (int turn = 0; turn < turns; ++turn) @communicate { taken@i <<= taken + 1@i where i in world }
  CHECK_EQ(taken, 3);

  // sorted as a range: as many as before
  std::vector<int> sorted(3, me);
  std::ranges::sort(sorted);
  for (std::size_t k = 0; k < sorted.size(); ++k) @communicate { x@i << max << sorted[k]@j where i, j in world }
  CHECK_EQ(x, n - 1);

  // assigned where ranks part, but not used afterwards
  int part = 0;
  if (me == 0) part = 1;
  part = 0;
  @communicate { x@i <<= me@part where i in world }
  CHECK_EQ(x, 0);

  // asserted
  [[kanor::uniform]] const int said = me - me;
  @communicate { x@i <<= me@said where i in world }
  CHECK_EQ(x, 0);

  // within a team
  const kanor::team row = world.split(me % 2, me);
  const int last = row.size() - 1;
  if (me % 2 == 0) {
    @communicate (team = row) { x@i <<= row.rank()@last where i in row }
    CHECK_EQ(x, row.size() - 1);
  }

  // whatever a team is called, and in grids of it
  const kanor::team& same = row;
  const kanor::grid<1> line(same, {row.size()}, {true});
  int before = -1;
  @communicate (team = line.team()) { before@line.neighbor(i, 0, 1) <<= row.rank()@i where i in row }
  CHECK_EQ(before, (row.rank() + row.size() - 1) % row.size());
  CHECK_EQ(from_before(line, row.rank()), before);
  CHECK_EQ(from_before(kanor::grid<1>(world, {n}, {true}), me), (me + n - 1) % n);
  CHECK_EQ(last_of(same, row.rank()), row.size() - 1);
  CHECK_EQ(last_of(world, me), n - 1);
  const kanor::team& everyone = world;
  const int all = everyone.size();
  @communicate (team = everyone) { x@i <<= me@(all - 1) where i in world }
  @communicate { x@i <<= x@(all - 1) where i in everyone }
  CHECK_EQ(x, n - 1);
  CHECK_EQ(last_even(me), me % 2 == 0 ? (n - 1) / 2 * 2 : -1);
  return check::finish("uniform");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

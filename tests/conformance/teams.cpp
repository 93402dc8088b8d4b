// RUN: %kanorc %s -o %t && %run_everywhere --large %t
// Teams: their numbers, blocks of several teams in any mixture, teams of teams, teams that come and go.
#include "check.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using kanor::team;
using kanor::world;

namespace {

int me() { return world.rank(); }
int n() { return world.size(); }

/// World ranks, in the team's order.
std::vector<int> members(const team& t) {
  std::vector<int> ranks;
  for (const int i : t) ranks.push_back(t.world_rank(i));
  return ranks;
}

/// The sum of all members' values, by a reduction to the team's rank 0 and a broadcast from there.
template <class T>
T sum_over(const team& t, T value) {
  T sum{};
  @communicate (team = t) { sum@0 << + << value@i where i in t }
  @communicate (team = t) { sum@i <<= sum@0 where i in t }
  return sum;
}

void numbers() {
  const team odd_and_even = world.split(me() % 2, 0);
  CHECK_EQ(odd_and_even.size(), (n() + 1 - me() % 2) / 2);
  CHECK_EQ(odd_and_even.rank(), me() / 2);
  for (const int i : odd_and_even) CHECK_EQ(odd_and_even.world_rank(i), 2 * i + me() % 2);

  const team backwards = world.split(0, -me());
  CHECK_EQ(backwards.rank(), n() - 1 - me());
  CHECK_EQ(backwards.world_rank(0), n() - 1);

  const team alone = world.split(me(), 0);
  CHECK_EQ(alone.size(), 1);
  CHECK_EQ(alone.rank(), 0);
  CHECK_EQ(alone.world_rank(0), me());

  CHECK(alone == alone && alone != backwards && world == team());
}

void rank_numbers_are_the_teams() {
  const team backwards = world.split(7, -me());
  int left = -1, own = -1, first = -1;
  @communicate (team = backwards) {
    left@(i + 1) % backwards.size() <<= me()@i where i in backwards;
    own@i <<= i@i where i in {0 ... backwards.size() - 1};
    first@i <<= me()@0 where i in backwards
  }
  CHECK_EQ(left, (me() + 1) % n());
  CHECK_EQ(own, n() - 1 - me());
  CHECK_EQ(first, n() - 1);

  // `world` in the block still means the world.
  const team half = world.split(me() % 2, 0);
  int size = 0;
  KANOR_COMMUNICATE((team = half), size@i <<= world.size()@0 where i in half);
  CHECK_EQ(size, n());
}

/// Objects that have teams, and blocks of theirs.
struct Group {
  team members;
  int sum(int value) const {
    int result = -1;
    @communicate (team = members) { result@i << + << value@j where i, j in members }
    return result;
  }
};

void teams_are_members() {
  const team half = world.split(me() % 2, me());
  const Group group{half};
  CHECK_EQ(group.sum(1), half.size());
  int value = me(), left = -1;
  @communicate (team = group.members) { left@(i + 1) % group.members.size() <<= value@i where i in group.members }
  CHECK_EQ(left, half.world_rank((half.rank() + half.size() - 1) % half.size()));
}

/// Ranks of one team do more blocks, and other ones, than those of another.
void teams_go_their_own_ways() {
  const team part = world.split(me() % 3, me());
  std::string log;
  for (int round = 0; round < 3 + me() % 3; ++round) {
    std::vector<int> all(static_cast<std::size_t>(part.size()), -1);
    @communicate (team = part) { all[static_cast<std::size_t>(j)]@i <<= me() + 100 * round@j where i, j in part }
    for (const int i : part) CHECK_EQ(all[static_cast<std::size_t>(i)], part.world_rank(i) + 100 * round);
  }
  if (me() % 3 == 1) CHECK_EQ(sum_over(part, std::string("x")), std::string(static_cast<std::size_t>(part.size()), 'x'));
  CHECK_EQ(sum_over(world, me()), n() * (n() - 1) / 2);
}

/// Every rank is in a row and a column: their blocks take turns, and a row's ranks meet in the row alone.
void rows_and_columns() {
  const int width = n() % 2 == 0 ? 2 : 1;
  const team row = world.split(me() / width, me()), column = world.split(me() % width, me());
  long in_row = me(), in_column = me();
  for (int round = 0; round < 4; ++round) {
    if (round % 2 == me() / width % 2) in_row = sum_over(row, in_row);
    in_column = sum_over(column, in_column + 1);
    if (round % 2 != me() / width % 2) in_row = sum_over(row, in_row);
  }
  long expected = 0;
  for (const int i : row) expected += row.world_rank(i);
  for (int round = 1; round < 4; ++round) expected *= row.size();
  CHECK_EQ(in_row, expected);
  expected = 0;
  for (const int i : column) expected += column.world_rank(i) + 1;
  for (int round = 1; round < 4; ++round) expected = (expected + 1) * column.size();
  CHECK_EQ(in_column, expected);
}

void teams_of_teams() {
  std::vector<team> levels{world};
  // As many levels on each rank, whichever part it is in: the larger one has half of the members or one more.
  for (int largest = n(); largest > 1; largest = (largest + 1) / 2) {
    const team& t = levels.back();
    levels.push_back(t.split(t.rank() < t.size() / 2, -t.rank()));
  }
  // From the smallest team to the world, and mixed.
  for (std::size_t level = levels.size(); level-- > 0;) {
    const auto ranks = members(levels[level]);
    CHECK_EQ(sum_over(levels[level], me()), std::accumulate(ranks.begin(), ranks.end(), 0));
    CHECK_EQ(sum_over(levels[level / 2], 1), levels[level / 2].size());
  }
  CHECK_EQ(levels.back().size(), 1);
}

void teams_in_loops() {
  for (int round = 0; round < 60; ++round) {
    const team t = world.split(me() % (round % 4 + 1), -me());
    const team copy = t;
    const auto ranks = members(t);
    CHECK_EQ(sum_over(copy, me() * round), std::accumulate(ranks.begin(), ranks.end(), 0) * round);
    if (round % 7 == 0) CHECK_EQ(sum_over(t.split(0, round), 1), t.size());
  }

  // A block's team may be a temporary: every member makes it, and the block uses it.
  int value = me();
  @communicate (team = world.split(me() % 2, -me())) { value@0 <<= value@0 }
  CHECK_EQ(value, me());
}

/// The team of the ranks that `chosen` holds for; others have none.
std::optional<team> only(bool chosen) {
  const team t = world.split(chosen, me());
  return chosen ? std::optional(t) : std::nullopt;
}

void some_ranks_only() {
  int got = -1;
  if (const auto leaders = only(me() % 4 == 0)) {
    @communicate (team = *leaders) { got@i <<= 10 * me()@(i + 1) % leaders->size() where i in *leaders }
    CHECK_EQ(got, me() + 4 < n() ? 10 * (me() + 4) : 0);
  } else {
    CHECK_EQ(got, -1);
  }
}

struct Worker {
  team mates;
  std::vector<int> values;
  void exchange() {
    const auto count = static_cast<std::size_t>(mates.size());
    std::vector<int> fresh(count);
    @communicate (team = mates) { fresh[i]@j <<= values[static_cast<std::size_t>(j)]@i where i, j in mates }
    values = fresh;
  }
};

/// In a template, a lambda and a class; as an element of a container.
template <class Team>
int size_by_reduction(const Team& t) {
  int size = 0;
  const auto count = [&](int one) { @communicate (team = t) { size@i << + << one@j where i, j in t } };
  count(1);
  return size;
}

void teams_everywhere() {
  std::vector<team> teams;
  for (int parts = 1; parts <= 3; ++parts) teams.push_back(world.split(me() % parts, 0));
  std::swap(teams[0], teams[2]);
  for (const auto& t : teams) CHECK_EQ(size_by_reduction(t), t.size());
  Worker worker{teams[1], {}};
  for (const int i : teams[1]) worker.values.push_back(10 * me() + i);
  worker.exchange();
  for (const int i : teams[1])
    CHECK_EQ(worker.values[static_cast<std::size_t>(i)], 10 * teams[1].world_rank(i) + teams[1].rank());
}

team everyone_but_one;

void a_global_team() {
  everyone_but_one = world.split(me() == n() - 1, 0);
  CHECK_EQ(sum_over(everyone_but_one, 1), me() == n() - 1 ? 1 : n() - 1);
}

}  // namespace

int main() {
  numbers();
  rank_numbers_are_the_teams();
  teams_are_members();
  teams_go_their_own_ways();
  rows_and_columns();
  teams_of_teams();
  teams_in_loops();
  some_ranks_only();
  teams_everywhere();
  a_global_team();
  return check::finish("teams");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

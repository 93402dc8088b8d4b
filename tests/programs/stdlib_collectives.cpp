// RUN: %kanorc -Wall -Wextra -Werror %s -o %t && %run_everywhere --ranks 1,2,3,5,8,9,17 %t
// The standard library's collectives that move values, its predicates and its barrier, on the world
// and on teams of teams.
#include "../conformance/check.hpp"
#include "oracle.hpp"
#include "values.hpp"

#include <kanor/std/collectives.hpp>

#include <time.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using kanor::team;
using kanor::world;
using values::Letters;

template <class T>
void moves(const team& members, unsigned step) {
  const int me = members.rank(), n = members.size();
  const std::vector<T> all = values::of_ranks<T>(n, step), nothing;
  const T mine = values::at(all, me);
  for (int root = 0; root < n; ++root) {
    T sent = mine;
    kanor::broadcast(sent, root, members);
    CHECK_EQ(sent, values::at(all, root));
    CHECK_EQ(kanor::gather(mine, root, members), me == root ? all : nothing);
    // The vectors of the others are ignored, whatever their lengths.
    const auto parts = me == root ? all : values::of_ranks<T>((me + root) % 4 * n / 2, step + 1);
    CHECK_EQ(kanor::scatter(parts, root, members), mine);
  }
  CHECK_EQ(kanor::all_gather(mine, members), all);

  std::vector<T> sent, expected;
  for (int j = 0; j < n; ++j) {
    sent.push_back(values::at(values::of_ranks<T>(n, step + static_cast<unsigned>(me)), j));
    expected.push_back(values::at(values::of_ranks<T>(n, step + static_cast<unsigned>(j)), me));
  }
  CHECK_EQ(kanor::all_to_all(sent, members), expected);
}

std::vector<int> joined(const std::vector<std::vector<int>>& parts) {
  std::vector<int> whole;
  for (const auto& part : parts) whole.insert(whole.end(), part.begin(), part.end());
  return whole;
}

void concatenations(const team& members, unsigned step) {
  const auto all = values::of_ranks<std::vector<int>>(members.size(), step);
  const std::vector<int> mine = values::at(all, members.rank()), nothing;
  for (int root = 0; root < members.size(); ++root)
    CHECK_EQ(kanor::gather_vectors(mine, root, members), members.rank() == root ? joined(all) : nothing);
  CHECK_EQ(kanor::all_gather_vectors(mine, members), joined(all));
}

void predicate(const team& members, const std::vector<bool>& conditions) {
  const bool mine = values::at(conditions, members.rank());
  const auto number = static_cast<int>(std::count(conditions.begin(), conditions.end(), true));
  CHECK_EQ(kanor::count(mine, members), number);
  CHECK_EQ(kanor::all_of(mine, members), number == members.size());
  CHECK_EQ(kanor::any_of(mine, members), number > 0);
  CHECK_EQ(kanor::none_of(mine, members), number == 0);
}

void predicates(const team& members, unsigned step) {
  const auto n = static_cast<std::size_t>(members.size());
  std::vector<bool> one(n), all_but_one(n, true);
  one[step % n] = true;
  all_but_one[step % n] = false;
  predicate(members, std::vector<bool>(n, false));
  predicate(members, std::vector<bool>(n, true));
  predicate(members, one);
  predicate(members, all_but_one);
  predicate(members, values::of_ranks<bool>(members.size(), step));
}

double now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Nobody leaves a barrier before the last has come.
void barriers(const team& members) {
  const int last = members.size() - 1;
  for (const int late : {0, last / 2, last}) {
    const timespec pause{0, 2'000'000};
    if (members.rank() == late) nanosleep(&pause, nullptr);
    const double came = now();
    kanor::barrier(members);
    const double left = now();
    const auto all_came = kanor::all_gather(came, members), all_left = kanor::all_gather(left, members);
    CHECK(*std::min_element(all_left.begin(), all_left.end()) >= *std::max_element(all_came.begin(), all_came.end()));
  }
}

void everything(const team& members, unsigned step) {
  moves<bool>(members, step);
  moves<char>(members, step);
  moves<int>(members, step);
  moves<double>(members, step);
  moves<std::string>(members, step);
  moves<std::vector<int>>(members, step);
  moves<values::Point>(members, step);
  moves<Letters>(members, step);
  concatenations(members, step);
  predicates(members, step);
  barriers(members);
}

/// Every function on its default team.
void on_the_world(unsigned step) {
  const int me = world.rank(), n = world.size();
  const auto all = values::of_ranks<std::vector<int>>(n, step);
  const std::vector<int> mine = values::at(all, me);
  std::vector<int> sent = mine;
  kanor::broadcast(sent, n - 1);
  CHECK_EQ(sent, all.back());
  CHECK_EQ(kanor::scatter(all, n / 2), mine);
  CHECK_EQ(kanor::gather(mine, n - 1).size(), me == n - 1 ? all.size() : 0u);
  CHECK_EQ(kanor::all_gather(mine), all);
  CHECK_EQ(kanor::all_to_all(all), std::vector<std::vector<int>>(all.size(), mine));
  CHECK_EQ(kanor::gather_vectors(mine, 0).size(), me == 0 ? joined(all).size() : 0u);
  CHECK_EQ(kanor::all_gather_vectors(mine), joined(all));
  CHECK(kanor::all_of(true) && !kanor::any_of(false) && kanor::none_of(false));
  CHECK_EQ(kanor::count(me % 2 == 0), (n + 1) / 2);
  kanor::barrier();
}

template <class T>
void one_call(const team& members, int kind, int root, unsigned step) {
  const int me = members.rank();
  const auto all = values::of_ranks<T>(members.size(), step);
  const T mine = values::at(all, me);
  if (kind == 0) {
    T sent = mine;
    kanor::broadcast(sent, root, members);
    CHECK_EQ(sent, values::at(all, root));
  }
  if (kind == 1) CHECK_EQ(kanor::scatter(me == root ? all : std::vector<T>(), root, members), mine);
  if (kind == 2) CHECK_EQ(kanor::gather(mine, root, members), me == root ? all : std::vector<T>());
  if (kind == 3) CHECK_EQ(kanor::all_gather(mine, members), all);
  if (kind == 4) CHECK_EQ(kanor::all_to_all(all, members), std::vector<T>(all.size(), mine));
  if (kind == 5) CHECK_EQ(kanor::count(root % 3 == me % 3, members), (members.size() + 2 - root % 3) / 3);
  if (kind == 6) kanor::barrier(members);
}

/// Calls of several teams in any mixture.
void random_calls(const std::vector<team>& teams, unsigned seed) {
  oracle::Numbers random(seed);
  for (int call = 0; call < 150; ++call) {
    const team& members = teams[random.next() % teams.size()];
    const int kind = random.below(7), type = random.below(3), root = random.below(64) % members.size();
    const unsigned step = random.next() % 10000;
    if (type == 0) one_call<std::string>(members, kind, root, step);
    if (type == 1) one_call<Letters>(members, kind, root, step);
    if (type == 2) one_call<bool>(members, kind, root, step);
  }
}

}  // namespace

int main() {
  const int me = world.rank();
  const team half = world.split(me % 2, -me);
  const team quarter = half.split(half.rank() / 2 % 2, 0);
  const team shuffled = world.split(0, static_cast<int>(values::mixed(static_cast<unsigned>(me)) % 100));
  const team alone = quarter.split(quarter.rank(), 0);

  everything(world, 1);
  everything(half, 2);
  everything(quarter, 3);
  everything(alone, 4);
  on_the_world(5);
  // One half has more to do, while the other goes on.
  if (me % 2 == 0) moves<std::string>(half, 6);
  random_calls({world, half, quarter, shuffled, alone}, 7);
  return check::finish("stdlib_collectives");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

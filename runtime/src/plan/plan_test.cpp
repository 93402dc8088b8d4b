// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/plan.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>
#include <string>

#include "plan/count_allocations.hpp"
#include "plan/planner.hpp"

namespace kanor::rt::plan {
namespace {

using Members = std::vector<std::int64_t>;

Members members(std::span<const Run> runs) {
  Members all;
  for (const Run& run : runs)
    for (std::int64_t i = 0; i < run.count; ++i) all.push_back(run.first + i * run.step);
  return all;
}

TEST(Runs, AreInTheSetsOrderAndHaveEachMemberOnce) {
  Domain some = Domain::interval(0, 60, 6);
  some.add(3);
  some.add(Domain::interval(4, 64, 10));
  some.add(Domain::interval(60, 66));
  const std::set<std::int64_t> wanted{0,  3,  4,  6,  12, 14, 18, 24, 30, 34, 36,
                                      42, 44, 48, 54, 60, 61, 62, 63, 64, 65, 66};
  std::vector<plan::Run> up, down;
  append_runs(some, {0, 1, 100, true}, up);
  append_runs(some, {99, -1, 100, true}, down);
  EXPECT_EQ(members(up), Members(wanted.begin(), wanted.end()));
  EXPECT_EQ(members(down), Members(wanted.rbegin(), wanted.rend()));
  Domain touching = Domain::interval(0, 10, 5);
  touching.add(Domain::interval(10, 16, 3));
  std::vector<plan::Run> touched;
  append_runs(touching, {0, 1, 100, true}, touched);
  EXPECT_EQ(members(touched), (Members{0, 5, 10, 13, 16}));
  std::vector<plan::Run> apart;
  append_runs(Domain::interval(5, 25, 5), {30, -5, 7, true}, apart);
  ASSERT_EQ(apart.size(), 1u);
  EXPECT_EQ(members(apart), (Members{25, 20, 15, 10, 5}));
}

constexpr const char* shift = "i: 0 .. $0 - 1; to (i + 1) % $0; from i";

class Plans : public testing::Test {
 protected:
  Plan& plan(const char* form, std::vector<abi::leaf> leaves, int rank, int size, bool reuse = true) {
    Plan* const found = planner.find(form, leaves, rank, size, reuse, error);
    EXPECT_TRUE(found) << error;
    return *found;
  }
  /// What the calls since the last one cost.
  std::uint64_t steps() { return planner.steps() - std::exchange(steps_before_, planner.steps()); }

  Planner planner;
  std::string error;

 private:
  std::uint64_t steps_before_ = 0;
};

TEST_F(Plans, AreReusedWhileLeavesTeamAndSetsAreTheSame) {
  const auto senders = [&](int rank, int size, std::int64_t count) {
    Plan& found = plan(shift, {size}, rank, size);
    found.begin(Side::sending);
    found.begin(Side::receiving);
    return members(found.only(0, {0, 1, count, true}));
  };
  EXPECT_EQ(senders(3, 8, 8), Members{2});
  EXPECT_GT(steps(), 0u);
  EXPECT_EQ(senders(3, 8, 8), Members{2});
  EXPECT_EQ(steps(), 0u);
  EXPECT_EQ(senders(3, 8, 2), Members{});
  EXPECT_GT(steps(), 0u);
  EXPECT_EQ(senders(3, 7, 7), Members{2});
  EXPECT_GT(steps(), 0u);
  EXPECT_EQ(senders(0, 7, 7), Members{6});
  EXPECT_GT(steps(), 0u);
  // Both are still known.
  EXPECT_EQ(senders(3, 7, 7), Members{2});
  EXPECT_EQ(senders(0, 7, 7), Members{6});
  EXPECT_EQ(steps(), 0u);
  plan(shift, {7}, 0, 7, false);
  EXPECT_GT(steps(), 0u);
}

// most_plans of one form are kept.
TEST_F(Plans, AreKeptForSoManyLists) {
  const auto ask_all = [&](int count) {
    for (int size = 2; size < 2 + count; ++size) {
      Plan& found = plan(shift, {size}, 1, size);
      found.begin(Side::sending);
      found.begin(Side::receiving);
      EXPECT_EQ(members(found.only(0, {0, 1, size, true})), Members{0});
    }
    return steps();
  };
  EXPECT_GT(ask_all(8), 0u);
  EXPECT_EQ(ask_all(8), 0u);
  EXPECT_GT(ask_all(9), 0u);
  EXPECT_GT(ask_all(9), 0u);
}

TEST_F(Plans, DistinguishGridsByTheirShape) {
  static const int wide[] = {2, 4}, high[] = {4, 2};
  static const bool open[] = {false, false}, closed[] = {true, true};
  const auto senders = [&](const int* extents, const bool* periodic) {
    Plan& found =
        plan("i: 0 .. 7; to $0.neighbor(i, 0, 1); from i", {abi::grid_view{2, extents, periodic}}, 1, 8);
    found.begin(Side::receiving);
    return members(found.only(0, {0, 1, 8, true}));
  };
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(senders(wide, open), Members{});
    EXPECT_EQ(senders(wide, closed), Members{5});
    EXPECT_EQ(senders(high, closed), Members{7});
    if (round == 0) {
      EXPECT_GT(steps(), 0u);
    } else {
      EXPECT_EQ(steps(), 0u);
    }
  }
}

TEST_F(Plans, FollowQuestionsThatChange) {
  // The loop over j is asked for each i that a filter lets through.
  const auto bindings = [&](const std::vector<bool>& active) {
    Plan& found = plan("i: 0 .. 5; if ?; j: i .. 5; to j; from i", {}, 4, 6);
    found.begin(Side::receiving);
    std::multimap<std::int64_t, std::int64_t> pairs;
    for (const std::int64_t i : members(found.only(0, {0, 1, 6, true}))) {
      if (!active[static_cast<std::size_t>(i)]) continue;
      *found.value_of(0) = i;
      for (const std::int64_t j : members(found.only(1, {i, 1, 6 - i, true}))) pairs.emplace(i, j);
    }
    return pairs;
  };
  using Pairs = std::multimap<std::int64_t, std::int64_t>;
  const Pairs all{{0, 4}, {1, 4}, {2, 4}, {3, 4}, {4, 4}};
  const std::vector<bool> every(6, true);
  EXPECT_EQ(bindings(every), all);
  steps();
  EXPECT_EQ(bindings(every), all);
  EXPECT_EQ(steps(), 0u);
  EXPECT_EQ(bindings({true, false, true, false, false, false}), (Pairs{{0, 4}, {2, 4}}));
  EXPECT_EQ(bindings(every), all);
  EXPECT_EQ(bindings({false, false, false, true, true, true}), (Pairs{{3, 4}, {4, 4}}));
  EXPECT_EQ(bindings(every), all);
}

TEST_F(Plans, NoteTheAnswersOfAClosedForm) {
  const auto visit = [](Plan& found) {
    found.begin(Side::receiving);
    for (const std::int64_t i : members(found.only(0, {0, 1, 6, true}))) {
      *found.value_of(0) = i;
      found.only(1, {i, 1, 6 - i, true});
      found.only(1, {i, 1, 6 - i, true});  // the same question again is one more
    }
  };
  const auto answers_of = [](std::span<const abi::candidate_list> noted) {
    std::vector<Members> answers;
    for (const abi::candidate_list& answer : noted) {
      EXPECT_EQ(answer.noted, nullptr);
      answers.push_back(members({answer.first, answer.runs}));
    }
    return answers;
  };
  Plan& found = plan("i: 0 .. 5; j: i .. 5; to j; from i", {}, 2, 6);
  EXPECT_TRUE(found.noted(Side::receiving).empty());
  visit(found);
  EXPECT_TRUE(found.noted(Side::receiving).empty()) << "there may be more questions";
  found.end();
  EXPECT_TRUE(found.noted(Side::sending).empty());
  ASSERT_FALSE(found.noted(Side::receiving).empty());
  const std::vector<Members> all{{0, 1, 2}, {2}, {2}, {2}, {2}, {2}, {2}};
  EXPECT_EQ(answers_of(found.noted(Side::receiving)), all);
  found.begin(Side::sending);
  found.only(0, {0, 1, 6, true});
  found.end();
  EXPECT_EQ(answers_of(found.noted(Side::sending)), std::vector<Members>{{2}});
  EXPECT_EQ(answers_of(found.noted(Side::receiving)), all);
  EXPECT_TRUE(plan("i: 0 .. 5; j: i .. 5; to j; from i", {}, 2, 6, false).noted(Side::receiving).empty());

  for (const char* const open : {"i: 0 .. 5; j: ?; to j; from i", "i: 0 .. 5; j: i .. 5; if ?; to j; from i",
                                 "i: 0 .. 5; j: i .. 5; to j; from ?"}) {
    Plan& asked = plan(open, {}, 2, 6);
    visit(asked);
    asked.end();
    EXPECT_TRUE(asked.noted(Side::receiving).empty()) << open;
  }
}

// As many questions as most_noted, and one more.
TEST_F(Plans, NoteSoManyAnswersOfAClosedForm) {
  for (const int count : {64, 65}) {
    Plan& found = plan("i: 0 .. $0; j: 0 .. $0; if j * j < i; to i; from j", {count}, 3, 1000000);
    found.begin(Side::sending);
    for (int i = 0; i < count; ++i) {
      *found.value_of(0) = i;
      found.only(1, {0, 1, 1000000, true});
    }
    found.end();
    EXPECT_EQ(!found.noted(Side::sending).empty(), count == 64);
  }
}

// Fewer questions than most_answers, and more.
TEST_F(Plans, KeepBoundedMemory) {
  Plan& found = plan("i: 0 .. $0 - 1; j: 0 .. $0 - 1; if j * j < i; to i; from j", {1000000}, 3, 1000000);
  const auto ask = [&](int first, int count) {
    found.begin(Side::sending);
    found.only(0, {0, 1, 1000000, true});
    for (int i = first; i < first + count; ++i) {
      *found.value_of(0) = i;
      found.only(1, {0, 1, 1000000, true});
    }
  };
  // Questions that differ each time replace those before them.
  for (int round = 0; round < 20; ++round) ask(100 * round, 100);
  std::size_t before = allocated_bytes();
  for (int round = 20; round < 400; ++round) ask(100 * round, 100);
  EXPECT_EQ(allocated_bytes(), before);
  // And there are only so many.
  ask(0, 100000);
  before = allocated_bytes();
  ask(0, 400000);
  EXPECT_EQ(allocated_bytes(), before);
}

// A square's root is nothing that the solver knows; the filter tells something where i is large. Each of the
// first most_in_vain questions is solved, of later ones few.
TEST_F(Plans, SeldomAskWhatTellsNothing) {
  const int size = 1000;
  Plan& found = plan("i: 0 .. $0 - 1; j: 0 .. $0 - 1; if i / 900 * j <= 3; to (j * j + i) % $0; from ?",
                     {size}, 7, size);
  found.begin(Side::receiving);
  const auto answer = [&](int i) {
    *found.value_of(0) = i;
    return members(found.only(1, {0, 1, size, true})).size();
  };
  steps();
  EXPECT_EQ(answer(0), 1000u);
  const std::uint64_t one = steps();
  for (int i = 1; i < 900; ++i) EXPECT_EQ(answer(i), 1000u);
  EXPECT_LE(steps(), 80 * one);
  std::size_t whole = 0;
  for (int i = 900; i < size; ++i) whole += answer(i) == 1000u ? 1 : 0;
  EXPECT_LT(whole, 40u);
}

TEST_F(Plans, SetsBeyond64BitsAreGoneThroughWhole) {
  Plan& found = plan("i: ?; to 0; from i", {}, 3, 8);
  found.begin(Side::sending);
  EXPECT_EQ(found.only(0, {-5, 1, 3, false}).size(), 1u);
  EXPECT_EQ(members(found.only(0, {-5, 1, 3, false})), (Members{-5, -4, -3}));
}

TEST_F(Plans, SetsWithTheNumberThatHasNoNegativeAreGoneThroughWhole) {
  constexpr long long lowest = std::numeric_limits<long long>::min();
  Plan& found = plan("i: ?; to 0; from i", {}, 3, 8);
  found.begin(Side::sending);
  EXPECT_EQ(members(found.only(0, {lowest, 1, 3, true})), (Members{lowest, lowest + 1, lowest + 2}));
  EXPECT_EQ(members(found.only(0, {lowest + 2, -2, 2, true})), (Members{lowest + 2, lowest}));
  EXPECT_EQ(members(found.only(0, {lowest + 2, -1, 2, true})), Members{});
}

TEST_F(Plans, SayWhenAllMustLook) {
  EXPECT_FALSE(plan(shift, {8}, 0, 8).needs_everything());
  EXPECT_TRUE(plan("i: 0 .. $0; to i; from i", {8}, 0, 8).needs_everything());
  EXPECT_TRUE(plan("to ?; from ?", {}, 0, 8).needs_everything());
  // The same leaves in another team.
  EXPECT_FALSE(plan("i: 0 .. 7; to i; from i", {}, 0, 8).needs_everything());
  EXPECT_TRUE(plan("i: 0 .. 7; to i; from i", {}, 0, 7).needs_everything());
  EXPECT_TRUE(plan(shift, {~0ull}, 0, 8).needs_everything());
  EXPECT_FALSE(planner.find("i: 0", {}, 0, 8, true, error));
  EXPECT_EQ(error, "expected '..' at character 5");
  EXPECT_FALSE(planner.find(shift, {}, 0, 8, true, error));
  EXPECT_EQ(error, "there are only 0 leaves");
}

// What a rank's part costs: in a team of a million as in one of a thousand, twice what it is for half the
// messages, and nothing the second time.

struct Cost {
  std::uint64_t steps, bytes, bindings;
};

Cost cost_of_part(const char* form, int size, Planner& planner) {
  const std::uint64_t steps_before = planner.steps();
  const std::size_t bytes_before = allocated_bytes();
  const abi::leaf leaves[] = {size};
  std::string error;
  Plan& plan = *planner.find(form, leaves, size / 2, size, true, error);
  const bool is_pair = std::string_view(form).find("j:") != std::string_view::npos;
  std::uint64_t bindings = 0;
  for (const Side side : {Side::sending, Side::receiving}) {
    plan.begin(side);
    for (const Run& run : plan.only(0, {0, 1, size, true}))
      for (std::int64_t i = 0; i < run.count; ++i) {
        *plan.value_of(0) = run.first + i * run.step;
        if (!is_pair) {
          ++bindings;
          continue;
        }
        for (const Run& inner : plan.only(1, {0, 1, size, true}))
          bindings += static_cast<std::uint64_t>(inner.count);
      }
  }
  return {planner.steps() - steps_before, allocated_bytes() - bytes_before, bindings};
}

TEST(PlanCost, DoesNotGrowWithTheTeam) {
  constexpr const char* all_to_all = "i: 0 .. $0 - 1; j: 0 .. $0 - 1; to j; from i";
  struct Row {
    const char* form;
    std::uint64_t most_steps, most_bytes;
    bool to_all;
  };
  for (const Row& row :
       {Row{shift, 12, 25000, false}, Row{"i: 0 .. $0 - 1; to i ^ 1; from i", 12, 25000, false},
        Row{"i: 0 .. $0 - 1; if i + 1 < $0; to i + 1; from i", 20, 25000, false},
        Row{"i: 0 .. $0 - 1; j: 0 .. $0 - 1; if i == (j + 5) % $0; to j; from i", 24, 30000, false},
        Row{all_to_all, 12, 30000, true}}) {
    Cost costs[2];
    for (const int large : {0, 1}) {
      Planner planner;
      const int size = large ? 1000000 : 1000;
      costs[large] = cost_of_part(row.form, size, planner);
      const std::uint64_t messages = row.to_all ? 2 * static_cast<std::uint64_t>(size) : 2;
      EXPECT_EQ(costs[large].bindings, messages) << row.form;
      const Cost again = cost_of_part(row.form, size, planner);
      EXPECT_EQ(again.steps, 0u) << row.form;
      EXPECT_EQ(again.bytes, 0u) << row.form;
    }
    EXPECT_EQ(costs[0].steps, costs[1].steps) << row.form;
    EXPECT_LE(costs[1].steps, row.most_steps) << row.form;
    EXPECT_EQ(costs[0].bytes, costs[1].bytes) << row.form;
    EXPECT_LE(costs[1].bytes, row.most_bytes) << row.form;
  }
}

}  // namespace
}  // namespace kanor::rt::plan

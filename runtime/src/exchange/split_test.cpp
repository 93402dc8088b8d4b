// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "exchange/team_record.hpp"
#include "exchange/test_job.hpp"

namespace kanor::rt {
namespace {

/// What every member of `members` says, which it sends to all of them.
std::vector<int> all_of(const team& members, int mine) {
  std::vector<int> all(static_cast<std::size_t>(members.size()));
  abi::block block({"s.cpp", 3, "all_of"}, {.team = members});
  block.assign({3, "all[j]@i <<= mine@j", "i, j"}, [&](auto& bind) {
    for (const auto i : members)
      for (const auto j : members)
        binding(bind, i, AT(all[static_cast<std::size_t>(j)]), j, SEND(mine), i, j);
  });
  block.run();
  return all;
}

TEST(Split, OrdersByKeyThenByTheOldRank) {
  on_all_jobs([] {
    std::mt19937 random(7);  // the same on all ranks
    for (int round = 0; round < 20; ++round) {
      std::vector<std::tuple<long long, long long, int>> choices;
      for (int rank = 0; rank < world.size(); ++rank)
        choices.emplace_back(static_cast<int>(random() % 3) - 1, static_cast<int>(random() % 3) - 1, rank);
      const auto [colour, key, self] = choices[static_cast<std::size_t>(world.rank())];
      const team part = world.split(colour, key);
      std::sort(choices.begin(), choices.end());
      std::vector<int> expected;
      for (const auto& [its_colour, its_key, rank] : choices)
        if (its_colour == colour) expected.push_back(rank);
      ASSERT_EQ(part.size(), static_cast<int>(expected.size()));
      for (const int i : part) ASSERT_EQ(part.world_rank(i), expected[static_cast<std::size_t>(i)]);
      ASSERT_EQ(part.world_rank(part.rank()), world.rank());
      ASSERT_EQ(all_of(part, world.rank()), expected);
    }
  });
}

TEST(Split, TakesColoursAndKeysOfAnySize) {
  on_all_jobs([] {
    const int self = world.rank();
    const long long large = 1LL << 62;
    const team part = world.split(self % 2 ? large + 1 : -large, -large * (self % 4 / 2));
    EXPECT_EQ(part.size(), (world.size() + 1 - self % 2) / 2);
    if (world.size() >= 4) {
      EXPECT_EQ(part.world_rank(0), 2 + self % 2);
    }
  });
}

// Teams of teams have the numbers of their own; what they do in between is nobody else's business.
TEST(Split, DividesAnyTeam) {
  on_all_jobs([] {
    team part = world;
    for (int level = 0; part.size() > 1; ++level) {
      const int before = part.size(), self = part.rank();
      part = part.split(2 * self < before, -self);
      EXPECT_EQ(part.size(), 2 * self < before ? (before + 1) / 2 : before / 2);
      for (int round = 0; round <= part.world_rank(0) % 3; ++round) {
        const std::vector<int> numbers = all_of(part, part.rank());
        for (const int i : part) EXPECT_EQ(numbers[static_cast<std::size_t>(i)], i);
      }
    }
    EXPECT_EQ(all_of(world, 2 * world.rank()).back(), 2 * (world.size() - 1));
  });
}

TEST(Split, GivesEachTeamAContextOfItsOwn) {
  std::mutex lock;
  std::set<std::tuple<std::uint64_t, int>> contexts;  // and the member
  int made = 0;
  TestJob(8).run([&] {
    std::vector<team> teams{world};
    for (int round = 0; round < 40; ++round) {
      const team& parent = teams[static_cast<std::size_t>(round) / 5];
      teams.push_back(parent.split(parent.rank() * round % 3, 0));
      const std::lock_guard guard(lock);
      const TeamState& state = abi::team_record::of(teams.back())->state;
      EXPECT_TRUE(contexts.emplace(state.context, state.world_rank(state.rank)).second);
      EXPECT_LT(state.context, any_source_context);
      ++made;
    }
  });
  EXPECT_EQ(contexts.size(), static_cast<std::size_t>(made));
}

TEST(Split, BlocksOfTwoTeamsInterleaveAsEachRankLikes) {
  TestJob(4).run([] {
    const int self = world.rank();
    const team row = world.split(self / 2, self), column = world.split(self % 2, self);
    for (int round = 0; round < 5; ++round) {
      // Ranks of one row visit it before their column or after, but all of a team visit it in one sequence.
      const std::vector<int> row_values = all_of(row, 10 * self + round);
      EXPECT_EQ(row_values, (std::vector{10 * (self / 2 * 2) + round, 10 * (self / 2 * 2 + 1) + round}));
      if (self / 2 == 0) {
        EXPECT_EQ(all_of(row, round).size(), 2u);
      }
      const std::vector<int> column_values = all_of(column, self);
      EXPECT_EQ(column_values, (std::vector{self % 2, self % 2 + 2}));
    }
  });
}

TEST(Team, CopiesNameTheSameTeam) {
  TestJob(2).run([] {
    const team first = world.split(0, 0), second = world.split(0, 0);
    team copy = first;
    EXPECT_TRUE(copy == first);
    EXPECT_FALSE(first == second);
    EXPECT_FALSE(first == world);
    copy = copy;
    EXPECT_TRUE(copy == first);
    copy = world;
    EXPECT_TRUE(copy == world);
    EXPECT_TRUE(team() == world);
  });
}

TEST(Team, IsFreedWithTheLastThatNamesIt) {
  TestJob(2).run([] {
    abi::team_record* record = nullptr;
    {
      team outer;
      {
        const team inner = world.split(0, 0);
        outer = inner;
        record = abi::team_record::of(outer);
        EXPECT_EQ(record->users.load(), 2);
      }
      EXPECT_EQ(record->users.load(), 1);
      all_of(outer, 1);
      EXPECT_EQ(record->users.load(), 1) << "a block that is over keeps its team";
    }
    // The team of a block may be a temporary.
    EXPECT_EQ(all_of(world.split(0, -world.rank()), world.rank()).front(), 1);
  });
}

TEST(Team, KeepsWhatItsBlocksUse) {
  TestJob(1).run([] {
    int place = 0;
    abi::block block({"s.cpp", 3, "f"}, {.team = world.split(0, 0)});
    block.assign({3, "place@0 <<= 5@0", ""}, [&](auto& bind) { binding(bind, 0, AT(place), 0, SEND(5)); });
    block.run();
    EXPECT_EQ(place, 5);
  });
}

/// Has every rank of a job of `ranks` run `body`; the process ends with what one of them says.
void fails(int ranks, const std::function<void()>& body, const char* message) {
  EXPECT_EXIT(TestJob(ranks).run(body), testing::ExitedWithCode(1), message);
}

team shared;
std::atomic<bool> is_shared{false};

TEST(TeamDeathTest, SaysWhoIsNoMember) {
  const auto body = [](auto use) {
    return [use] {
      const team own = world.split(world.rank() == 1, 0);
      if (world.rank() == 0) {
        shared = own;
        is_shared = true;
        is_shared.notify_all();
      } else if (world.rank() == 1) {
        is_shared.wait(false);
        use();
      }
      all_of(world, 0);
    };
  };
  fails(3, body([] { shared.rank(); }),
        "kanor::team::rank\\(\\) was called by a rank that is not a member of the team of 2 ranks \\(0 and 2 "
        "of "
        "the "
        "world\\)");
  fails(3, body([] { all_of(shared, 1); }),
        "the block at s.cpp:3 is executed by this rank, which is not a member of its team of 2 ranks \\(0 "
        "and 2");
  fails(3, body([] { shared.split(0, 0, "t.cpp", 9); }),
        "the call of kanor::team::split at t.cpp:9 is executed by this rank, which is not a member");
}

TEST(TeamDeathTest, SaysWhoseTeamItIs) {
  fails(
      2,
      [] {
        const team own = world.split(0, 0);
        if (world.rank() == 0) {
          shared = own;
          is_shared = true;
          is_shared.notify_all();
          all_of(world, 0);
        }
        is_shared.wait(false);
        EXPECT_EQ(shared.rank(), 1);
        all_of(shared, 1);
      },
      "the block at s.cpp:3 is executed by this rank with the object of rank 0 for this team");
}

// most_shown of them, and one more.
TEST(Team, NamesTheFirstOfManyMembers) {
  TestJob(8).run([] {
    EXPECT_EQ(text_of(world.split(0, 0)), "team of 8 ranks (0, 1, 2, 3, 4, 5, 6 and 7 of the world)");
  });
  TestJob(9).run([] {
    EXPECT_EQ(text_of(world.split(0, 0)), "team of 9 ranks (0, 1, 2, 3, 4, 5, 6, 7, ... of the world)");
  });
}

TEST(TeamDeathTest, NamesTheTeamsSize) {
  fails(
      4,
      [] {
        const team half = world.split(world.rank() / 2, 0);
        int place = 0;
        abi::block block({"s.cpp", 3, "f"}, {.team = half});
        block.assign({4, "place@i <<= 5@2", "i"},
                     [&](auto& bind) { binding(bind, 0, AT(place), 2, SEND(5), 7); });
      },
      "s.cpp:4: in 'place@i <<= 5@2' for i = 7, the sender's rank is 2, but the team has 2 ranks: 0 to 1");
  fails(
      2, [] { world.split(0, 0).world_rank(2); }, "kanor::team::world_rank\\(2\\) in a team of 2 ranks");
}

TEST(TeamDeathTest, SaysThatABlockMeetsASplit) {
  fails(
      2,
      [] {
        if (world.rank() == 0)
          world.split(0, 0, "t.cpp", 9);
        else
          all_of(world, 1);
      },
      "is in the block at s.cpp:3 while this rank calls kanor::team::split at t.cpp:9: all members|"
      "rank 0 calls kanor::team::split at line 9 while this rank is in the block at s.cpp:3: all members");
  fails(
      1,
      [] {
        int place = 0;
        abi::block block({"s.cpp", 3, "f"});
        block.assign({3, "place@0 <<= 5@0", ""}, [&](auto& bind) {
          binding(bind, world.split(0, 0, "t.cpp", 9).rank(), AT(place), 0, SEND(5));
        });
      },
      "kanor::team::split is called at t.cpp:9 while the block at s.cpp:3 is being evaluated");
}

}  // namespace
}  // namespace kanor::rt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kanor/abi/pairs.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "exchange/blocks.hpp"
#include "exchange/test_job.hpp"

namespace kanor::rt {
namespace {

std::vector<team> pairs_with(const team& members, int first) {
  return abi::pairs(members, first, "p.cpp", 5);
}

/// Rank 0's value of a team of two, on both.
int of_first(const team& pair, int mine) {
  abi::block block({"p.cpp", 3, "of_first"}, {.team = pair});
  int theirs = -1;
  block.assign({3, "theirs@i <<= mine@0", "i"}, [&](auto& bind) {
    for (const auto i : pair) binding(bind, i, AT(theirs), 0, SEND(mine), i);
  });
  block.run();
  return theirs;
}

/// Makes the pairs with each member in turn, and uses them in the order of the members and backwards.
void use_pairs(const team& members) {
  for (const int first : members) {
    const std::vector<team> once = pairs_with(members, first), again = pairs_with(members, first);
    const bool has_all = members.rank() == first;
    ASSERT_EQ(once.size(), static_cast<std::size_t>(has_all ? members.size() - 1 : 1));
    for (std::size_t i = 0; i < once.size(); ++i) {
      const int index = static_cast<int>(i);
      const int other = !has_all ? members.rank() : index < first ? index : index + 1;
      EXPECT_EQ(once[i].size(), 2);
      EXPECT_EQ(once[i].rank(), has_all ? 0 : 1);
      EXPECT_EQ(once[i].world_rank(0), members.world_rank(first));
      EXPECT_EQ(once[i].world_rank(1), members.world_rank(other));
      EXPECT_EQ(of_first(again[i], 100 + other), 100 + other);
    }
    for (std::size_t i = once.size(); i-- > 0;) EXPECT_EQ(of_first(once[i], 7), 7);
  }
}

TEST(Pairs, OverlapInOneMember) {
  on_all_jobs([] {
    use_pairs(world);
    use_pairs(world.split(world.rank() % 2, -world.rank()));
    EXPECT_EQ(of_first(world, 3), 3);
  });
}

TEST(Pairs, AreCheckedToo) {
  TestJob job(4);
  job.home.switches.check = true;
  job.run([] {
    use_pairs(world);
    finish_checks();
  });
}

TEST(PairsFailure, AMemberThatSplits) {
  EXPECT_EXIT(TestJob(2).run([] {
    if (world.rank() == 0)
      world.split(0, 0);
    else
      pairs_with(world, 0);
  }),
              testing::ExitedWithCode(1),
              "rank 0 of the team calls kanor::team::split at line [0-9]+ while this "
              "rank makes pairs of ranks at .*: all members must execute");
  EXPECT_EXIT(TestJob(2).run([] {
    if (world.rank() == 0)
      pairs_with(world, 0);
    else
      world.split(0, 0);
  }),
              testing::ExitedWithCode(1),
              "rank 0 of the team makes pairs of ranks at line [0-9]+ while this "
              "rank calls kanor::team::split at .*: all members must execute");
}

}  // namespace
}  // namespace kanor::rt

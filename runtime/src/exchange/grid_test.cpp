// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kanor/grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <vector>

#include "exchange/test_job.hpp"

namespace kanor::rt {
namespace {

/// Every way to write `number` as so many factors, none larger than the one before it.
void factorings(int number, std::size_t count, std::vector<int>& factors,
                std::vector<std::vector<int>>& all) {
  if (factors.size() == count) {
    if (number == 1) all.push_back(factors);
    return;
  }
  for (int factor = 1; factor <= number; ++factor) {
    if (number % factor != 0 || (!factors.empty() && factor > factors.back())) continue;
    factors.push_back(factor);
    factorings(number / factor, count, factors, all);
    factors.pop_back();
  }
}

int spread(const std::vector<int>& extents) { return extents.front() - extents.back(); }

TEST(Grid, ChoosesTheExtentsThatDifferLeast) {
  for (int dimensions = 1; dimensions <= 4; ++dimensions)
    for (int ranks = 1; ranks <= 400; ++ranks) {
      std::vector<int> extents(static_cast<std::size_t>(dimensions)), factors;
      abi::choose_extents(ranks, dimensions, extents.data());
      std::vector<std::vector<int>> all;
      factorings(ranks, extents.size(), factors, all);
      ASSERT_NE(std::find(all.begin(), all.end(), extents), all.end()) << ranks << " in " << dimensions;
      for (const auto& other : all) {
        ASSERT_GE(spread(other), spread(extents)) << ranks << " in " << dimensions;
        if (spread(other) == spread(extents)) {
          ASSERT_GE(other, extents) << ranks << " in " << dimensions;
        }
      }
    }
}

TEST(Grid, ChoosesExtentsOfManyRanksQuickly) {
  int extents[3];
  abi::choose_extents(1'000'000, 3, extents);
  EXPECT_EQ(std::vector<int>(extents, extents + 3), (std::vector<int>{100, 100, 100}));
  abi::choose_extents(1'000'003, 3, extents);
  EXPECT_EQ(std::vector<int>(extents, extents + 3), (std::vector<int>{1'000'003, 1, 1}));
}

TEST(Grid, NumbersRanksInRowMajorOrder) {
  TestJob(6).run([] {
    const grid<2> g(world, {2, 3});
    EXPECT_EQ(g.size(), 6);
    EXPECT_EQ(g.extent(0), 2);
    EXPECT_EQ(g.extent(1), 3);
    for (int x = 0; x < 2; ++x)
      for (int y = 0; y < 3; ++y) {
        EXPECT_EQ(g(x, y), 3 * x + y);
        EXPECT_EQ(g.coords(3 * x + y), (std::array{x, y}));
      }
  });
}

TEST(Grid, WrapsWherePeriodicOnly) {
  TestJob(6).run([] {
    const grid<2> g(world, {2, 3}, {false, true});
    EXPECT_FALSE(g.periodic(0));
    EXPECT_TRUE(g.periodic(1));
    EXPECT_EQ(g(0, -1), 2);
    EXPECT_EQ(g(1, 3), 3);
    EXPECT_EQ(g(1, -7), 5);
    EXPECT_EQ(g(-1, 0), no_rank);
    EXPECT_EQ(g(2, 0), no_rank);
    EXPECT_EQ(g(0LL, -3'000'000'000'001LL), 2);
  });
}

// A neighbour is the rank at the coordinate moved by the offset.
TEST(Grid, FindsNeighboursAtAnyOffset) {
  TestJob(12).run([] {
    for (const bool first : {false, true})
      for (const bool second : {false, true}) {
        const grid<2> g(world, {3, 4}, {first, second});
        for (int rank = 0; rank < 12; ++rank)
          for (int offset = -13; offset <= 13; ++offset) {
            const auto [x, y] = g.coords(rank);
            EXPECT_EQ(g.neighbor(rank, 0, offset), g(x + offset, y));
            EXPECT_EQ(g.neighbor(rank, 1, offset), g(x, y + offset));
          }
        EXPECT_EQ(g.neighbor(5, 0, LLONG_MIN), first ? g(1 + LLONG_MIN % 3, 1) : no_rank);
        EXPECT_EQ(g.neighbor(5, 1, LLONG_MAX), second ? g(1, 1 + LLONG_MAX % 4) : no_rank);
        EXPECT_EQ(g.neighbor(no_rank, 1, 1), no_rank);
      }
  });
}

TEST(Grid, OfOneDimensionAndOfThree) {
  TestJob(8).run([] {
    const grid<1> line(world);
    EXPECT_EQ(line.extent(0), 8);
    EXPECT_EQ(line(7), 7);
    EXPECT_EQ(line.neighbor(7, 0, 1), no_rank);
    const grid<3> cube(world);
    EXPECT_EQ(cube(1, 1, 0), 6);
    EXPECT_EQ(cube.coords(6), (std::array{1, 1, 0}));
    EXPECT_TRUE(cube.team() == world);
  });
}

void on_six_ranks(void (*body)()) {
  TestJob(6).run_rank(0, [body] { body(); });
}

TEST(GridDeathTest, NamesBothNumbers) {
  const auto says = [](void (*body)(), const char* message) { EXPECT_DEATH(on_six_ranks(body), message); };
  says(
      [] {
        grid<2>(world, {2, 2});
      },
      "kanor::grid<2> at .*grid_test.cpp:[0-9]+: the extents 2 x 2 are for 4 ranks, but the team has 6");
  says(
      [] {
        grid<3>(world, {2'000'000'000, 2'000'000'000, 6});
      },
      "the extents 2000000000 x 2000000000 x 6 are for more than 6 ranks, but the team has 6");
  says([] { grid<2>(world, {6, 0}); }, "the extent of dimension 1 is 0, but must be at least 1");
  says([] { grid<2>(world, {-2, -3}); }, "the extent of dimension 0 is -2, but must be at least 1");
  says([] { grid<2>(world).coords(6); },
       "kanor::grid<2>::coords of rank 6, but the team has 6 ranks: 0 to 5");
  says([] { grid<2>(world).coords(no_rank); }, "of rank -2147483648, but the team has 6 ranks: 0 to 5");
  says([] { grid<2>(world).neighbor(-1, 0, 1); }, "neighbor of rank -1, but the team has 6 ranks: 0 to 5");
  says([] { grid<2>(world).neighbor(0, 2, 1); },
       "neighbor of dimension 2, but the grid has 2 dimensions: 0 to 1");
  says([] { grid<1>(world).extent(-1); }, "extent of dimension -1, but the grid has 1 dimension: 0");
  says([] { grid<2>(world).periodic(2); }, "periodic of dimension 2, but the grid has 2 dimensions");
}

}  // namespace
}  // namespace kanor::rt

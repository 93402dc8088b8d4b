// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sets that generators range over, and teams as ranges.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdint>
#include <numeric>
#include <ranges>
#include <type_traits>
#include <vector>

#include "exchange/test_job.hpp"

namespace kanor::rt {
namespace {

using abi::each;
using abi::list;

template <class Set>
auto members(const Set& set) {
  std::vector<std::remove_cvref_t<decltype(*set.begin())>> found;
  for (const auto i : set) found.push_back(i);
  return found;
}

TEST(Each, TakesBothEnds) {
  EXPECT_EQ(members(each(2, 5)), (std::vector{2, 3, 4, 5}));
  EXPECT_EQ(members(each(-1, 1)), (std::vector{-1, 0, 1}));
  EXPECT_EQ(members(each(7, 7)), std::vector{7});
  EXPECT_TRUE(members(each(1, 0)).empty());
  EXPECT_TRUE(members(each(0, -1)).empty());
  EXPECT_EQ(members(each('a', 'c')), (std::vector{'a', 'b', 'c'}));
}

TEST(Each, ReachesTheEndsOfAType) {
  EXPECT_EQ(members(each(INT_MAX - 1, INT_MAX)), (std::vector{INT_MAX - 1, INT_MAX}));
  EXPECT_EQ(members(each(INT_MIN, INT_MIN + 1)), (std::vector{INT_MIN, INT_MIN + 1}));
  EXPECT_EQ(members(each(LONG_MAX, LONG_MAX)), std::vector{LONG_MAX});
  EXPECT_EQ(members(each(std::int8_t{126}, std::int8_t{127})), (std::vector<std::int8_t>{126, 127}));
  EXPECT_EQ(members(each(UINT64_MAX, UINT64_MAX)), std::vector{UINT64_MAX});
}

TEST(Each, HasTheCommonType) {
  static_assert(std::is_same_v<decltype(*each(0, 1u).begin()), unsigned>);
  static_assert(std::is_same_v<decltype(*each(0, 1L).begin()), long>);
  static_assert(std::is_same_v<decltype(*each(short{0}, short{1}).begin()), short>);
  static_assert(std::is_same_v<decltype(*each(0, std::size_t{1}).begin()), std::size_t>);
}

TEST(Each, ComparesNumbersWhateverTheirSigns) {
  const std::vector<int> none;
  EXPECT_TRUE(members(each(0u, -1)).empty());
  EXPECT_TRUE(members(each(std::size_t{3}, -3)).empty());
  EXPECT_TRUE(members(each(5, 2u)).empty());
  EXPECT_EQ(members(each(0, std::size_t{2})), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(members(each(1u, 3)), (std::vector<unsigned>{1, 2, 3}));
  EXPECT_EQ(members(each(-2, 1L)), (std::vector<long>{-2, -1, 0, 1}));
  EXPECT_TRUE(members(each(-1L, -2)).empty());
  EXPECT_EXIT(each(-1, 3u), testing::ExitedWithCode(1), "begins with -1");
}

TEST(Each, RefersToALastingRangeAndOwnsATemporary) {
  const std::vector<int> lasting{3, 1, 3};
  static_assert(std::is_same_v<decltype(each(lasting)), const std::vector<int>&>);
  EXPECT_EQ(&each(lasting), &lasting);
  static_assert(std::is_same_v<decltype(each(std::vector<int>{})), std::vector<int>>);
  std::vector<int> seen;
  for (const auto i : each(std::vector<int>{3, 1, 3})) seen.push_back(i);
  EXPECT_EQ(seen, lasting);
  const int array[] = {4, 5};
  seen.clear();
  for (const auto i : each(array)) seen.push_back(i);
  EXPECT_EQ(seen, (std::vector{4, 5}));
}

TEST(List, KeepsOrderAndRepetition) {
  EXPECT_EQ(members(list(3, 1, 3)), (std::vector{3, 1, 3}));
  EXPECT_EQ(members(list(7)), std::vector{7});
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(*list(1, 2L, short{3}).begin())>, long>);
  EXPECT_EXIT(list(1u, -1), testing::ExitedWithCode(1), "begins with -1|unsigned");
}

TEST(Range, ExcludesItsUpperEnd) {
  EXPECT_EQ(members(range(0, 3)), (std::vector{0, 1, 2}));
  EXPECT_TRUE(members(range(3, 3)).empty());
  EXPECT_TRUE(members(range(4, 3)).empty());
  EXPECT_EQ(members(range(1, 8, 3)), (std::vector{1, 4, 7}));
  EXPECT_EQ(members(range(1, 7, 3)), (std::vector{1, 4}));
  EXPECT_EQ(members(range(5, 0, -2)), (std::vector{5, 3, 1}));
  EXPECT_EQ(members(range(5, 1, -2)), (std::vector{5, 3}));
  EXPECT_TRUE(members(range(0, 5, -1)).empty());
  EXPECT_EQ(members(range(-3, 3, 2)), (std::vector{-3, -1, 1}));
  EXPECT_EQ(members(range(0u, 3u)), (std::vector{0u, 1u, 2u}));
  EXPECT_EQ(members(range(0, 6L, 2)), (std::vector{0L, 2L, 4L}));
  EXPECT_EXIT(range(0, 3, 0), testing::ExitedWithCode(1), "step 0");
  static_assert(std::is_same_v<decltype(range(0, 3)), integer_range<int>>);
  static_assert(std::is_same_v<decltype(range(0, 3L)), integer_range<long>>);
  static_assert(range(0, 10, 3).size() == 4);
  static_assert(range(0, 10)[4] == 4);
}

TEST(Team, IsARandomAccessRangeOfRanks) {
  static_assert(std::ranges::random_access_range<const team>);
  static_assert(std::ranges::sized_range<const team>);
  static_assert(std::ranges::random_access_range<integer_range<unsigned>>);
  static_assert(std::is_same_v<std::ranges::range_value_t<team>, int>);
  TestJob(5).run([] {
    EXPECT_EQ(world.size(), 5);
    EXPECT_EQ(members(world), (std::vector{0, 1, 2, 3, 4}));
    EXPECT_EQ(std::ranges::count_if(world, [](int i) { return i % 2 == 0; }), 3);
    EXPECT_EQ(std::accumulate(world.begin(), world.end(), 0), 10);
    EXPECT_EQ(world.end() - world.begin(), 5);
    EXPECT_EQ(world.begin()[3], 3);
    EXPECT_EQ(*--world.end(), 4);
    EXPECT_EQ(world[2], 2);
    std::vector<int> copied(world.begin(), world.end());
    EXPECT_EQ(copied.size(), 5u);
    auto backwards = world | std::views::reverse | std::views::take(2);
    EXPECT_EQ(*backwards.begin(), 4);
    EXPECT_EQ(world.world_rank(3), 3);
    const team same = world;
    EXPECT_EQ(same, world);
    EXPECT_EQ(same.rank(), world.rank());
  });
}

TEST(Team, NeedsARank) {
  EXPECT_EXIT(world.size(), testing::ExitedWithCode(1), "outside a rank");
  EXPECT_EXIT(TestJob(2).run_rank(0, [] { world.world_rank(2); }), testing::ExitedWithCode(1),
              "world_rank\\(2\\)");
}

TEST(RankNumber, TakesAnyInteger) {
  using abi::rank_number;
  EXPECT_EQ(rank_number(3), 3);
  EXPECT_EQ(rank_number(3ul), 3);
  EXPECT_EQ(rank_number(short{3}), 3);
  EXPECT_EQ(rank_number(std::uint8_t{200}), 200);
  EXPECT_EQ(rank_number(-1), -1);
  EXPECT_LT(rank_number(0xFFFFFFFFu), 0);
  EXPECT_LT(rank_number(1L << 32), 0);
  EXPECT_LT(rank_number(UINT64_MAX), 0);
  EXPECT_LT(rank_number(0x100000003ul), 0);
  EXPECT_EQ(rank_number(no_rank), no_rank);
  EXPECT_EQ(rank_number(static_cast<long>(no_rank)), no_rank);
  EXPECT_EQ(rank_number(static_cast<unsigned>(no_rank)), no_rank);
  EXPECT_EQ(rank_number(static_cast<unsigned long>(no_rank)), no_rank);
  EXPECT_NE(rank_number(static_cast<short>(no_rank)), no_rank);
  EXPECT_NE(rank_number(0x8000000000000000ul), no_rank);
  enum Named { third = 3 };
  EXPECT_EQ(rank_number(third), 3);
  EXPECT_EQ(rank_number(std::integral_constant<int, 2>()), 2);
  EXPECT_EQ(rank_number(true), 1);
}

}  // namespace
}  // namespace kanor::rt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/domain.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

#include "plan/test_members.hpp"

namespace kanor::rt::plan {
namespace {

Progression random_progression(std::mt19937& random, int reach) {
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
  const std::int64_t first = pick(-reach, reach), step = pick(1, 6), steps = pick(0, 3) ? pick(0, 9) : 0;
  return {first, first + step * steps, static_cast<std::uint64_t>(steps ? step : 1)};
}

// Of parts with less and with more than least_whole_steps.
TEST(Domain, UnitesIntersectsAndRemovesExactlyWhileItHasRoom) {
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    Domain a, b;
    std::set<std::int64_t> in_a, in_b;
    for (int i = 0; i < 4; ++i) {
      for (auto [domain, in] : {std::pair(&a, &in_a), std::pair(&b, &in_b)}) {
        const Progression part = random_progression(random, 20);
        domain->add(part);
        const std::set<std::int64_t> more =
            members(Domain::interval(part.first, part.last, static_cast<Wide>(part.step)));
        in->insert(more.begin(), more.end());
      }
    }
    ASSERT_EQ(members(a), in_a);
    EXPECT_EQ(a.min(), *in_a.begin());
    EXPECT_EQ(a.max(), *in_a.rbegin());
    EXPECT_GE(a.size(), in_a.size());
    std::set<std::int64_t> common;
    for (const std::int64_t value : in_a)
      if (in_b.count(value)) common.insert(value);
    Domain both = a;
    both.intersect(b);
    ASSERT_EQ(members(both), common);
    Domain near = a;
    near.intersect(-5, 7);
    for (std::int64_t value = -60; value < 100; ++value)
      ASSERT_EQ(near.contains(value), in_a.count(value) && value >= -5 && value <= 7);
    Domain less = a;
    less.remove(3);
    in_a.erase(3);
    ASSERT_EQ(members(less), in_a);
    less.coarsen(2);
    EXPECT_LE(less.parts(), 2);
    for (const std::int64_t value : in_a) ASSERT_TRUE(less.contains(value));
  }
}

TEST(Domain, NeighboursBecomeOne) {
  Domain domain;
  for (const int value : {3, 1, 2, 5, 4}) domain.add(value);
  EXPECT_EQ(domain, Domain::interval(1, 5));
  domain = Domain::interval(0, 20, 10);
  domain.add(30);
  domain.add(-10);
  EXPECT_EQ(domain, Domain::interval(-10, 30, 10));
  EXPECT_EQ(Domain::interval(0, 9, 10), Domain::of(0));
}

TEST(Domain, IsASupersetWhenItIsFull) {
  Domain domain;
  for (std::int64_t i = 0; i < 62; ++i) domain.add(std::int64_t{1} << i);
  EXPECT_LE(domain.parts(), Domain::most_parts);
  for (std::int64_t i = 0; i < 62; ++i) EXPECT_TRUE(domain.contains(std::int64_t{1} << i));
}

TEST(Domain, MeetsOfLargeSteps) {
  Progression common;
  // x = 7 mod 2^31 - 1 and x = 5 mod 2^31, far from 0.
  const std::uint64_t p = (std::uint64_t{1} << 31) - 1, q = std::uint64_t{1} << 31;
  const Progression a{7 - static_cast<std::int64_t>(p) * 1000000,
                      7 + static_cast<std::int64_t>(p) * 2000000000, p};
  const Progression b{5 - static_cast<std::int64_t>(q) * 1000000,
                      5 + static_cast<std::int64_t>(q) * 2000000000, q};
  ASSERT_TRUE(intersect(a, b, common));
  EXPECT_TRUE(a.contains(common.first) && b.contains(common.first));
  EXPECT_TRUE(common.single());
  EXPECT_FALSE(intersect({0, 100, 10}, {5, 105, 10}, common));
  ASSERT_TRUE(intersect({0, 1000000, 6}, {4, 1000000, 10}, common));
  EXPECT_EQ(common, (Progression{24, 999984, 30}));
}

TEST(Domain, EndsAtTheEndsOfTheNumbers) {
  const Domain all = Domain::all();
  EXPECT_TRUE(all.contains(least) && all.contains(greatest));
  EXPECT_EQ(all.size(), ~std::uint64_t{0});
  const Wide beyond = static_cast<Wide>(greatest) * 4;
  EXPECT_EQ(Domain::interval(-beyond, beyond), all);
  EXPECT_TRUE(Domain::interval(beyond, beyond + 5).empty());
  EXPECT_TRUE(Domain::interval(-beyond, -beyond + 5).empty());
  EXPECT_EQ(Domain::interval(static_cast<Wide>(least) - 5, least + 6, 10), Domain::of(least + 5));
  Domain ends = all;
  ends.intersect(Domain::of(least));
  EXPECT_EQ(ends, Domain::of(least));
  ends = all;
  ends.remove(greatest);
  EXPECT_EQ(ends.max(), greatest - 1);
  Domain wide = Domain::interval(least, greatest, Wide{1} << 63);
  wide.intersect(Domain::interval(-1, 1));
  EXPECT_TRUE(wide.contains(1) && !wide.contains(0));
}

}  // namespace
}  // namespace kanor::rt::plan

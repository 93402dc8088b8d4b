// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tune/choices.hpp"

#include <gtest/gtest.h>

namespace kanor::tune {
namespace {

TEST(Limit, IsWhereTheSecondWayBeginsToBeFaster) {
  const std::vector<Compared> compared{{100, 1, 2}, {200, 2, 3}, {400, 4, 3}, {800, 9, 4}};
  const std::vector<std::size_t> limits{1, 100, 200, 400, 800, 10'000};
  EXPECT_EQ(best_limit(compared, limits, 1), 400u);
  EXPECT_EQ(best_limit(compared, limits, 10'000), 400u);
  EXPECT_EQ(best_limit({{100, 2, 1}, {200, 2, 1}}, limits, 10'000), 1u) << "always";
  EXPECT_EQ(best_limit({{100, 1, 2}, {200, 1, 2}}, limits, 1), 400u) << "never: behind the last length";
}

TEST(Limit, StaysWhereItIsForASmallGain) {
  const std::vector<Compared> compared{{100, 1, 1.2}, {200, 1.02, 1}};
  EXPECT_EQ(best_limit(compared, {100, 200, 400}, 400), 400u) << "1 % worse in all";
  EXPECT_EQ(best_limit(compared, {100, 200, 400}, 100), 200u) << "10 % worse in all";
  // One length that was measured badly does not move the limit past it.
  EXPECT_EQ(
      best_limit({{1, 1, 3}, {2, 1, 3}, {3, 5, 4}, {4, 1, 3}, {5, 3, 1}, {6, 3, 1}}, {1, 2, 3, 4, 5, 6}, 1),
      5u);
}

TEST(Parts, HaveTheRangeOfTheLeastLoss) {
  const auto with = [](std::size_t least, std::size_t most) {
    return rt::Tuning{.least_block_in_parts = 7, .least_part_bytes = least, .most_part_bytes = most};
  };
  // A message of 800 would have parts of 64, one of 8000 parts of 512 bytes.
  const PartTimes times{{800, {{64, 3}, {128, 2}, {256, 3}, {512, 4}}},
                        {8000, {{64, 9}, {128, 6}, {256, 4}, {512, 5}}}};
  EXPECT_EQ(best_parts(times, with(64, 512)), with(128, 256));
  EXPECT_EQ(best_parts(times, with(512, 512)), with(128, 256));
  const PartTimes alike{{800, {{64, 2}, {128, 1.99}}}, {8000, {{64, 2}, {128, 1.98}}}};
  EXPECT_EQ(best_parts(alike, with(64, 64)), with(64, 64)) << "a small gain changes nothing";
}

TEST(Model, IsFoundFromWhatItGives) {
  const CostModel given{0.8, 0.25, 0.0001, 1};
  std::vector<Sample> samples;
  for (const std::size_t bytes : {1, 1000, 100'000, 800'000})
    for (const int count : {1, 2, 5, 50}) samples.push_back({bytes, count, given.time_us(bytes, count)});
  const auto found = fit(samples);
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->latency_us, given.latency_us, 1e-6);
  EXPECT_NEAR(found->overhead_us, given.overhead_us, 1e-6);
  EXPECT_NEAR(found->byte_us, given.byte_us, 1e-9);
  EXPECT_NEAR(found->r2, 1, 1e-9);
  samples.front().time_us *= 3;
  samples.back().time_us *= 1.5;
  EXPECT_LT(fit(samples)->r2, 0.99) << "what the model does not explain";
}

TEST(Model, NeedsSamplesThatDiffer) {
  EXPECT_FALSE(fit({}).has_value());
  EXPECT_FALSE(fit({{100, 1, 5}, {200, 1, 6}, {300, 1, 7}}).has_value()) << "of one number of messages";
}

TEST(Median, IsTheMiddleOne) {
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({9, 1, 5}), 5);
}

}  // namespace
}  // namespace kanor::tune

#include "collectives/choice.hpp"

#include <gtest/gtest.h>

namespace kanor::rt::collectives {
namespace {

using enum plan::Collective;
using enum Between;

TEST(Choice, LongReductionsAreMadeInSlicesWhereMemoryIsShared) {
  for (const auto between : {memory, scarce_memory}) {
    EXPECT_EQ(choose(all_reduce, 2, 1 << 20, between), Way::slices);
    EXPECT_EQ(choose(all_reduce, 2, 1024, between), Way::direct);
  }
  EXPECT_EQ(choose(all_reduce, 2, 1 << 20, network), Way::direct);
  EXPECT_EQ(choose(all_reduce, 3, 1 << 20, network), Way::steps);
}

TEST(Choice, TwoSendDirectly) {
  for (const auto kind : {broadcast, all_gather, scan, exclusive_scan})
    for (const auto between : {memory, scarce_memory, network})
      for (const int size : {1, 2})
        for (const std::size_t bytes : {8, 1 << 20})
          EXPECT_EQ(choose(kind, size, bytes, between), Way::direct);
}

TEST(Choice, LargeTeamsGoInSteps) {
  for (const auto kind : {broadcast, all_gather, all_reduce, scan, exclusive_scan})
    for (const auto between : {memory, network}) EXPECT_EQ(choose(kind, 64, 8, between), Way::steps);
}

TEST(Choice, ScarceCoresMakeStepsDear) {
  EXPECT_EQ(choose(all_reduce, 64, 8, scarce_memory), Way::direct);
  EXPECT_EQ(choose(all_gather, 64, 8, scarce_memory), Way::direct);
  EXPECT_EQ(choose(scan, 3, 8, scarce_memory), Way::steps);
}

TEST(Choice, LongBroadcastsAreSharedWhereMemoryIs) {
  EXPECT_EQ(choose(broadcast, 8, 1 << 20, memory), Way::shared);
  EXPECT_EQ(choose(broadcast, 8, 1 << 20, scarce_memory), Way::shared);
  EXPECT_EQ(choose(broadcast, 8, 1 << 20, network), Way::steps);
  EXPECT_EQ(choose(broadcast, 8, 8, memory), Way::steps);
}

TEST(Choice, LongGathersGoDirectly) {
  EXPECT_EQ(choose(all_gather, 64, 1 << 20, memory), Way::direct);
  EXPECT_EQ(choose(all_gather, 64, 1 << 20, network), Way::direct);
}

}  // namespace
}  // namespace kanor::rt::collectives

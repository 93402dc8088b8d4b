// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

// The `rows`: each number of ranks and of bytes at which another way begins, from both sides.
TEST(Choice, ChangesAtTheNumbersOfItsRows) {
  EXPECT_EQ(choose(broadcast, 2, 16384, memory), Way::direct);
  for (const auto between : {memory, scarce_memory}) {
    EXPECT_EQ(choose(broadcast, 3, 16383, between), Way::direct);
    EXPECT_EQ(choose(broadcast, 3, 16384, between), Way::shared);
    EXPECT_EQ(choose(broadcast, 7, 16383, between), Way::direct);
    EXPECT_EQ(choose(broadcast, 8, 16383, between), Way::steps);
    EXPECT_EQ(choose(broadcast, 8, 16384, between), Way::shared);
    EXPECT_EQ(choose(all_reduce, 1, 8192, between), Way::direct);
    EXPECT_EQ(choose(all_reduce, 2, 8191, between), Way::direct);
    EXPECT_EQ(choose(all_reduce, 2, 8192, between), Way::slices);
    EXPECT_EQ(choose(all_reduce, 7, 8191, between), Way::direct);
  }
  EXPECT_EQ(choose(all_reduce, 8, 8191, memory), Way::steps);
  EXPECT_EQ(choose(all_reduce, 8, 8191, scarce_memory), Way::direct);
  EXPECT_EQ(choose(all_reduce, 2, 8, network), Way::direct);
  EXPECT_EQ(choose(all_reduce, 3, 8, network), Way::steps);
  EXPECT_EQ(choose(broadcast, 3, 8, network), Way::direct);
  EXPECT_EQ(choose(broadcast, 4, 8, network), Way::steps);
  for (const auto kind : {scan, exclusive_scan}) {
    for (const auto between : {memory, network}) {
      EXPECT_EQ(choose(kind, 3, 8, between), Way::direct);
      EXPECT_EQ(choose(kind, 4, 8, between), Way::steps);
    }
    EXPECT_EQ(choose(kind, 2, 8, scarce_memory), Way::direct);
    EXPECT_EQ(choose(kind, 3, 8, scarce_memory), Way::steps);
  }
  EXPECT_EQ(choose(all_gather, 7, 8, memory), Way::direct);
  EXPECT_EQ(choose(all_gather, 8, 1024, memory), Way::steps);
  EXPECT_EQ(choose(all_gather, 8, 1025, memory), Way::direct);
  EXPECT_EQ(choose(all_gather, 3, 8, network), Way::direct);
  EXPECT_EQ(choose(all_gather, 4, 1024, network), Way::steps);
  EXPECT_EQ(choose(all_gather, 4, 1025, network), Way::direct);
}

}  // namespace
}  // namespace kanor::rt::collectives

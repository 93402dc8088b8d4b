// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "collectives/choice.hpp"

#include <gtest/gtest.h>

namespace kanor::rt::collectives {
namespace {

using enum plan::Collective;
using enum Topology;

TEST(Choice, LongReductionsAreMadeInSlicesWhereMemoryIsShared) {
  for (const auto topology : {memory, scarce_memory}) {
    EXPECT_EQ(choose(all_reduce, 2, 1 << 20, topology), Algorithm::slices);
    EXPECT_EQ(choose(all_reduce, 2, 1024, topology), Algorithm::direct);
  }
  EXPECT_EQ(choose(all_reduce, 2, 1 << 20, network), Algorithm::direct);
  EXPECT_EQ(choose(all_reduce, 3, 1 << 20, network), Algorithm::steps);
}

TEST(Choice, TwoSendDirectly) {
  for (const auto kind : {broadcast, all_gather, scan, exclusive_scan})
    for (const auto topology : {memory, scarce_memory, network})
      for (const int size : {1, 2})
        for (const std::size_t bytes : {8, 1 << 20})
          EXPECT_EQ(choose(kind, size, bytes, topology), Algorithm::direct);
}

TEST(Choice, LargeTeamsGoInSteps) {
  for (const auto kind : {broadcast, all_gather, all_reduce, scan, exclusive_scan})
    for (const auto topology : {memory, network}) EXPECT_EQ(choose(kind, 64, 8, topology), Algorithm::steps);
}

TEST(Choice, ScarceCoresMakeStepsDear) {
  EXPECT_EQ(choose(all_reduce, 64, 8, scarce_memory), Algorithm::direct);
  EXPECT_EQ(choose(all_gather, 64, 8, scarce_memory), Algorithm::direct);
  EXPECT_EQ(choose(scan, 3, 8, scarce_memory), Algorithm::steps);
}

TEST(Choice, LongBroadcastsOfFewMembersAreNotSentDirectlyWhereMemoryIsShared) {
  EXPECT_EQ(choose(broadcast, 3, 1 << 20, memory), Algorithm::steps);
  EXPECT_EQ(choose(broadcast, 3, 1 << 20, scarce_memory), Algorithm::star);
  EXPECT_EQ(choose(broadcast, 3, 1 << 20, network), Algorithm::direct);
}

TEST(Choice, LongGathersGoDirectly) {
  EXPECT_EQ(choose(all_gather, 64, 1 << 20, memory), Algorithm::direct);
  EXPECT_EQ(choose(all_gather, 64, 1 << 20, network), Algorithm::direct);
}

// The `rows`: each number of ranks and of bytes at which another algorithm begins, from both sides.
TEST(Choice, ChangesAtTheNumbersOfItsRows) {
  EXPECT_EQ(choose(broadcast, 2, 16384, memory), Algorithm::direct);
  for (const auto topology : {memory, scarce_memory}) {
    EXPECT_EQ(choose(broadcast, 3, 16383, topology), Algorithm::direct);
    const Algorithm of_long = topology == memory ? Algorithm::steps : Algorithm::star;
    EXPECT_EQ(choose(broadcast, 3, 16384, topology), of_long);
    EXPECT_EQ(choose(broadcast, 7, 16383, topology), Algorithm::direct);
    EXPECT_EQ(choose(broadcast, 8, 16383, topology), Algorithm::steps);
    EXPECT_EQ(choose(broadcast, 8, 16384, topology), of_long);
    EXPECT_EQ(choose(all_reduce, 1, 8192, topology), Algorithm::direct);
    EXPECT_EQ(choose(all_reduce, 2, 8191, topology), Algorithm::direct);
    EXPECT_EQ(choose(all_reduce, 2, 8192, topology), Algorithm::slices);
    EXPECT_EQ(choose(all_reduce, 7, 8191, topology), Algorithm::direct);
  }
  EXPECT_EQ(choose(all_reduce, 8, 8191, memory), Algorithm::steps);
  EXPECT_EQ(choose(all_reduce, 8, 8191, scarce_memory), Algorithm::direct);
  EXPECT_EQ(choose(all_reduce, 2, 8, network), Algorithm::direct);
  EXPECT_EQ(choose(all_reduce, 3, 8, network), Algorithm::steps);
  EXPECT_EQ(choose(broadcast, 3, 8, network), Algorithm::direct);
  EXPECT_EQ(choose(broadcast, 4, 8, network), Algorithm::steps);
  for (const auto kind : {scan, exclusive_scan}) {
    for (const auto topology : {memory, network}) {
      EXPECT_EQ(choose(kind, 3, 8, topology), Algorithm::direct);
      EXPECT_EQ(choose(kind, 4, 8, topology), Algorithm::steps);
    }
    EXPECT_EQ(choose(kind, 2, 8, scarce_memory), Algorithm::direct);
    EXPECT_EQ(choose(kind, 3, 8, scarce_memory), Algorithm::steps);
  }
  EXPECT_EQ(choose(all_gather, 7, 8, memory), Algorithm::direct);
  EXPECT_EQ(choose(all_gather, 8, 1024, memory), Algorithm::steps);
  EXPECT_EQ(choose(all_gather, 8, 1025, memory), Algorithm::direct);
  EXPECT_EQ(choose(all_gather, 3, 8, network), Algorithm::direct);
  EXPECT_EQ(choose(all_gather, 4, 1024, network), Algorithm::steps);
  EXPECT_EQ(choose(all_gather, 4, 1025, network), Algorithm::direct);
}

}  // namespace
}  // namespace kanor::rt::collectives

#include "collectives/choice.hpp"

#include <gtest/gtest.h>

namespace kanor::rt::collectives {
namespace {

using enum plan::Collective;

TEST(Choice, SmallTeamsSendDirectly) {
  for (const auto kind : {broadcast, all_gather, all_reduce, scan, exclusive_scan})
    for (const int size : {1, 2}) EXPECT_EQ(choose(kind, size, 8, true), Way::direct);
}

TEST(Choice, LargeTeamsGoInSteps) {
  for (const auto kind : {broadcast, all_gather, all_reduce, scan, exclusive_scan})
    for (const bool shared : {false, true}) EXPECT_EQ(choose(kind, 64, 8, shared), Way::steps);
}

TEST(Choice, LongBroadcastsAreSharedWhereMemoryIs) {
  EXPECT_EQ(choose(broadcast, 8, 1 << 20, true), Way::shared);
  EXPECT_EQ(choose(broadcast, 8, 1 << 20, false), Way::steps);
  EXPECT_EQ(choose(broadcast, 2, 1 << 20, true), Way::direct);
}

TEST(Choice, LongGathersGoDirectly) {
  EXPECT_EQ(choose(all_gather, 64, 1 << 20, true), Way::direct);
  EXPECT_EQ(choose(all_reduce, 64, 1 << 20, true), Way::steps);
}

}  // namespace
}  // namespace kanor::rt::collectives

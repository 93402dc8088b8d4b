// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchange/peer_index.hpp"

#include <gtest/gtest.h>

namespace kanor::rt {
namespace {

TEST(PeerIndex, KeepsThePositionFirstGiven) {
  PeerIndex index;
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(index.find_or_add(i * 7919, i), PeerIndex::none);
  for (int i = 999; i >= 0; --i) EXPECT_EQ(index.find_or_add(i * 7919, -5), i);
}

TEST(PeerIndex, ForgetsWhenCleared) {
  PeerIndex index;
  for (int round = 0; round < 100; ++round) {
    for (int i = round; i < round + 5; ++i) EXPECT_EQ(index.find_or_add(i, i + round), PeerIndex::none);
    for (int i = round; i < round + 5; ++i) EXPECT_EQ(index.find_or_add(i, 0), i + round);
    index.clear();
  }
}

}  // namespace
}  // namespace kanor::rt

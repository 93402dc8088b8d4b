// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/peer_counts.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace kanor::rt {
namespace {

TEST(PeerCounts, CountForEachRankApart) {
  PeerCounts counts;
  EXPECT_EQ(counts.of(0), 0u);
  EXPECT_EQ(counts.most(), 0u);
  std::map<int, std::size_t> wanted;
  std::mt19937 random(3);
  for (int i = 0; i < 5000; ++i) {
    const int rank = static_cast<int>(random() % 1000) * 4096;
    counts[rank] += static_cast<std::size_t>(i);
    wanted[rank] += static_cast<std::size_t>(i);
  }
  std::size_t most = 0;
  for (const auto& [rank, count] : wanted) {
    EXPECT_EQ(counts.of(rank), count);
    EXPECT_EQ(counts.of(rank + 1), 0u);
    most = std::max(most, count);
  }
  EXPECT_EQ(counts.most(), most);
}

TEST(PeerCounts, TakeMemoryForThoseInUse) {
  PeerCounts counts;
  for (const int rank : {0, 999999, 12345, 999999}) ++counts[rank];
  EXPECT_EQ(counts.of(999999), 2u);
  EXPECT_LE(counts.bytes(), 256u);
}

}  // namespace
}  // namespace kanor::rt

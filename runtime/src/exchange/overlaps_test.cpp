// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchange/overlaps.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace kanor::rt {
namespace {

char storage[200];

using Found = std::optional<std::pair<std::size_t, std::size_t>>;

TEST(Overlaps, FindsTwoOwnersThatMeet) {
  Overlaps overlaps;
  overlaps.add(4, storage + 10, 10, 1, 0);
  overlaps.add(2, storage + 20, 5, 1, 0);
  EXPECT_EQ(overlaps.find(), std::nullopt);
  overlaps.add(7, storage + 19, 1, 1, 0);
  EXPECT_EQ(overlaps.find(), Found({4, 7}));
}

TEST(Overlaps, LetsOneOwnerMeetItself) {
  Overlaps overlaps;
  overlaps.add(1, storage, 10, 1, 0);
  overlaps.add(1, storage + 5, 10, 1, 0);
  EXPECT_EQ(overlaps.find(), std::nullopt);
}

TEST(Overlaps, LooksBetweenStridedPieces) {
  Overlaps overlaps;
  overlaps.add(1, storage, 4, 10, 8);
  overlaps.add(2, storage + 4, 4, 10, 8);
  EXPECT_EQ(overlaps.find(), std::nullopt);
  overlaps.add(3, storage + 79, 1, 1, 0);
  EXPECT_EQ(overlaps.find(), Found({2, 3}));
}

TEST(Overlaps, AgreesWithCountingBytes) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    Overlaps overlaps;
    std::map<const char*, std::size_t> owner_of;
    bool meets = false;
    for (std::size_t owner = 0; owner < 5; ++owner)
      for (int piece = 0; piece < 2; ++piece) {
        const std::size_t bytes = 1 + random() % 6, count = 1 + random() % 3, stride = bytes + random() % 4;
        const char* const begin = storage + random() % 150;
        overlaps.add(owner, begin, bytes, count, stride);
        for (std::size_t i = 0; i < count; ++i)
          for (std::size_t at = 0; at < bytes; ++at) {
            const auto [found, is_new] = owner_of.emplace(begin + i * stride + at, owner);
            meets = meets || (!is_new && found->second != owner);
          }
      }
    EXPECT_EQ(overlaps.find().has_value(), meets);
  }
}

}  // namespace
}  // namespace kanor::rt

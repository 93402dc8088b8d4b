// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/detour.hpp"

#include <gtest/gtest.h>

#include "layout/test_bytes.hpp"

namespace kanor::rt {
namespace {

int trials(Detour& detour, int copies, std::uint64_t direct, std::uint64_t by_detour) {
  int tried = 0;
  for (int i = 0; i < copies; ++i) {
    if (!detour.is_tried_now()) continue;
    ++tried;
    detour.note(direct, by_detour);
  }
  return tried;
}

TEST(Detour, IsTakenWhereItIsFaster) {
  Detour detour;
  EXPECT_FALSE(detour.is_faster());
  EXPECT_EQ(trials(detour, 8, 100, 60), 8);
  EXPECT_TRUE(detour.is_faster());
  EXPECT_EQ(trials(detour, 640, 100, 60), 10);
  EXPECT_TRUE(detour.is_faster());
}

TEST(Detour, IsGivenUpWhenThatChanges) {
  Detour detour;
  trials(detour, 100, 100, 40);
  trials(detour, 64, 100, 80);
  EXPECT_TRUE(detour.is_faster()) << "one trial is not enough";
  trials(detour, 10 * 64, 100, 80);
  EXPECT_FALSE(detour.is_faster()) << "it has to be clearly faster";
  trials(detour, 10 * 64, 1000, 100);
  EXPECT_TRUE(detour.is_faster());
}

TEST(Detour, HalvesTakeTurns) {
  Detour detour;
  const bool first = detour.begins();
  trials(detour, 1, 1, 1);
  EXPECT_NE(detour.begins(), first);
}

/// Both ways, and the way that chooses, copy the same.
TEST(Detour, CopiesTheSame) {
  for (const std::size_t bytes : {1, 3, 8, 12, 200, 511, 512})
    for (const std::size_t count : {1, 2, 3, 40, 41, 2000})
      for (const bool packs : {true, false}) {
        const std::size_t stride = bytes + 5;
        const Bytes source = counted(count * stride);
        Bytes expected(count * stride), by_detour(count * stride), chosen(count * stride);
        const auto row = [&](const Bytes& memory, bool has_gaps) {
          return BlockRow{reinterpret_cast<std::uintptr_t>(memory.data()),
                          static_cast<std::ptrdiff_t>(has_gaps ? stride : bytes), nullptr, count, bytes};
        };
        const BlockRow from = row(source, packs);
        copy_directly(row(expected, !packs), from, count);
        copy_by_detour(row(by_detour, !packs), from, count);
        EXPECT_EQ(by_detour, expected) << bytes << " bytes, " << count;
        for (int turn = 0; turn < 12; ++turn) {  // more than are tried in both ways
          chosen.assign(chosen.size(), std::byte(0));
          copy_to_or_from_message(row(chosen, !packs), from, count);
          ASSERT_EQ(chosen, expected) << bytes << " bytes, " << count;
        }
      }
}

}  // namespace
}  // namespace kanor::rt

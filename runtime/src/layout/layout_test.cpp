// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/layout.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "layout/test_bytes.hpp"

namespace kanor::rt {
namespace {

/// The offsets of the bytes of an element, in the order in which they are packed; the first byte is `first`.
std::vector<std::size_t> order(const Layout& layout, std::size_t room, std::size_t at,
                               std::size_t count = 1) {
  const Bytes memory = counted(room);
  Bytes packed(layout.bytes() * count);
  layout.pack(packed.data(), memory.data() + at, count);
  std::vector<std::size_t> offsets;
  for (const std::byte byte : packed) offsets.push_back(static_cast<std::size_t>(byte) - 1);
  return offsets;
}

TEST(Layout, KeepsTheOrderOfItsParts) {
  const Layout two = Layout::block(2, 2);
  const std::vector<Layout::Part> parts = {{6, &two}, {0, &two}, {6, &two}};
  const Layout made = Layout::sequence(parts, false);
  EXPECT_EQ(made.bytes(), 6u);
  EXPECT_EQ(made.extent(), 8);
  EXPECT_EQ(order(made, 8, 0), (std::vector<std::size_t>{6, 7, 0, 1, 6, 7}));
  EXPECT_FALSE(made.is_block());
  EXPECT_FALSE(made.pieces(1));
}

TEST(Layout, HasNegativeOffsetsAndStrides) {
  const Layout made = Layout::block(2, 2).repeated(3, -4);
  EXPECT_EQ(made.lower(), -8);
  EXPECT_EQ(made.upper(), 2);
  EXPECT_EQ(made.first_of(2), -8);
  EXPECT_EQ(made.last_of(2), 12);
  EXPECT_EQ(order(made, 12, 10), (std::vector<std::size_t>{10, 11, 6, 7, 2, 3}));
  Bytes memory(12);
  const Bytes packed = counted(6);
  made.unpack(memory.data() + 10, packed.data(), 3);
  EXPECT_EQ(memory[10], packed[0]);
  EXPECT_EQ(memory[6], packed[2]);
  EXPECT_EQ(memory[7], std::byte(0));
}

TEST(Layout, IsOneBlockWhereItsPartsMeet) {
  const Layout four = Layout::block(4, 4);
  EXPECT_TRUE(four.repeated(5).is_block());
  EXPECT_TRUE(four.repeated(2).repeated(3).is_block());
  const std::vector<Layout::Part> parts = {{0, &four}, {4, &four}};
  EXPECT_TRUE(Layout::sequence(parts, true).is_block());
  EXPECT_FALSE(four.resized(0, 8).is_block());
  EXPECT_TRUE(four.resized(-4, 4).repeated(2).is_block());
  const Bytes memory(16);
  EXPECT_EQ(four.resized(0, 8).only_block(memory.data(), 1), memory.data());
  EXPECT_EQ(four.resized(0, 8).only_block(memory.data(), 2), nullptr);
}

TEST(Layout, BoundsThatTheProgramHasSetCountMore) {
  const Layout resized = Layout::block(4, 4).resized(-2, 20), plain = Layout::block(8, 8);
  const std::vector<Layout::Part> parts = {{-16, &plain}, {0, &resized}, {100, &plain}};
  const Layout made = Layout::sequence(parts, true);
  EXPECT_EQ(made.lower(), -2);
  EXPECT_EQ(made.upper(), 18);
  EXPECT_EQ(made.first(), -16);
  EXPECT_EQ(made.last(), 108);
  const Layout low = Layout::lower_marker(), high = Layout::upper_marker();
  const std::vector<Layout::Part> marked = {{-8, &low}, {0, &plain}, {32, &high}};
  EXPECT_EQ(Layout::sequence(marked, true).lower(), -8);
  EXPECT_EQ(Layout::sequence(marked, true).extent(), 40);
}

TEST(Layout, IsPaddedToItsAlignment) {
  const Layout number = Layout::block(8, 8), letter = Layout::block(1, 1);
  const std::vector<Layout::Part> parts = {{0, &number}, {8, &letter}};
  EXPECT_EQ(Layout::sequence(parts, true).extent(), 16);
  EXPECT_EQ(Layout::sequence(parts, false).extent(), 9);
}

// Of few runs and of more: most_inlined.
TEST(Layout, NestsPackLikeTheirRuns) {
  // Columns of a matrix of 3 rows and 4 columns of two bytes, one after the other, by a resized column.
  const Layout column = Layout::block(2, 2).repeated(3, 8).resized(0, 2);
  const std::vector<std::size_t> expected = {0, 1, 8, 9, 16, 17, 2, 3, 10, 11, 18, 19};
  EXPECT_EQ(order(column, 24, 0, 2), expected);
  EXPECT_EQ(order(column.repeated(2), 24, 0), expected);
  EXPECT_FALSE(column.pieces(2));
  ASSERT_TRUE(column.pieces(1));
  EXPECT_EQ(column.pieces(1)->pieces(), (std::vector<Piece>{{0, 2}, {8, 2}, {16, 2}}));
  Bytes memory(24), back(12);
  const Bytes packed = counted(12);
  column.repeated(2).unpack(memory.data(), packed.data(), 12);
  column.pack(back.data(), memory.data(), 2);
  EXPECT_EQ(back, packed);
  const Layout long_one = Layout::sequence(
      std::vector<Layout::Part>{{0, &column}, {2, &column}, {4, &column}, {6, &column}}, false);
  Bytes part(24);
  long_one.unpack(part.data(), packed.data(), 9);
  EXPECT_EQ(part[10], packed[8]);
  EXPECT_EQ(part[11], std::byte(0));
  EXPECT_EQ(part[3], packed[7]);
}

// most_bytes and most_reach.
TEST(Layout, RefusesWhatNoMemoryHas) {
  const Layout large = Layout::block(std::size_t{1} << 40, 1);
  EXPECT_THROW(large.repeated(1 << 20), std::overflow_error);
  EXPECT_THROW(Layout::block(1, 1).repeated(3, std::ptrdiff_t{1} << 62), std::overflow_error);
}

}  // namespace
}  // namespace kanor::rt

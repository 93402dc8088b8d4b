// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/pieces.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "layout/test_bytes.hpp"

namespace kanor::rt {
namespace {

TEST(Pieces, AreAscendingAndApart) {
  const Pieces column = Pieces::block(4).repeated(3, 20);
  EXPECT_EQ(column.pieces(), (std::vector<Piece>{{0, 4}, {20, 4}, {40, 4}}));
  EXPECT_EQ(column.bytes(), 12u);
  EXPECT_EQ(column.extent_bytes(), 44u);
  EXPECT_EQ(column.reach_bytes(2), 88u);
  EXPECT_FALSE(column.is_block());
  const Pieces row = Pieces::block(4).repeated(5, 4);
  EXPECT_EQ(row.pieces(), (std::vector<Piece>{{0, 20}}));
  EXPECT_TRUE(row.is_block());
  EXPECT_TRUE(Pieces::block(0).repeated(3, 8).pieces().empty());
  EXPECT_EQ(Pieces::block(8).repeated(0, 8).reach_bytes(5), 0u);
}

TEST(Pieces, PackAndUnpack) {
  const Pieces columns = Pieces::block(2).repeated(3, 10);
  const Bytes matrix = counted(80);
  Bytes packed(12), other(80);
  columns.pack(packed.data(), matrix.data(), 2);
  EXPECT_EQ(packed[0], matrix[0]);
  EXPECT_EQ(packed[3], matrix[11]);
  EXPECT_EQ(packed[6], matrix[22]);
  EXPECT_EQ(packed[11], matrix[43]);
  columns.unpack(other.data(), packed.data(), 12);
  for (std::size_t i = 0; i < 80; ++i) {
    const std::size_t in = i % 22;
    EXPECT_EQ(other[i], i < 44 && in % 10 < 2 ? matrix[i] : std::byte(0)) << i;
  }
  Bytes part(80);
  columns.unpack(part.data(), packed.data(), 5);
  EXPECT_EQ(part[20], matrix[20]);
  EXPECT_EQ(part[21], std::byte(0));
}

TEST(Pieces, HaveTheSameSignatureHoweverTheyWereMade) {
  const Pieces three = Pieces::block(8).repeated(3, 8), one = Pieces::block(8);
  EXPECT_EQ(three.signature(2), one.signature(6));
  EXPECT_NE(three.signature(2), one.signature(7));
  const Pieces wide = Pieces::block(8).repeated(4, 32), narrow = Pieces::block(8).repeated(4, 24);
  EXPECT_NE(wide.signature(1), narrow.signature(1));
  EXPECT_NE(wide.signature(1), Pieces::block(8).repeated(3, 32).signature(1));
  EXPECT_EQ(Pieces::block(4).repeated(2, 4).repeated(4, 32).signature(1), wide.signature(1));
}

}  // namespace
}  // namespace kanor::rt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/source.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace kanor::text {
namespace {

TEST(Source, LinesAndColumnsAreCountedFromOne) {
  const Source source("a.cpp", "ab\n\ncde");
  const LineColumn expected[] = {{1, 1}, {1, 2}, {1, 3}, {2, 1}, {3, 1}, {3, 2}, {3, 3}, {3, 4}};
  for (std::uint32_t offset = 0; offset < 8; ++offset) {
    EXPECT_EQ(source.line_column(offset).line, expected[offset].line);
    EXPECT_EQ(source.line_column(offset).column, expected[offset].column);
    EXPECT_EQ(source.line(offset), expected[offset].line);
  }
  EXPECT_EQ(source.line_count(), 3u);
}

TEST(Source, OffsetsPastTheEndAreTheEnd) {
  const Source source("a.cpp", "ab\n");
  EXPECT_EQ(source.line_column(100).line, 2u);
  EXPECT_EQ(source.line_column(100).column, 1u);
}

TEST(Source, AnEmptyFileHasOneLine) {
  const Source source("a.cpp", "");
  EXPECT_EQ(source.line_count(), 1u);
  EXPECT_EQ(source.line_column(0).column, 1u);
  EXPECT_EQ(source.line_text(1), "");
}

TEST(Source, LineTextHasNoLineEnd) {
  const Source source("a.cpp", "unix\nwindows\r\n\r\nlast");
  EXPECT_EQ(source.line_text(1), "unix");
  EXPECT_EQ(source.line_text(2), "windows");
  EXPECT_EQ(source.line_text(3), "");
  EXPECT_EQ(source.line_text(4), "last");
  EXPECT_EQ(source.line_text(0), "");
  EXPECT_EQ(source.line_text(5), "");
}

TEST(Source, LineBegin) {
  const Source source("a.cpp", "ab\ncd");
  EXPECT_EQ(source.line_begin(1), 0u);
  EXPECT_EQ(source.line_begin(2), 3u);
  EXPECT_THROW(source.line_begin(3), std::out_of_range);
}

TEST(Source, TextOfASpan) {
  const Source source("a.cpp", std::string("a\0bc", 4));
  EXPECT_EQ(source.text({1, 3}), std::string_view("\0b", 2));
  EXPECT_EQ(source.text({4, 4}), "");
}

TEST(Span, Contains) {
  EXPECT_TRUE((Span{2, 5}.contains({2, 5})));
  EXPECT_TRUE((Span{2, 5}.contains({3, 3})));
  EXPECT_FALSE((Span{2, 5}.contains({1, 3})));
  EXPECT_FALSE((Span{2, 5}.contains({4, 6})));
  EXPECT_TRUE((Span{2, 2}.empty()));
}

}  // namespace
}  // namespace kanor::text

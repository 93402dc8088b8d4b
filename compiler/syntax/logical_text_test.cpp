// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/logical_text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace kanor::syntax {
namespace {

TEST(LogicalText, WithoutSplicesIsTheFileItself) {
  const std::string bytes = "a\\b\\ c\n\\";
  const LogicalText text(bytes);
  EXPECT_EQ(text.text().data(), bytes.data());
  EXPECT_EQ(text.original(3), 3u);
  EXPECT_EQ(text.logical(8), 8u);
}

TEST(LogicalText, JoinsLinesAndMapsBothWays) {
  const LogicalText text("ab\\\ncd\\ \t\r\n\\\nef");
  EXPECT_EQ(text.text(), "abcdef");
  const std::uint32_t originals[] = {0, 1, 4, 5, 13, 14, 15};
  for (std::uint32_t i = 0; i <= 6; ++i) {
    EXPECT_EQ(text.original(i), originals[i]);
    EXPECT_EQ(text.logical(originals[i]), i);
  }
  for (std::uint32_t inside = 6; inside < 13; ++inside) EXPECT_EQ(text.logical(inside), 4u);
}

TEST(LogicalText, SpansDoNotTakeTheSpliceBehindThem) {
  const LogicalText text("ab\\\ncd");
  EXPECT_EQ(text.original(text::Span{0, 2}), (text::Span{0, 2}));
  EXPECT_EQ(text.original(text::Span{1, 3}), (text::Span{1, 5}));
  EXPECT_EQ(text.original(text::Span{2, 2}), (text::Span{4, 4}));
}

TEST(LogicalText, SplicesAtTheEnds) {
  const LogicalText text("\\\na\\\n");
  EXPECT_EQ(text.text(), "a");
  EXPECT_EQ(text.original(0), 2u);
  EXPECT_EQ(text.original(1), 5u);
  EXPECT_EQ(text.logical(0), 0u);
  EXPECT_EQ(text.logical(5), 1u);
}

TEST(LogicalText, RawStrings) {
  const auto end = [](const std::string& bytes) {
    const LogicalText text(bytes);
    return raw_string_end(text, static_cast<std::uint32_t>(text.text().find('"')));
  };
  EXPECT_EQ(end("R\"(a\"b)\" c").logical, 8u);
  EXPECT_TRUE(end("R\"x()\" )x\"").closed);
  EXPECT_EQ(end("R\"x()\" )x\"").logical, 10u);
  EXPECT_FALSE(end("R\"x(a)\"").closed);
  EXPECT_EQ(end("R\"x(a)\"").logical, 7u);
  EXPECT_FALSE(end("R\"a b(c)a b\"").closed);
  EXPECT_FALSE(end("R\"12345678901234567()12345678901234567\"").closed);
  EXPECT_EQ(end("R\"(\\\n)\" c").logical, 5u);  // the splice was removed, and is back in the file
}

}  // namespace
}  // namespace kanor::syntax

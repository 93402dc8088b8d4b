// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/text.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <limits>
#include <string>

namespace kanor::rt {
namespace {

TEST(ParseInteger, TakesWholeNumbersOnly) {
  EXPECT_EQ(parse_integer("4"), 4);
  EXPECT_EQ(parse_integer("-3"), -3);
  for (const char* bad : {"", "abc", "4x", " 4", "4 ", "+4", "0x4", "4.0", "99999999999999999999"})
    EXPECT_FALSE(parse_integer(bad)) << bad;
}

TEST(ParseBytes, KnowsSuffixes) {
  EXPECT_EQ(parse_bytes("0"), 0u);
  EXPECT_EQ(parse_bytes("4096"), 4096u);
  EXPECT_EQ(parse_bytes("2k"), 2048u);
  EXPECT_EQ(parse_bytes("64M"), std::size_t{64} << 20);
  EXPECT_EQ(parse_bytes("3g"), std::size_t{3} << 30);
  for (const char* bad : {"", "K", "-1", "1KB", "1.5M", "9000000000T"}) EXPECT_FALSE(parse_bytes(bad)) << bad;
}

TEST(Line, SpellsNumbersAndStaysOneLine) {
  Line line;
  line.text("a\nb ").number(0).text(" ").number(std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(line.view(), "a b 0 -9223372036854775808");
}

TEST(Line, CutsWhatDoesNotFitAndWritesOnce) {
  Line line;
  line.text(std::string(5000, 'x'));
  EXPECT_EQ(line.view().size(), 1000u);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  line.write_to(ends[1]);
  char back[2000];
  EXPECT_EQ(::read(ends[0], back, sizeof back), 1001);
  EXPECT_EQ(back[1000], '\n');
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace kanor::rt

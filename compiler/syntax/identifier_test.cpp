// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/identifier.hpp"

#include <gtest/gtest.h>

namespace kanor::syntax {
namespace {

TEST(Identifier, PlainAndUtf8NamesAreThemselves) {
  EXPECT_EQ(identifier_name("name_1$"), "name_1$");
  EXPECT_EQ(identifier_name("größe"), "größe");
}

TEST(Identifier, UniversalNamesBecomeUtf8) {
  EXPECT_EQ(identifier_name("a\\u0041b"), "aAb");
  EXPECT_EQ(identifier_name("\\u00e9"), "é");
  EXPECT_EQ(identifier_name("\\u20AC"), "€");
  EXPECT_EQ(identifier_name("\\U0001F600"), "😀");
  EXPECT_EQ(identifier_name("\\u{1F600}\\u{e9}"), "😀é");
}

TEST(Identifier, WhatIsNoCharacterStaysAsItIsSpelled) {
  EXPECT_EQ(identifier_name("\\N{LATIN SMALL LETTER E WITH ACUTE}"), "\\N{LATIN SMALL LETTER E WITH ACUTE}");
  EXPECT_EQ(identifier_name("\\U00110000"), "\\U00110000");
  EXPECT_EQ(identifier_name("\\u{123456789}"), "\\u{123456789}");
}

}  // namespace
}  // namespace kanor::syntax

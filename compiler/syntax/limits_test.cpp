// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long and hostile files: time and memory must stay linear. Each input is sized so that anything quadratic
// would take minutes.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>

#include "syntax/syntax.hpp"

namespace kanor::syntax {
namespace {

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

/// Parses, and says how many blocks and messages there were.
std::pair<std::size_t, std::size_t> counts(const std::string& code) {
  const auto start = std::chrono::steady_clock::now();
  const text::Source source("test.cpp", code);
  text::Diagnostics diagnostics;
  const auto ast = parse(source, {}, diagnostics);
  verify(ast);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  return {ast.blocks.size(), diagnostics.all().size()};
}

using Counts = std::pair<std::size_t, std::size_t>;
constexpr int many = 20000;

TEST(Limits, ManyBlocks) {
  EXPECT_EQ(counts(repeated("@communicate { a@0 <<= b@1 }\n", 2000)), (Counts{2000, 0}));
}

TEST(Limits, ManyStatements) {
  EXPECT_EQ(counts("@communicate {" + repeated(" a@0 <<= b@1;", 5000) + "}"), (Counts{1, 0}));
}

TEST(Limits, ManyNamesWithoutIn) {
  EXPECT_EQ(counts("@communicate { a@0 <<= b@1 where " + repeated("x, ", many) + "y }"), (Counts{1, 0}));
}

TEST(Limits, LongExpression) {
  EXPECT_EQ(counts("@communicate { a@0 <<= 1" + repeated(" + (x)", many) + "@1 }"), (Counts{1, 0}));
}

TEST(Limits, DottedNumbers) {
  EXPECT_EQ(counts("@communicate { a@0 <<= b@1 where i in {" + repeated("1...", many) + "} }"),
            (Counts{0, 1}));
}

TEST(Limits, OpenBrackets) {
  EXPECT_EQ(counts("@communicate " + repeated("{[(", 10 * many)), (Counts{0, 1}));
  EXPECT_EQ(counts("@communicate {" + repeated("[)", 10 * many)), (Counts{0, 1}));
  EXPECT_EQ(counts("@communicate {" + repeated("(", 10 * many) + repeated(")", 10 * many) + "}"),
            (Counts{0, 1}));
}

TEST(Limits, UnterminatedLiterals) {
  EXPECT_EQ(counts(repeated("@communicate { \"\n", many)), (Counts{0, many}));
  EXPECT_EQ(counts(repeated("@communicate { R\"(\n", many)), (Counts{0, 1}));
  EXPECT_EQ(counts(repeated("R\"x\n", many) + "@communicate"), (Counts{0, 1}));
  EXPECT_EQ(counts("@communicate { " + repeated("/* * ", 10 * many)), (Counts{0, 1}));
}

TEST(Limits, WordsWithoutBlocks) {
  EXPECT_EQ(counts(repeated("@communicate ", many)).first, 0u);
  EXPECT_EQ(counts(repeated("KANOR_COMMUNICATE ", many)).first, 0u);
}

TEST(Limits, SplicesAndForeignBytes) {
  EXPECT_EQ(counts("@communicate {" + repeated("\\\n", 10 * many) + "a@0 <<= b@1 }"), (Counts{1, 0}));
  EXPECT_EQ(counts("@communicate { a@0 <<= b@1 /* " + repeated("\xC3\xA9\xFF", 10 * many) + " */ }"),
            (Counts{1, 0}));
  EXPECT_EQ(counts("@communicate { a@0 <<= " + repeated("\xFF", 10 * many) + "@1 }"), (Counts{1, 0}));
}

}  // namespace
}  // namespace kanor::syntax

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "syntax/syntax.hpp"

namespace kanor::syntax {
namespace {

/// The lines on which blocks were found.
std::vector<unsigned> block_lines(const std::string& code, const std::vector<Span>& inactive = {}) {
  const text::Source source("test.cpp", code);
  text::Diagnostics diagnostics;
  const auto ast = parse(source, inactive, diagnostics);
  verify(ast);
  EXPECT_TRUE(diagnostics.all().empty());
  std::vector<unsigned> lines;
  for (const auto& block : ast.blocks) lines.push_back(source.line(block.span.begin));
  return lines;
}

Span span_of(const std::string& code, const std::string& first, const std::string& last) {
  const auto begin = code.find(first);
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(code.find(last, begin))};
}

using Lines = std::vector<unsigned>;
const std::string block = "@communicate { a@0 <<= b@1 }\n";

TEST(Finder, FindsBothSpellingsInOrder) {
  EXPECT_EQ(block_lines("\n" + block + "KANOR_COMMUNICATE(a@0 <<= b@1);\n@\n/* a */ communicate{a@0<<=b@1}"),
            (Lines{2, 3, 4}));
}

TEST(Finder, WordsThatOnlyLookAlike) {
  EXPECT_EQ(
      block_lines("communicate { } @communicator_of { } @ my_communicate { } x = KANOR_COMMUNICATED(1); "
                  "MY_KANOR_COMMUNICATE(2)"),
      Lines{});
}

TEST(Finder, CommentsAndLiteralsHideBlocks) {
  EXPECT_EQ(block_lines("// " + block + "// \\\n" + block + "/*\n" + block + "*/ auto s = \"\\\"" +
                        "@communicate {\";\n" + block),
            Lines{7});
  EXPECT_EQ(block_lines("char c = '\"'; int n = 0x1'0 + 1'000; auto d = '\\'';\n" + block), Lines{2});
  EXPECT_EQ(
      block_lines("auto s = R\"a(\" @communicate { )b\" )a\"; auto t = u8R\"(\n" + block + ")\";\n" + block),
      Lines{4});
  EXPECT_EQ(block_lines("auto s = FooR\"(\"; auto t = \")\";\n" + block), Lines{2});
}

TEST(Finder, ASuffixIsNoRawStringPrefix) {
  EXPECT_EQ(block_lines("auto s = \"a\"R\"(\";\n" + block), Lines{2});
}

TEST(Finder, AnUnterminatedLiteralEndsWithItsLine) {
  EXPECT_EQ(block_lines("#error don't\nit's \"\n" + block), Lines{3});
}

TEST(Finder, RawStringWithSplicesKeepsTheOffsets) {
  const std::string code = "auto s = R\"(\\\n\\\n)\"; int \\\n x;\n" + block;
  const text::Source source("test.cpp", code);
  text::Diagnostics diagnostics;
  const auto ast = parse(source, {}, diagnostics);
  ASSERT_EQ(ast.blocks.size(), 1u);
  EXPECT_EQ(source.text(ast.blocks[0].span), block.substr(0, block.size() - 1));
}

TEST(Finder, DirectivesOtherThanDefinitionsAreNoPlaceForBlocks) {
  EXPECT_EQ(block_lines("#ifdef KANOR_COMMUNICATE\n#undef KANOR_COMMUNICATE\n#endif\n#error @communicate { "
                        "\\\n @communicate\n"
                        "#if KANOR_COMMUNICATE(1)\n#endif\n" +
                        block),
            Lines{8});
}

TEST(Finder, TheMacrosOwnDefinitionIsNoBlock) {
  EXPECT_EQ(block_lines("#define KANOR_COMMUNICATE(...) \\\n static_assert(false, \"@communicate\")\n"
                        " # define /**/ KANOR_COMMUNICATE(...) KANOR_COMMUNICATE(x)\n" +
                        block),
            Lines{4});
}

TEST(Finder, HashInALineIsNoDirective) { EXPECT_EQ(block_lines("x # define Y " + block), Lines{1}); }

TEST(Finder, InactiveGroupsAreIgnored) {
  const std::string code = "#if 0\n@communicate { don't\n#define X @communicate {}\nR\"(\n#endif\n" + block +
                           "#if 1\n#else\n KANOR_COMMUNICATE(;\n#endif\n" + block;
  const auto first = span_of(code, "#if 0", "#endif");
  const auto second = span_of(code, "#else", "#endif");
  EXPECT_EQ(block_lines(code, {second, first}), (Lines{6, 11}));
}

TEST(Finder, InactiveGroupsInADirectivesMiddle) {
  const std::string code = "#if 0\n@communicate {\n#else\n" + block + "#endif\n";
  EXPECT_EQ(block_lines(code, {span_of(code, "0\n", "else")}), Lines{4});
  EXPECT_EQ(block_lines(code, {span_of(code, "0\n", "#else")}), Lines{4});
}

TEST(Finder, InactiveGroupsAfterSplices) {
  const std::string code = "int \\\n\\\n x;\n#if 0\n@communicate {\n#endif\n" + block;
  EXPECT_EQ(block_lines(code, {span_of(code, "#if", "#endif")}), Lines{7});
}

TEST(Finder, GoesOnAfterABlockWithAMistake) {
  const text::Source source("test.cpp",
                            "@communicate { a[(0@0 <<= b@1 }\n" + block + "KANOR_COMMUNICATE(a; }\n" + block);
  text::Diagnostics diagnostics;
  EXPECT_EQ(parse(source, {}, diagnostics).blocks.size(), 2u);
  EXPECT_EQ(diagnostics.error_count(), 2u);
}

TEST(Finder, BlocksInsideABlockAreNotFoundAgain) {
  const text::Source source("test.cpp", "@communicate { a@0 <<= [&] { @communicate { } }()@1 }\n" + block);
  text::Diagnostics diagnostics;
  EXPECT_EQ(parse(source, {}, diagnostics).blocks.size(), 1u);
  EXPECT_EQ(diagnostics.error_count(), 1u);
}

}  // namespace
}  // namespace kanor::syntax

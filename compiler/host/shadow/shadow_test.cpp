// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/shadow/shadow.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "host/shadow/attributes.hpp"
#include "syntax/syntax.hpp"

namespace kanor::host {
namespace {

class ShadowTest : public testing::Test {
 protected:
  const Shadow& make(const std::string& bytes) {
    DiscoveredFile file;
    file.source = std::make_unique<text::Source>("a.cpp", bytes);
    file.is_main = true;
    asts_.push_back(syntax::parse(*file.source, {}, diagnostics_));
    EXPECT_FALSE(diagnostics_.has_errors());
    discovery_.files.push_back(std::move(file));
    shadows_ = make_shadows(discovery_, asts_);
    EXPECT_EQ(shadows_.size(), 1u);
    verify(shadows_.at(0));
    return shadows_.at(0);
  }

  text::Diagnostics diagnostics_;
  Discovery discovery_;
  std::vector<syntax::Ast> asts_;
  std::vector<Shadow> shadows_;
};

std::string blanked(std::string bytes) {
  for (const Attribute& attribute : find_attributes(bytes))
    for (auto at = attribute.blank.begin; at < attribute.blank.end; ++at) bytes[at] = ' ';
  return bytes;
}

TEST_F(ShadowTest, AnAssignmentIsOneStatement) {
  EXPECT_EQ(make("void f() {\n  @communicate { x@i <<= y + 1@0 where i in world }\n}\n").text,
            "void f() {\n  do { for (const auto i : ::kanor_shadow::kanor_each(world)) "
            "{ (void)(i); (void)(0); (void)(x); (void)(y + 1); } } while (false);\n}\n");
}

TEST_F(ShadowTest, EveryFormOfClauseNestsWhatFollows) {
  EXPECT_EQ(make("KANOR_COMMUNICATE(x@b << max << y@0 where i, j in {0 ... 3}, let b = i + j, (b > 2), k in "
                 "{1, 7});")
                .text,
            "do { for (const auto i : ::kanor_shadow::kanor_list(0, 3)) if (const auto j = i; true) "
            "if (const auto b = i + j; true) { (void)((b > 2)); for (const auto k : "
            "::kanor_shadow::kanor_list(1, 7)) "
            "{ (void)(b); (void)(0); (void)(x); (void)(y); } } } while (false);");
}

TEST_F(ShadowTest, ACallableIsCalledWithOpenTypes) {
  EXPECT_EQ(make("@communicate { x@0 << std::max << y@0 }").text,
            "do { { (void)(0); (void)(0); (void)(x); (void)(y); (void)[&](const auto& kanor_a, const auto& "
            "kanor_b) "
            "{ (void)(std::max)(kanor_a, kanor_b); }; } } while (false);");
}

TEST_F(ShadowTest, ACallableThatIsNoNameStandsOnItsOwn) {
  EXPECT_EQ(make("@communicate { x@0 << [](int a, int b) { return a; } << y@0 }").text,
            "do { { (void)(0); (void)(0); (void)(x); (void)(y); (void)([](int a, int b) { return a; }); } } "
            "while (false);");
}

TEST_F(ShadowTest, LinesStayAndOffsetsMapBack) {
  const std::string bytes =
      "@communicate { // why\n  x@0\n    <<= f(1, // here\n          2)@1;\n}\nint after;\n";
  const Shadow& shadow = make(bytes);
  const auto at = static_cast<std::uint32_t>(shadow.text.find("f(1, // here\n          2)"));
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(shadow.original(at), bytes.find("f(1,"));
  EXPECT_EQ(shadow.original(at + 20), bytes.find("f(1,") + 20);
  EXPECT_EQ(shadow.original(0), std::nullopt);
  EXPECT_EQ(shadow.block_at(0), 0);
  const auto after = static_cast<std::uint32_t>(shadow.text.find("int after"));
  EXPECT_EQ(shadow.block_at(after), -1);
  EXPECT_EQ(shadow.original(after), bytes.find("int after"));
  ASSERT_EQ(shadow.anchors.size(), 4u);
  EXPECT_EQ(shadow.anchor_at(shadow.anchors[3].offset)->piece.kind, PieceKind::value);
}

TEST_F(ShadowTest, AttributesBecomeAnnotations) {
  EXPECT_EQ(make("[[kanor::shared]] int a; struct [[deprecated, kanor :: same_address_space]] S {};").text,
            "[[clang::annotate(\"kanor::shared\")]] int a; struct [[deprecated, "
            "clang::annotate(\"kanor::same_address_space\")]] S {};");
}

TEST(Attributes, AreBlankedOutWithTheirBracketsOrCommas) {
  EXPECT_EQ(blanked("[[kanor::a]] int"), "             int");
  EXPECT_EQ(blanked("[ [ kanor::a , kanor::b ] ] int"), "                            int");
  EXPECT_EQ(blanked("[[kanor::a, nodiscard]] int"), "[[          nodiscard]] int");
  EXPECT_EQ(blanked("[[gnu::x(1, 2), kanor::a]] int"), "[[gnu::x(1, 2)          ]] int");
}

TEST(Attributes, AreNotFoundInCommentsLiteralsAndIndices) {
  EXPECT_TRUE(
      find_attributes("// [[kanor::a]]\n/* [[kanor::a]] */ \"[[kanor::a]]\" R\"x([[kanor::a]])x\" '[' 1'000")
          .empty());
  EXPECT_TRUE(
      find_attributes("a[[&] { return kanor::world.size(); }()]; b[kanor::x]; [[other::kanor]]").empty());
  EXPECT_TRUE(find_attributes("[[kanor::a").empty());
  EXPECT_EQ(find_attributes("1'000'000; [[kanor::a]]").size(), 1u);
}

}  // namespace
}  // namespace kanor::host

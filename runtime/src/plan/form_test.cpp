// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/form.hpp"

#include <gtest/gtest.h>

#include <string>

namespace kanor::rt::plan {
namespace {

Form parsed(std::string_view text) {
  std::string error;
  const std::optional<Form> form = parse_form(text, error);
  EXPECT_TRUE(form) << text << ": " << error;
  return form.value_or(Form());
}

/// The expression with all its parentheses.
std::string text_of(const Form& form, int number) {
  static const char* const spellings[] = {"+", "-", "*", "/", "%", "^", "&", "|", "<<", ">>"};
  if (number < 0) return "?";
  const Node& node = form.nodes[static_cast<std::size_t>(number)];
  const auto operand = [&](int i) {
    return text_of(form, form.operands[static_cast<std::size_t>(node.first_operand + i)]);
  };
  std::string list;
  for (int i = 0; i < node.operands; ++i) list += (i ? "," : "") + operand(i);
  const std::string leaf = "$" + std::to_string(node.value);
  switch (node.kind) {
    case Node::Kind::constant:
      return std::to_string(node.value);
    case Node::Kind::leaf:
      return leaf;
    case Node::Kind::name:
      return form.names[static_cast<std::size_t>(node.value)];
    case Node::Kind::operation:
      return "(" + operand(0) + spellings[static_cast<int>(node.op)] + operand(1) + ")";
    case Node::Kind::negation:
      return "-" + operand(0);
    case Node::Kind::neighbour:
      return leaf + ".neighbor(" + list + ")";
    case Node::Kind::at:
      return leaf + "(" + list + ")";
    case Node::Kind::coordinate:
      return leaf + ".coords(" + operand(0) + ")[" + operand(1) + "]";
  }
  return "?";
}

TEST(Form, HasNamesFiltersAndRanks) {
  const Form form = parsed(
      "i: 0 .. $0 - 1; j: i .. 7; k: ?; d: {-1, 1, i}; s: $0 until i - 1 by -2; if i < j; to j; "
      "from (i + 1) % $0; is shift");
  ASSERT_EQ(form.names, (std::vector<std::string>{"i", "j", "k", "d", "s"}));
  EXPECT_EQ(form.sets[0].kind, Form::Set::Kind::interval);
  EXPECT_EQ(text_of(form, form.sets[0].ends[1]), "($0-1)");
  EXPECT_EQ(text_of(form, form.sets[1].ends[0]), "i");
  EXPECT_EQ(form.sets[2].kind, Form::Set::Kind::unknown);
  EXPECT_EQ(form.sets[3].kind, Form::Set::Kind::list);
  EXPECT_EQ(text_of(form, form.sets[3].ends[0]), "-1");
  EXPECT_EQ(form.sets[3].ends.size(), 3u);
  EXPECT_EQ(form.sets[4].kind, Form::Set::Kind::progression);
  EXPECT_EQ(text_of(form, form.sets[4].ends[0]), "$0");
  EXPECT_EQ(text_of(form, form.sets[4].ends[1]), "(i-1)");
  EXPECT_EQ(text_of(form, form.sets[4].ends[2]), "-2");
  ASSERT_EQ(form.filters.size(), 1u);
  EXPECT_EQ(form.filters[0].relation, Relation::less);
  EXPECT_EQ(text_of(form, form.to), "j");
  EXPECT_EQ(text_of(form, form.from), "((i+1)%$0)");
  EXPECT_EQ(form.nodes[static_cast<std::size_t>(form.from)].names, 1u);
  EXPECT_EQ(form.leaves, 1);
  EXPECT_EQ(form.pattern, "shift");
}

TEST(Form, HasThePrecedenceOfCpp) {
  const auto rank = [](const char* text) {
    const Form form = parsed("i: 0 .. 9; j: 0 .. 9; to " + std::string(text));
    return text_of(form, form.to);
  };
  EXPECT_EQ(rank("i + 1 * 2 - j"), "((i+(1*2))-j)");
  EXPECT_EQ(rank("i | j ^ 1 & 3 << 1 + 2"), "(i|(j^(1&(3<<(1+2)))))");
  EXPECT_EQ(rank("i / 2 % 3 >> 1"), "(((i/2)%3)>>1)");
  EXPECT_EQ(rank("-i - -(j)"), "(-i--j)");
  EXPECT_EQ(rank("i-j-1"), "((i-j)-1)");
  EXPECT_EQ(rank("$1.neighbor(i, 0, -1) + $1(i, j + 1) - $2.coords(i * 2)[1]"),
            "(($1.neighbor(i,0,-1)+$1(i,(j+1)))-$2.coords((i*2))[1])");
  EXPECT_EQ(rank("?"), "?");
  const Form shift = parsed("i: 0 .. 9; if i << 1 >= 4; if i >> 1 != 2; if i <= 3; if i > 0; if i == 1");
  EXPECT_EQ(shift.filters.size(), 5u);
  EXPECT_EQ(text_of(shift, shift.filters[0].left), "(i<<1)");
}

TEST(Form, IsClosedIfEverythingIsDescribed) {
  EXPECT_TRUE(parsed("i: 0 .. 9; if i < 3; to i; from 0; is gather").is_closed);
  EXPECT_TRUE(parsed("to 1; from 0").is_closed);
  for (const char* const open : {"i: ?; to i; from 0", "i: 0 .. 9; to ?; from 0", "i: 0 .. 9; to i; from ?",
                                 "i: 0 .. 9; if i < 3; if ?; to i; from 0"})
    EXPECT_FALSE(parsed(open).is_closed) << open;
  EXPECT_EQ(parsed("i: 0 .. 9; if ?; if i < 3; to i; from 0").filters.size(), 1u);
}

TEST(Form, NamesMayBeWordsOfTheForm) {
  const Form form = parsed(
      "to: 0 .. 3; if: 0 .. 1; is: ?; until: 0 until to by 2; by: until until until by until; "
      "to to + if; from is");
  EXPECT_EQ(form.names.size(), 5u);
  EXPECT_EQ(text_of(form, form.to), "(to+if)");
}

TEST(Form, WhatIsNoneIsRefusedWithItsPlace) {
  const auto error_of = [](std::string_view text) {
    std::string error;
    EXPECT_FALSE(parse_form(text, error)) << text;
    return error;
  };
  EXPECT_EQ(error_of("to i"), "expected an operand at character 4");
  EXPECT_EQ(error_of("i: 0 .. 3; to i +"), "expected an operand at character 18");
  EXPECT_EQ(error_of("i: 0 ..3; if i"), "expected a comparison at character 15");
  EXPECT_EQ(error_of("i: 0; to i"), "expected '..' at character 5");
  EXPECT_EQ(error_of("i: 0 until 9; to i"), "expected 'by' at character 13");
  EXPECT_EQ(error_of("to $0.neighbor(1)"), "expected three arguments at character 18");
  EXPECT_EQ(error_of("to 99999999999999999999"), "expected a number at character 4");
  EXPECT_EQ(error_of("to 1 1"), "expected ';' at character 6");
  EXPECT_EQ(error_of(""), "expected an item at character 1");
  EXPECT_EQ(error_of("to " + std::string(5000, '(')).substr(0, 22), "too deep an expression");
}

// most_depth, most_leaves and most_names: the last that is taken, and the first that is not.
TEST(Form, HasItsLimits) {
  std::string error;
  const auto nested = [](std::size_t depth) {
    return "to " + std::string(depth, '(') + "1" + std::string(depth, ')');
  };
  EXPECT_TRUE(parse_form(nested(99), error)) << error;
  EXPECT_FALSE(parse_form(nested(100), error));
  EXPECT_TRUE(parse_form("to $999", error)) << error;
  EXPECT_FALSE(parse_form("to $1000", error));
  EXPECT_EQ(error, "too many leaves at character 9");
  std::string names;
  for (int i = 0; i < most_names; ++i) names += "n" + std::to_string(i) + ": 0 .. 1; ";
  EXPECT_TRUE(parse_form(names + "to n0", error)) << error;
  EXPECT_FALSE(parse_form(names + "one_more: 0 .. 1; to n0", error));
}

}  // namespace
}  // namespace kanor::rt::plan

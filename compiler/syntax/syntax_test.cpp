// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/syntax.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace kanor::syntax {
namespace {

/// A file without mistakes, and what was read in it.
struct Parsed {
  explicit Parsed(std::string code, const std::vector<Span>& inactive = {})
      : source("test.cpp", std::move(code)) {
    ast = parse(source, inactive, diagnostics);
    std::ostringstream messages;
    for (const auto& diagnostic : diagnostics.all()) print(diagnostic, messages, false);
    EXPECT_EQ(messages.str(), "");
    verify(ast);
  }
  std::string text(Span span) const { return std::string(source.text(span)); }
  const Block& block() const { return ast.blocks.at(0); }
  const Statement& statement(std::size_t i = 0) const { return block().statements.at(i); }
  template <class T>
  const T& clause(std::size_t i) const {
    return std::get<T>(statement().clauses.at(i));
  }
  std::vector<std::string> elements(std::size_t i = 0) const {
    std::vector<std::string> result;
    for (const auto& element : clause<Generator>(i).set.elements) result.push_back(text(element.span));
    return result;
  }

  text::Source source;
  text::Diagnostics diagnostics;
  Ast ast;
};

/// One statement in a block.
Parsed statement(const std::string& code) { return Parsed("void f() { @communicate { " + code + " } }"); }

using Strings = std::vector<std::string>;

TEST(Syntax, PrintsTheWholeTree) {
  const Parsed parsed(
      "int main() {\n  @communicate (copy, team = t) {\n    A[j][0:3:2][:]@(i + 1) % n <<= x@i where\n"
      "      i, j in {0 ... 4}, let k = i, k < 3;\n    s@0 << min << m@f(1,\n\t2)\n  }\n}\n");
  std::ostringstream out;
  print(parsed.ast, out);
  EXPECT_EQ(out.str(), R"(block 2:3-7:4 at_sign
  modifier 2:17-2:21 copy
  modifier 2:23-2:31 team
    argument 2:30-2:31 `t`
  statement 3:5-4:42 assign
    place 3:5-3:19 `A[j][0:3:2][:]`
      base 3:5-3:9 `A[j]`
      dimension 3:9-3:16
        first 3:10-3:11 `0`
        count 3:12-3:13 `3`
        stride 3:14-3:15 `2`
      dimension 3:16-3:19 whole
    receiver 3:20-3:31 `(i + 1) % n`
    arrow 3:32-3:35 `<<=`
    value 3:36-3:37 `x`
    sender 3:38-3:39 `i`
    generator 4:7-4:24
      name 4:7-4:8 `i`
      name 4:10-4:11 `j`
      set 4:15-4:24 interval
        element 4:16-4:17 `0`
        element 4:22-4:23 `4`
    let 4:26-4:35
      name 4:30-4:31 `k`
      value 4:34-4:35 `i`
    filter 4:37-4:42 `k < 3`
  statement 5:5-6:4 min
    place 5:5-5:6 `s`
    receiver 5:7-5:8 `0`
    arrow 5:9-5:18 `<< min <<`
      operation 5:12-5:15 `min`
    value 5:19-5:20 `m`
    sender 5:21-6:4 `f(1,  2)`
)");
}

TEST(Syntax, MacroSpelling) {
  const Parsed parsed("KANOR_COMMUNICATE(a@0 <<= b@1; c@1 <<= d@0;);");
  EXPECT_EQ(parsed.block().spelling, Block::Spelling::macro);
  EXPECT_EQ(parsed.text(parsed.block().span), "KANOR_COMMUNICATE(a@0 <<= b@1; c@1 <<= d@0;)");
  EXPECT_EQ(parsed.block().statements.size(), 2u);
}

TEST(Syntax, MacroModifiersAndParenthesisedPlaces) {
  const Parsed modifiers("KANOR_COMMUNICATE((copy, team = f(a, b)), (p)@0 <<= q@1)");
  EXPECT_EQ(modifiers.block().modifiers.size(), 2u);
  EXPECT_EQ(modifiers.text(modifiers.statement().place.span), "(p)");
  const Parsed place("KANOR_COMMUNICATE((p)@0 <<= q@1)");
  EXPECT_TRUE(place.block().modifiers.empty());
  EXPECT_EQ(place.text(place.statement().place.span), "(p)");
}

TEST(Syntax, Modifiers) {
  const Parsed parsed(
      "@communicate /* how */ (team = grid.rows(), async = p, knows = sender, delta, copy)\n{ a@0 <<= b@1; "
      "}");
  const auto& modifiers = parsed.block().modifiers;
  ASSERT_EQ(modifiers.size(), 5u);
  const ModifierKind kinds[] = {ModifierKind::team, ModifierKind::async, ModifierKind::knows,
                                ModifierKind::delta, ModifierKind::copy};
  const Strings arguments{"grid.rows()", "p", "sender", "", ""};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(modifiers[i].kind, kinds[i]);
    EXPECT_EQ(parsed.text(modifiers[i].argument.span), arguments[i]);
  }
}

TEST(Syntax, OnlyAtEndsPlacesAndValues) {
  const auto parsed = statement("f<a, b>(x) << 1@0 <<= g<1, 2> << where, in <<= let@1");
  EXPECT_EQ(parsed.text(parsed.statement().place.span), "f<a, b>(x) << 1");
  EXPECT_EQ(parsed.text(parsed.statement().value.span), "g<1, 2> << where, in <<= let");
}

TEST(Syntax, RanksAreAnyExpressionWithoutShift) {
  const auto parsed =
      statement("a@x ? y : (z << 1) <<= b@size_v<int> >= f([&] { return 1; }()) where i in world");
  EXPECT_EQ(parsed.text(parsed.statement().receiver.span), "x ? y : (z << 1)");
  EXPECT_EQ(parsed.text(parsed.statement().sender.span), "size_v<int> >= f([&] { return 1; }())");
}

TEST(Syntax, Operations) {
  const std::pair<const char*, Operator> operations[] = {
      {"+", Operator::add},
      {"*", Operator::multiply},
      {"&", Operator::bit_and},
      {"bitand", Operator::bit_and},
      {"|", Operator::bit_or},
      {"bitor", Operator::bit_or},
      {"^", Operator::bit_xor},
      {"xor", Operator::bit_xor},
      {"&&", Operator::logical_and},
      {"and", Operator::logical_and},
      {"||", Operator::logical_or},
      {"or", Operator::logical_or},
      {"min", Operator::min},
      {"max", Operator::max},
      {"std::min<int>", Operator::callable},
      {"(min)", Operator::callable},
      {"op<int, 3>{}", Operator::callable},
      {"[](auto x, auto y) { return x << y; }", Operator::callable}};
  for (const auto& [spelling, op] : operations) {
    SCOPED_TRACE(spelling);
    const auto parsed = statement(std::string("a@0 << ") + spelling + " << b@1");
    EXPECT_EQ(parsed.statement().op, op);
    EXPECT_EQ(parsed.text(parsed.statement().callable.span), spelling);
    EXPECT_EQ(parsed.text(parsed.statement().arrow), std::string("<< ") + spelling + " <<");
  }
}

TEST(Syntax, WhereIsAWordOnlyAfterACompleteRank) {
  const auto parsed = statement("where@where <<= where@where where where in where");
  EXPECT_EQ(parsed.text(parsed.statement().receiver.span), "where");
  EXPECT_EQ(parsed.text(parsed.statement().sender.span), "where");
  EXPECT_EQ(parsed.clause<Generator>(0).names[0].text, "where");
  for (const std::string rank :
       {"a + where", "ns::where", "x.where", "f(where)", "where(1)", "i++", "size_v<int>", "a[1]", "2"}) {
    SCOPED_TRACE(rank);
    const auto one = statement("a@0 <<= b@" + rank + " where i in world");
    EXPECT_EQ(one.text(one.statement().sender.span), rank);
    EXPECT_EQ(one.statement().clauses.size(), 1u);
  }
}

TEST(Syntax, CommaBeforeWhere) {
  const auto parsed = statement("a@0 <<= b@i, where i in world");
  EXPECT_EQ(parsed.text(parsed.statement().sender.span), "i");
  EXPECT_EQ(parsed.statement().clauses.size(), 1u);
}

TEST(Syntax, LetAndInAreWordsOnlyInTheirPlaces) {
  const auto parsed =
      statement("a@0 <<= b@1 where in in in, let let = let == in, let == 3, in + 1, (let), let(in)");
  EXPECT_EQ(parsed.clause<Generator>(0).names[0].text, "in");
  EXPECT_EQ(parsed.elements(), Strings{"in"});
  EXPECT_EQ(parsed.clause<Let>(1).name.text, "let");
  EXPECT_EQ(parsed.text(parsed.clause<Let>(1).value.span), "let == in");
  const Strings filters{"let == 3", "in + 1", "(let)", "let(in)"};
  for (std::size_t i = 0; i < filters.size(); ++i)
    EXPECT_EQ(parsed.text(parsed.clause<Filter>(i + 2).condition.span), filters[i]);
}

TEST(Syntax, SeveralNamesShareASet) {
  const auto parsed = statement("a@0 <<= b@1 where i, j, k in world, (a), b");
  EXPECT_EQ(parsed.clause<Generator>(0).names.size(), 3u);
}

TEST(Syntax, BareFilters) {
  const auto parsed = statement("a@0 <<= b@1 where (active), i in world, (ready), let k = 1, active, ready");
  EXPECT_EQ(parsed.text(parsed.clause<Filter>(0).condition.span), "(active)");
  EXPECT_EQ(parsed.text(parsed.clause<Filter>(5).condition.span), "ready");
  EXPECT_EQ(statement("a@0 <<= b@1 where active").statement().clauses.size(), 1u);
}

TEST(Syntax, Sets) {
  const std::pair<std::string, Strings> intervals[] = {
      {"{0 ... n - 1}", {"0", "n - 1"}}, {"{0...i}", {"0", "i"}},
      {"{0...e+1}", {"0", "e+1"}},       {"{1'000...0x1p+3}", {"1'000", "0x1p+3"}},
      {"{0...1e+3}", {"0", "1e+3"}},     {"{n...m}", {"n", "m"}},
      {"{1....5}", {"1", ".5"}},         {"{f(x...) ... sizeof...(T)}", {"f(x...)", "sizeof...(T)"}},
      {"<%0 ... 3%>", {"0", "3"}}};
  for (const auto& [set, ends] : intervals) {
    SCOPED_TRACE(set);
    const auto parsed = statement("a@0 <<= b@1 where i in " + set);
    EXPECT_EQ(parsed.clause<Generator>(0).set.form, Set::Form::interval);
    EXPECT_EQ(parsed.elements(), ends);
  }
  const std::pair<std::string, Strings> lists[] = {
      {"{3}", {"3"}},
      {"{a, f(b, c), d}", {"a", "f(b, c)", "d"}},
      {"{xs...}", {"xs..."}},
      {"{1, xs..., sizeof...(T)}", {"1", "xs...", "sizeof...(T)"}}};
  for (const auto& [set, elements] : lists) {
    SCOPED_TRACE(set);
    const auto parsed = statement("a@0 <<= b@1 where i in " + set + ", i < 3");
    EXPECT_EQ(parsed.clause<Generator>(0).set.form, Set::Form::list);
    EXPECT_EQ(parsed.elements(), elements);
  }
  for (const std::string range :
       {"world", "kanor::range(0, n)", "std::vector{1, 2}", "v << 1", "(std::array<int, 2>{})"}) {
    SCOPED_TRACE(range);
    const auto parsed = statement("a@0 <<= b@1 where i in " + range);
    EXPECT_EQ(parsed.clause<Generator>(0).set.form, Set::Form::range);
    EXPECT_EQ(parsed.elements(), Strings{range});
  }
}

TEST(Syntax, Sections) {
  const auto parsed = statement("A[i][0 : n][x ? y : z : 2 : s]@0 <<= f(v)[:]@1");
  const auto& place = parsed.statement().place;
  EXPECT_EQ(parsed.text(place.base), "A[i]");
  ASSERT_EQ(place.dimensions.size(), 2u);
  EXPECT_EQ(parsed.text(place.dimensions[0].first->span), "0");
  EXPECT_EQ(parsed.text(place.dimensions[0].count->span), "n");
  EXPECT_FALSE(place.dimensions[0].stride);
  EXPECT_EQ(parsed.text(place.dimensions[1].first->span), "x ? y : z");
  EXPECT_EQ(parsed.text(place.dimensions[1].stride->span), "s");
  const auto& value = parsed.statement().value;
  EXPECT_EQ(parsed.text(value.base), "f(v)");
  EXPECT_TRUE(value.dimensions.at(0).whole);
}

TEST(Syntax, ColonsThatAreNoSection) {
  for (const std::string value :
       {"A[x ? y : z]", "A[ns::n]", "A[::n]", "A[c ? ::a : ns::b]", "A[x ? p ? 1 : 2 : 3]",
        "A[[](auto v) { for (auto x : v) return x; }(w)]", "A[[&] { switch (k) { case 1: return 2; } }()]",
        "B<:i:>", "A[decltype(x)::y]"}) {
    SCOPED_TRACE(value);
    const auto parsed = statement("a@0 <<= " + value + "@1");
    EXPECT_EQ(parsed.text(parsed.statement().value.span), value);
    EXPECT_FALSE(parsed.statement().value.is_section());
  }
}

TEST(Syntax, SpansHaveNoBlanksOrCommentsAtTheirEnds) {
  const auto parsed =
      statement("/*1*/ a /*2*/ @ /*3*/ 0 // 4\n <<= /*5*/ b /* ; } */ @ 1 /*6*/ where /*7*/ (x) /*8*/");
  EXPECT_EQ(parsed.text(parsed.statement().span),
            "a /*2*/ @ /*3*/ 0 // 4\n <<= /*5*/ b /* ; } */ @ 1 /*6*/ where /*7*/ (x)");
  EXPECT_EQ(parsed.text(parsed.statement().receiver.span), "0");
  EXPECT_EQ(parsed.text(parsed.statement().value.span), "b");
  EXPECT_EQ(parsed.text(parsed.clause<Filter>(0).condition.span), "(x)");
}

TEST(Syntax, LiteralsHideEverything) {
  for (const std::string value : {R"(";@}\"")", R"('@')", R"('"')", R"(u8"@"sv)", R"x(R"(@;"})")x",
                                  R"x(LR"ab(})")ab"_s)x", "1'000'000", R"("a" "@" 'b')", "\"\\\\\""}) {
    SCOPED_TRACE(value);
    const auto parsed = statement("s@0 <<= " + value + "@1");
    EXPECT_EQ(parsed.text(parsed.statement().value.span), value);
  }
}

TEST(Syntax, DotsOfLambdasAndFoldsAreNoIntervals) {
  for (const std::string value :
       {"[](auto... x) { return (x + ...); }(1, 2)", "[](auto ... x) { return (0 + ... + x); }(1)",
        "[xs...] { return (xs + ... + 1); }()", "a[f(xs...)]", "a[sizeof...(xs)]"}) {
    SCOPED_TRACE(value);
    const auto parsed = statement("s@0 <<= " + value + "@1 where i in [n, xs...] { return n; }()");
    EXPECT_EQ(parsed.text(parsed.statement().value.span), value);
  }
}

TEST(Syntax, DigraphsAndAlternativeTokens) {
  const Parsed parsed(
      "@communicate <% a<:0:>@0 <<= b<: ::x:>()@1 and 2; c<:0:2:>@1 << bitor << d<:0:2:>@0 %>");
  ASSERT_EQ(parsed.block().statements.size(), 2u);
  EXPECT_EQ(parsed.text(parsed.statement().place.span), "a<:0:>");
  EXPECT_TRUE(parsed.statement(1).place.is_section());
  // '<::' is '<' and '::' unless ':' or '>' follows.
  const auto scoped = statement("a<:::n:>@0 <<= b<::T>()@1");
  EXPECT_EQ(scoped.text(scoped.statement().place.span), "a<:::n:>");
  EXPECT_EQ(scoped.text(scoped.statement().value.span), "b<::T>()");
}

TEST(Syntax, LineSplices) {
  const Parsed parsed("@commu\\\nnicate { a@0 <\\ \n<= \"x\\\n@\"@1 whe\\\r\nre i\\\n in {0..\\\n.3} }");
  EXPECT_EQ(parsed.text(parsed.statement().arrow), "<\\ \n<=");
  EXPECT_EQ(parsed.text(parsed.statement().value.span), "\"x\\\n@\"");
  EXPECT_EQ(parsed.text(parsed.clause<Generator>(0).names[0].span), "i");
  EXPECT_EQ(parsed.clause<Generator>(0).set.form, Set::Form::interval);
}

TEST(Syntax, RawStringsHaveNoSplices) {
  const Parsed parsed("#define X \\\n 1\n@communicate { a@0 <<= R\"x(\\\n)\\\nx\")x\"@1 }");
  EXPECT_EQ(parsed.text(parsed.statement().value.span), "R\"x(\\\n)\\\nx\")x\"");
}

TEST(Syntax, NamesInUnicode) {
  const auto parsed = statement("a@0 <<= b@1 where größe, \\u00e9\\U0001F600x, \\u{e8} in world");
  const auto& names = parsed.clause<Generator>(0).names;
  EXPECT_EQ(names.at(0).text, "größe");
  EXPECT_EQ(names.at(1).text, "é😀x");
  EXPECT_EQ(names.at(2).text, "è");
  EXPECT_EQ(parsed.text(names[1].span), "\\u00e9\\U0001F600x");
}

TEST(Syntax, NestedSemicolonsBelongToTheExpression) {
  const Parsed parsed("KANOR_COMMUNICATE(a@0 <<= [&] { x; return y; }()@1; c@f([] { ; })<<=d@0)");
  ASSERT_EQ(parsed.block().statements.size(), 2u);
  EXPECT_EQ(parsed.text(parsed.statement(1).receiver.span), "f([] { ; })");
}

TEST(Syntax, InvalidUtf8AndNulInLiterals) {
  const auto parsed = statement(std::string("a@0 <<= \"\xFF\xC3\0\x80\"@1", 16));
  EXPECT_EQ(parsed.text(parsed.statement().sender.span), "1");
}

TEST(Syntax, MayHaveBlocks) {
  EXPECT_FALSE(may_have_blocks(text::Source("a.cpp", "int main() { return '@'; }")));
  EXPECT_TRUE(may_have_blocks(text::Source("a.cpp", "// communicate")));
  EXPECT_TRUE(may_have_blocks(text::Source("a.cpp", "KANOR_COMMUNICATE")));
  EXPECT_TRUE(may_have_blocks(text::Source("a.cpp", "@comm\\\nunicate { }")));
}

}  // namespace
}  // namespace kanor::syntax

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every message of the room: the text between « and » is what the caret line must underline, and there must
// be no other message.
#include <gtest/gtest.h>

#include <string>

#include "syntax/syntax.hpp"

namespace kanor::syntax {
namespace {

using text::Kind;

struct Case {
  std::string marked;
  std::string message;
  Kind kind = Kind::block_syntax;
};

void expect_one_message(const Case& test) {
  SCOPED_TRACE(test.marked);
  const std::string open = "«", close = "»";
  std::string code = test.marked;
  const auto begin = code.find(open);
  ASSERT_NE(begin, std::string::npos);
  code.erase(begin, open.size());
  const auto end = code.find(close);
  ASSERT_NE(end, std::string::npos);
  code.erase(end, close.size());

  const text::Source source("test.cpp", code);
  text::Diagnostics diagnostics;
  verify(parse(source, {}, diagnostics));
  ASSERT_EQ(diagnostics.all().size(), 1u);
  const auto& found = diagnostics.all().front();
  EXPECT_EQ(found.message, test.message);
  EXPECT_EQ(name(found.kind), name(test.kind));
  EXPECT_EQ(source.text(found.span), code.substr(begin, end - begin));
  EXPECT_EQ(found.span.begin, begin);
}

void expect_statement_message(const std::string& marked, const std::string& message) {
  expect_one_message({"@communicate { " + marked + " }", message});
}

TEST(Mistake, NoAtSignAfterThePlace) {
  expect_statement_message("a «<<=» b@1", "expected '@' and the receiver's rank before '<<='");
  expect_statement_message("a «<<» + << b@1", "expected '@' and the receiver's rank before '<<'");
  expect_statement_message("«foo()»", "expected '@' and the receiver's rank after this place");
  expect_statement_message("«int x = 3»; a@0 <<= b@1",
                           "expected '@' and the receiver's rank after this place");
}

TEST(Mistake, NoAtSignAfterTheValue) {
  expect_statement_message("a@0 <<= «b»", "expected '@' and the sender's rank after this value");
  expect_statement_message("a@i <<= «b» where i in world@0",
                           "expected '@' and the sender's rank after this value");
  expect_statement_message("a@0 << + << «f(b)»", "expected '@' and the sender's rank after this value");
  expect_statement_message("a@0 <<= «b + 1» where i in world",
                           "expected '@' and the sender's rank after this value");
}

TEST(Mistake, NoPlaceOrValue) {
  expect_statement_message("«@»0 <<= b@1", "expected a place before '@'");
  expect_statement_message("a@0 «<<=» @1", "expected a value after '<<=', found '@'");
  expect_statement_message("a@0 «<<=»", "expected a value after '<<=', found the end of the block");
}

TEST(Mistake, NoArrow) {
  expect_statement_message("a@0 «=» b@1",
                           "expected '<<=' or '<< op <<' after the receiver's rank, found '='");
  expect_statement_message("a@0 «<=» b@1",
                           "expected '<<=' or '<< op <<' after the receiver's rank, found '<='");
  expect_statement_message("a@0 «b»@1", "expected '<<=' or '<< op <<' before 'b'");
  expect_statement_message(
      "«a@0»", "expected '<<=' or '<< op <<' after the receiver's rank, found the end of the block");
  expect_statement_message("a@0 «where» i in world <<= b@1", "expected '<<=' or '<< op <<' before 'where'");
}

TEST(Mistake, NoRank) {
  expect_statement_message("a«@» <<= b@1", "expected a rank after '@', found '<<='");
  expect_statement_message("a@0 <<= b«@»", "expected a rank after '@', found the end of the block");
  expect_statement_message("a@0 <<= b«@»; c@0 <<= d@1", "expected a rank after '@', found ';'");
  expect_statement_message("a@0 <<= b«@» where i in world", "expected a rank after '@', found 'where'");
}

TEST(Mistake, ShiftInARank) {
  expect_statement_message("a@1«<<»k <<= b@0", "'<<' in a rank needs parentheses");
  expect_statement_message("a@1 <<= b@0«<<»2", "'<<' in a rank needs parentheses");
  expect_statement_message("a@1 <<= b@c «<<=» 2", "a second '<<=' in one statement");
}

TEST(Mistake, CommaInARank) {
  expect_statement_message("a@f<0«,» 1>() <<= b@1", "unexpected ',' in a rank");
  expect_statement_message("a@0 <<= b@f<0«,» 1>()", "expected 'where' after ','");
  expect_statement_message("a@0«,» c@1 <<= b@2", "unexpected ',' in a rank");
}

TEST(Mistake, Operation) {
  expect_statement_message("a@0 «<<» b@1", "expected a second '<<' after the operator, found '@'");
  expect_statement_message("a@0 «<<» + b@1", "expected a second '<<' after the operator, found '@'");
  expect_statement_message("a@0 «<< <<» b@1", "expected an operator after '<<'");
  expect_statement_message("a@0 << «-» << b@1", "'-' is not a reduction operator");
}

TEST(Mistake, EmptyBlock) {
  const std::string message = "a block without statements";
  expect_one_message({"@communicate «{ }»", message});
  expect_one_message({"@communicate «{;}»", message});
  expect_one_message({"@communicate (copy) «{ /* nothing */ }»", message});
  expect_one_message({"KANOR_COMMUNICATE«()»;", message});
  expect_one_message({"KANOR_COMMUNICATE«((copy))»;", message});
  expect_one_message({"KANOR_COMMUNICATE«((copy), )»;", message});
}

TEST(Mistake, EmptyStatement) {
  expect_statement_message("a@0 <<= b@1;«;» c@0 <<= d@1", "an empty statement before ';'");
  expect_statement_message("«;» a@0 <<= b@1", "an empty statement before ';'");
}

TEST(Mistake, NoSemicolonBetweenStatements) {
  expect_statement_message("a@0 <<= b@1\n«c»@1 <<= d@0", "expected ';' before 'c'");
  expect_statement_message("a@0 <<= b@i where i in world\n«c»@1 <<= d@0", "expected ';' before 'c'");
  expect_statement_message("a@0 <<= b@i where i in {0 ... 3}\n«c»@1 <<= d@0",
                           "expected ',' or ';' before 'c'");
}

TEST(Mistake, Section) {
  expect_statement_message("A[0«::»2]@0 <<= b@1", "'::' is one token, not two ':' of a section");
  expect_statement_message("A[i«::»2]@0 <<= b@1", "'::' is one token, not two ':' of a section");
  expect_statement_message("A[0«::»n]@0 <<= b@1", "'::' is one token, not two ':' of a section");
  expect_statement_message("A[0:2]«.»x@0 <<= b@1", "unexpected '.' after a section's last ']'");
  expect_statement_message("A[0:2][i]«[»j]@0 <<= b@1", "unexpected '[' after a section's last ']'");
  expect_statement_message("a@0 <<= B[0:2] «+» 1@1", "unexpected '+' after a section's last ']'");
  expect_statement_message("A[:«3»]@0 <<= b@1", "unexpected '3' in a section");
  expect_statement_message("A[0:«]»@0 <<= b@1", "unexpected ']' in a section");
  expect_statement_message("A[0:1:2«:»3]@0 <<= b@1", "unexpected ':' in a section");
  expect_statement_message("A[0:1«,» 0:3]@0 <<= b@1",
                           "a dimension of a section cannot contain ',': give each dimension its own "
                           "brackets, and parenthesise other commas");
  expect_statement_message("«[0:1]»@0 <<= b@1", "a section needs a base before its '['");
}

TEST(Mistake, SectionInTheWrongPlace) {
  const std::string message = "a section can only be a whole place or a whole value";
  expect_statement_message("a@A«[0:2]» <<= b@1", message);
  expect_statement_message("a@0 <<= b@A«[0:2]»", message);
  expect_statement_message("f(A«[0:2]»)@0 <<= b@1", message);
  expect_statement_message("a@0 <<= b@1 where let k = A«[0:2]», k", message);
  expect_statement_message("a@0 <<= b@i where i in A«[:]»", message);
}

TEST(Mistake, Set) {
  expect_statement_message("a@0 <<= b@i where i in «{}»", "an empty set");
  expect_statement_message("a@0 <<= b@i where i «in»",
                           "expected a set after 'in', found the end of the block");
  expect_statement_message("a@0 <<= b@i where i in {0 ... 3«,» 5}", "unexpected ',' in a set");
  expect_statement_message("a@0 <<= b@i where i in {0 ... 3 «...» 5}", "unexpected '...' in a set");
  expect_statement_message("a@0 <<= b@i where i in {0, 1 «...» 3}", "unexpected '...' in a set");
  expect_statement_message("a@0 <<= b@i where i in {«...» 3}",
                           "expected an expression in the set before '...'");
  expect_statement_message("a@0 <<= b@i where i in {0 «...»}",
                           "expected an expression in the set after '...'");
  expect_statement_message("a@0 <<= b@i where i in {1,«,»2}", "expected an expression in the set before ','");
  expect_statement_message("a@0 <<= b@i where i in {1, 2,«}»",
                           "expected an expression in the set before '}'");
  expect_statement_message("a@0 <<= b@i where i in {1, 2}«.»x", "unexpected '.' after a set's '}'");
  expect_statement_message("a@0 <<= b@i where i in «0 ... 3»", "an interval needs braces");
  expect_statement_message("a@0 <<= b@i where i in «{0..3}»", "an interval needs three dots");
  expect_statement_message("a@0 <<= b@i where i in «{a .. b}»", "an interval needs three dots");
  expect_statement_message("a@0 <<= b@i where i in «0..3»", "an interval needs three dots");
  expect_statement_message("a@0 <<= b@i where i in «a..3»", "an interval needs three dots");
  expect_statement_message("a@0 <<= b@i where i in «[0 ... 3]»", "an interval needs braces");
  expect_statement_message("a@0 <<= b@i where i in «[0 .. n]»", "an interval needs three dots");
  expect_statement_message("a@0 <<= b@i where i in «[0, 3]»", "a set needs braces");
  expect_statement_message("a@0 <<= b@i where i in «[0]», i > 1", "a set needs braces");
  const char* const no_index = "an interval can only be a set, not an index or part of an expression";
  expect_statement_message("a[«0..3»]@0 <<= b@1", no_index);
  expect_statement_message("a@0 <<= b[«0...3»]@1", no_index);
  expect_statement_message("a[«0 ... 3»]@0 <<= b@1", no_index);
  expect_statement_message("a[1 + f(«n .. 3»)]@0 <<= b@1", no_index);
  expect_statement_message("a[«0 .. n»]@0 <<= b@1", no_index);
}

TEST(Mistake, Clause) {
  expect_statement_message("a@0 <<= b@1 «where»",
                           "expected a clause after 'where', found the end of the block");
  expect_statement_message("a@0 <<= b@i where i in world«,»",
                           "expected a clause after ',', found the end of the block");
  expect_statement_message("a@0 <<= b@i where i in world«,», k", "expected a clause after ',', found ','");
  expect_statement_message("a@0 <<= b@i where let x «=» , i in world", "expected an expression after '='");
  expect_statement_message("a@0 <<= b@i where i in world «where» j in world",
                           "a second 'where' in one statement");
  expect_statement_message("a@0 <<= b@i where i «of» world", "expected 'in' after 'i', found 'of'");
  expect_statement_message("a@0 <<= b@i where i = 0 «in» world", "'in' follows a list of names");
  expect_statement_message("a@0 <<= b@0 «i in» world", "expected 'where' before 'i in'");
  expect_statement_message("a@i <<= b@(i + 1) % n «i in» {0 ... 3}", "expected 'where' before 'i in'");
  expect_statement_message("a@i <<= b@i «in» world", "expected 'where' before 'in'");
  expect_statement_message("a@0 <<= b@i where i, «in» world", "expected a name before 'in'");
  expect_statement_message("a@0 <<= b@i where let «k»", "expected '=' after 'let k'");
  expect_statement_message("a@0 <<= b@i where i «:» world", "expected 'in' after 'i', found ':'");
  for (const std::string interval : {"0 ... n - 1", "0...3", "{0 ... 3}", "{0...3}"})
    expect_statement_message("a@0 <<= b@i where i «=» " + interval, "expected 'in' after 'i', found '='");
}

TEST(Mistake, PacksAreNoIntervals) {
  for (const std::string filter :
       {"k = {args...} , i in world", "k = sizeof...(args) > 1", "k = {args..., 1}"}) {
    const text::Source source("test.cpp", "@communicate { a@0 <<= b@0 where " + filter + " }");
    text::Diagnostics diagnostics;
    EXPECT_EQ(parse(source, {}, diagnostics).blocks.size(), 1u) << filter;
    EXPECT_TRUE(diagnostics.all().empty()) << filter;
  }
}

TEST(Mistake, FilterThatLooksLikeAName) {
  expect_statement_message("a@0 <<= b@i where i in world, «active»",
                           "the filter 'active' looks like a generator's name");
}

TEST(Mistake, NameBoundTwice) {
  for (const std::string clauses :
       {"i, «i» in world", "i in world, let «i» = 3", "let i = 1, j, «i» in world"})
    expect_one_message({"@communicate { a@0 <<= b@i where " + clauses + " }",
                        "'i' is bound twice in this statement", Kind::name_bound_twice});
  expect_one_message({"@communicate { a@0 <<= b@1 where é, «\\u00e9» in world }",
                      "'é' is bound twice in this statement", Kind::name_bound_twice});
}

TEST(Mistake, NameBoundTwiceShowsTheFirst) {
  const text::Source source("test.cpp", "@communicate { a@0 <<= b@i where i, i in world }");
  text::Diagnostics diagnostics;
  EXPECT_TRUE(parse(source, {}, diagnostics).blocks.empty());
  ASSERT_EQ(diagnostics.all().size(), 1u);
  const auto& notes = diagnostics.all()[0].notes;
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0].span.begin, 33u);
  EXPECT_EQ(notes[0].message, "first bound here");
  EXPECT_EQ(notes[1].source, nullptr);
}

TEST(Mistake, StrayTokens) {
  expect_statement_message("a@0 <<= b@1 «`»", "stray '`' in a block");
  expect_statement_message("a@0 <<= b«#»@1", "stray '#' in a block");
  expect_statement_message("a@0 <<= b «\\» @1", "stray '\\' in a block");
  expect_statement_message("a@0 <<= b «\x01» @1", "stray byte 0x01 in a block");
  expect_statement_message("a@0 <<= b «\x7F» @1", "stray byte 0x7f in a block");
  expect_statement_message("a@0 <<= f(«@»)@1", "stray '@' inside brackets");
}

TEST(Mistake, CppStatements) {
  expect_statement_message("«if» (x) a@0 <<= b@1", "'if' cannot begin a place or value");
  expect_statement_message("«for» (int i = 0; i < 3; ++i) a@0 <<= b@1",
                           "'for' cannot begin a place or value");
  expect_statement_message("a@0 <<= «const» int b@1", "'const' cannot begin a place or value");
  expect_statement_message("a@0 <<= «{»1, 2}@1", "a braced list cannot be a place or value");
}

TEST(Mistake, ASemicolonTooMany) {
  expect_statement_message("a@0 <<= «b»;@1", "expected '@' and the sender's rank after this value");
  expect_statement_message("«a»;@0 <<= b@1", "expected '@' and the receiver's rank after this place");
}

TEST(Mistake, BlockInABlock) {
  const std::string message = "a block inside a block";
  expect_statement_message("a@0 <<= [&] { «@communicate» { c@0 <<= d@1 } }()@1", message);
  expect_statement_message("a@0 <<= [&] { «KANOR_COMMUNICATE»(c@0 <<= d@1); }()@1", message);
}

TEST(Mistake, Modifiers) {
  const auto expect = [](const std::string& marked, const std::string& message) {
    expect_one_message({"@communicate " + marked + " { a@0 <<= b@1 }", message});
  };
  expect("«()»", "the modifier list is empty");
  expect("(copy «delta»)", "expected ',' or ')' in the modifier list, found 'delta'");
  expect("(team = f<a, b«>»())", "expected ',' or ')' in the modifier list, found '>'");
  expect("(copy«,»)", "expected a modifier after ','");
  expect("(«fast»)", "unknown modifier 'fast'");
  expect("(copy, «copy»)", "modifier 'copy' is given twice");
  expect("(«team»)", "modifier 'team' needs an argument: team = expression");
  expect("(team «=»)", "expected an expression after '='");
  expect("(copy = «3»)", "modifier 'copy' takes no argument");
  expect("(knows = «me»)", "'knows' must be 'both', 'sender' or 'receiver', not 'me'");
  expect("(async = «a.b»)", "'async' needs one name, not 'a.b'");
  expect_one_message({"KANOR_COMMUNICATE((«fast»), a@0 <<= b@1)", "unknown modifier 'fast'"});
}

TEST(Mistake, NoBracketAfterTheWord) {
  expect_one_message({"«@communicate»", "expected '{' after '@communicate'"});
  expect_one_message({"@communicate «a»@0 <<= b@1;", "expected '{' after '@communicate'"});
  expect_one_message({"@communicate (copy) «a»@0 <<= b@1;", "expected '{' after the modifier list"});
  expect_one_message({"KANOR_COMMUNICATE«;»", "expected '(' after 'KANOR_COMMUNICATE'"});
}

TEST(Mistake, Unbalanced) {
  const auto expect = [](const std::string& marked, const std::string& message) {
    expect_one_message({marked, message, Kind::block_unbalanced});
  };
  expect("@communicate { a«[»0@0 <<= b@1 }", "'[' is not closed before '}'");
  expect("@communicate { a[«(»1]@0 <<= b@1 }", "'(' is not closed before ']'");
  expect("@communicate { a[0«)»@0 <<= b@1 }", "')' does not close '['");
  expect("@communicate { a@0 <<= f((b)«]»)@1 }", "']' does not close '('");
  expect("@communicate { a«]»@0 <<= b@1 }", "']' has no opening bracket in this block");
  expect("@communicate { a«:>»@0 <<= b@1 }", "':>' has no opening bracket in this block");
  expect("void f() { KANOR_COMMUNICATE«(»a@0 <<= b@1; }", "'(' is not closed before '}'");
  expect("void f() { @communicate «(»copy }", "'(' is not closed before '}'");
}

TEST(Mistake, NotClosedBeforeTheNextBlock) {
  const auto expect = [](const std::string& marked, const std::string& bracket) {
    expect_one_message(
        {marked, "'" + bracket + "' is not closed before the next block", Kind::block_unbalanced});
  };
  const std::string next = "@communicate { c@0 <<= d@1 }";
  expect("@communicate «{» a@0 <<= b@1;\n" + next, "{");
  expect("KANOR_COMMUNICATE(a@0 <<= f«(»b@1;\n" + next, "(");
  expect("KANOR_COMMUNICATE«(»a@0 <<= (b@1);\n" + next, "(");
  expect("@communicate «(»copy\n" + next, "(");
  expect("@communicate { a«[»0@0 <<= b@1; KANOR_COMMUNICATE(x@0 <<= y@1);", "[");
}

TEST(Mistake, CutOffByTheEndOfTheFile) {
  for (const std::string code : {"{ a@0 <<= b@1", "{", "(copy", "{ a[(1"})
    expect_one_message(
        {"«@communicate» " + code, "the file ends inside this block", Kind::block_unterminated});
  expect_one_message({"«KANOR_COMMUNICATE»(a", "the file ends inside this block", Kind::block_unterminated});
}

TEST(Mistake, ABraceThatClosesTheCodeAround) {
  const auto expect = [](const std::string& marked) {
    expect_one_message({marked, "this block is not closed", Kind::block_unterminated});
  };
  expect("int main() {\n  «@communicate {» a@0 <<= b@1\n  b = 3;\n}\n");
  expect("void f() {\n\t«@communicate (copy) {»\n\t\ta@0 <<= b@1;\n}\nvoid g() { h(); }\n");
  expect("void f() { «@communicate {» a@0 <<= b@1;\n  g();\n  h();\n  }\n");
  // Where the file's braces pair, the same block only looks odd, or has a mistake of its own.
  const text::Source odd("test.cpp", "void f() {\n    @communicate { a@0 <<= b@1\n  }\n}\n");
  text::Diagnostics diagnostics;
  EXPECT_EQ(parse(odd, {}, diagnostics).blocks.size(), 1u);
  EXPECT_FALSE(diagnostics.has_errors());
  expect_one_message({"void f() {\n  @communicate { a@0 <<= b@1;\n«g()»;\n  }\n}\n",
                      "expected '@' and the receiver's rank after this place"});
}

TEST(Mistake, MisspeltWord) {
  for (const std::string word : {"comunicate", "Communicate", "communciate", "communicates"})
    expect_one_message(
        {"void f() { «@" + word + "» { } }", "unknown word '@" + word + "'; did you mean '@communicate'?"});
  EXPECT_TRUE(may_have_blocks(text::Source("test.cpp", "@comunicate { }")));
  EXPECT_FALSE(may_have_blocks(text::Source("test.cpp", "@author @com me@example.org")));
}

TEST(Mistake, WordsThatAreNoNamesAreFilters) {
  for (const std::string filter :
       {"true, i in world", "i in world, true", "true EMPTY", "i in world, EMPTY t == 1"}) {
    const text::Source source("test.cpp", "@communicate { a@0 <<= b@0 where " + filter + " }");
    text::Diagnostics diagnostics;
    verify(parse(source, {}, diagnostics));
    EXPECT_FALSE(diagnostics.has_errors()) << filter;
  }
}

TEST(Mistake, Unterminated) {
  expect_statement_message("a@0 <<= «\"abc@1 }»\n", "this literal is not closed on its line");
  expect_statement_message("a@0 <<= «'a }»\n@1", "this literal is not closed on its line");
  expect_one_message({"@communicate { a@0 <<= «R\"»x(abc)\"@1 }", "this raw string has no end"});
  expect_one_message(
      {"@communicate { a@0 <<= b@1 «/*» }", "this comment is not closed", Kind::block_unterminated});
}

TEST(Mistake, DirectiveInABlock) {
  const std::string message = "a preprocessor directive inside a block";
  const auto expect = [&](const std::string& marked) {
    expect_one_message({marked, message, Kind::directive_in_block});
  };
  expect("@communicate {\n  «#ifdef X»\n a@0 <<= b@1\n #else\n a[0@0 <<= b@1\n #endif\n }");
  expect("@communicate { a@0 <<=\n /* first */ «%: define X 'don't» \r\n b@1 }");
  expect("KANOR_COMMUNICATE(\n«#»\n a@0 <<= b@1)");
}

TEST(Mistake, BlockInAMacro) {
  const std::string message = "a block in the definition of a macro";
  const auto expect = [&](const std::string& marked) {
    expect_one_message({marked, message, Kind::block_in_macro});
  };
  expect("#define SEND «@communicate» { a@0 <<= b@1 }\n");
  expect("  # /* a */ define SEND(x) \\\n  do { «KANOR_COMMUNICATE»(x); KANOR_COMMUNICATE(y); } while (0)\n");
}

TEST(Mistake, TooDeep) {
  const std::string open(255, '('), close(255, ')');
  const text::Source good("test.cpp", "@communicate { a@0 <<= " + open + "b" + close + "@1 }");
  text::Diagnostics diagnostics;
  EXPECT_EQ(parse(good, {}, diagnostics).blocks.size(), 1u);
  EXPECT_TRUE(diagnostics.all().empty());
  expect_statement_message("a@0 <<= " + open + "«(»b)" + close + "@1",
                           "brackets are nested more than 256 deep");
}

TEST(Mistake, OneMessageForEachStatement) {
  const text::Source source("test.cpp",
                            "@communicate { a <<= b@1; c@0 <<= d@1; e@ <<= f; g@0 <<= h@0 << 1 where } "
                            "@communicate { @; x@0 <<= y@1 }");
  text::Diagnostics diagnostics;
  const auto ast = parse(source, {}, diagnostics);
  verify(ast);
  EXPECT_EQ(diagnostics.error_count(), 4u);
  ASSERT_EQ(ast.blocks.size(), 2u);
  ASSERT_EQ(ast.blocks[0].statements.size(), 1u);
  EXPECT_EQ(source.text(ast.blocks[0].statements[0].span), "c@0 <<= d@1");
  ASSERT_EQ(ast.blocks[1].statements.size(), 1u);
}

}  // namespace
}  // namespace kanor::syntax

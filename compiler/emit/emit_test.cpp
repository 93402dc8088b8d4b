// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/emit.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "emit/spelling.hpp"
#include "syntax/syntax.hpp"

namespace kanor::emit {
namespace {

const flow::FlowGraph nothing_known;
const analysis::SharingDecisions no_decisions;
const analysis::Pipelines no_pipelines;
const analysis::SplitPhases no_splits;
const analysis::ReplacedLoops no_loops;
const analysis::Sharing sharing{nothing_known, no_decisions, no_pipelines, no_splits, no_loops};

/// A unit of one file, as if sema had accepted every block and found Kanor's names by their text.
struct Example {
  explicit Example(std::string text, std::string path = "a.cpp")
      : source(std::move(path), std::move(text)), ast(syntax::parse(source, {}, diagnostics)) {
    sema::CheckedFile file;
    file.source = &source;
    file.is_main = true;
    for (const auto& block : ast.blocks) {
      sema::CheckedBlock checked;
      checked.syntax = &block;
      if (source.text(block.span).find("world") != std::string_view::npos)
        checked.kanor_words.push_back("world");
      for (const auto& statement : block.statements) checked.statements.emplace_back().syntax = &statement;
      file.blocks.push_back(std::move(checked));
    }
    program.files.push_back(std::move(file));
  }

  std::string emitted() const {
    EXPECT_FALSE(diagnostics.has_errors());
    return emit(plan::plan(program), sharing, std::vector<std::string>(program.files.size()))
        .files.at(0)
        .text;
  }
  sema::CheckedFile& file() { return program.files[0]; }

  text::Source source;
  text::Diagnostics diagnostics;
  syntax::Ast ast;
  sema::Program program;
};

constexpr std::string_view note =
    "__attribute__((section(\".kanor.note\"), used)) static const char kanor_note[] = \"kanor 1\\n\";\n";

std::string body(const std::string& emitted) {
  const std::string begin = "#include <kanor/abi/block.hpp>\n#line 1 \"a.cpp\"\n";
  EXPECT_TRUE(emitted.starts_with(begin)) << emitted;
  EXPECT_TRUE(emitted.ends_with(note)) << emitted;
  return emitted.substr(begin.size(), emitted.size() - begin.size() - note.size());
}

TEST(Emit, OneLineBlock) {
  const Example example(
      "int main() {\n  @communicate { left@(i + 1) % world.size() <<= mine@i where i in world }\n  return "
      "left;\n}\n");
  EXPECT_EQ(body(example.emitted()), R"(int main() {
  { using ::kanor::world; ::kanor::abi::execute({"a.cpp", 2, __func__}, [&](::kanor::abi::block& kanor_block) {
#line 2
    kanor_block.assign({2, "left@(i + 1) % world.size() <<= mine@i where i in world", "i"}, [&](auto& kanor_bind) {
#line 2
      for (const auto i : ::kanor::abi::each(world))
#line 2
        if (kanor_bind((i + 1) % world.size(), i, i)) {
#line 2
          const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(mine) : kanor_bind.nothing();
#line 2
          if (kanor_bind.receives()) kanor_bind.assign(left, kanor_sent, i); } });
#line 2
    }); }
  return left;
}
)");
}

/// The lines that the host compiler counts: 'number: text' for every line that holds `what`.
std::vector<unsigned> counted_lines(const std::string& emitted, std::string_view what) {
  std::vector<unsigned> lines;
  std::istringstream in(emitted);
  unsigned number = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#line ")) {
      number = static_cast<unsigned>(std::stoul(line.substr(6))) - 1;
      continue;
    }
    ++number;
    for (std::size_t at = line.find(what); at != std::string::npos; at = line.find(what, at + 1))
      lines.push_back(number);
  }
  return lines;
}

TEST(Emit, EveryExpressionKeepsItsLine) {
  const Example example(R"(void f() {
  @communicate {
    p1[i]
      @ r2
      <<= v3 + // with a comment
          v4 @
          s5
      where i in { first6 ...
                   last7 },
            let n = init8,
            filter9(n)
  } after_10();
}
)");
  const std::string emitted = example.emitted();
  EXPECT_EQ(counted_lines(emitted, "after_10"), std::vector<unsigned>{12});
  for (const auto& [what, line] :
       std::vector<std::pair<std::string, unsigned>>{{"assign(p1[i], kanor_sent", 3},
                                                     {"r2,", 4},
                                                     {"kanor_bind.send(v3 + //", 5},
                                                     {"v4) : kanor_bind.nothing()", 6},
                                                     {"s5, i, n)", 7},
                                                     {"first6", 8},
                                                     {"last7", 9},
                                                     {"= init8", 10},
                                                     {"filter9(n)", 11}}) {
    const auto found = counted_lines(emitted, what);
    ASSERT_FALSE(found.empty()) << what << '\n' << emitted;
    EXPECT_EQ(found.back(), line) << what << '\n' << emitted;
  }
}

TEST(Emit, TextBehindABlockKeepsItsColumn) {
  const Example example("void f() { if (x) @communicate { a@0 <<= b@1 } else g(); }\n");
  const std::string text = example.emitted();
  EXPECT_NE(text.find("}); }\n#line 1\n                                               else g(); }\n"),
            std::string::npos)
      << text;
}

TEST(Emit, TheMacroSpellingTakesItsSemicolonAlong) {
  const Example example("void f() { if (x) KANOR_COMMUNICATE(a@0 <<= b@1) /* so */ ; else g(); }\n");
  const std::string text = example.emitted();
  EXPECT_EQ(text.find("so"), std::string::npos) << text;
  EXPECT_NE(text.find("}); }\n#line 1\n                                                       "
                      "     else g(); }\n"),
            std::string::npos)
      << text;
}

TEST(Spelling, ALineSpliceContinuesAComment) {
  EXPECT_EQ(skip_blanks_and_comments("// on \\\nand on\n x", 0), 16u);
  EXPECT_EQ(skip_blanks_and_comments("// on \\\r\nand on\r\n x", 0), 18u);
}

TEST(Emit, ACommaOutsideOfBracketsIsParenthesised) {
  const Example example("void f() {\n  @communicate { a@0 <<= std::pair<int, int>(1, 2)@1 }\n}\n");
  EXPECT_NE(example.emitted().find("kanor_bind.send((std::pair<int, int>(1, 2)))"), std::string::npos);
}

TEST(Emit, ClausesOfOneLineShareOneAndNamesAreListed) {
  const Example example(
      "void f() {\n  @communicate { a[i]@i <<= b[j]@j where i, j in {0 ... n - 1}, let k = i, (i == k) "
      "}\n}\n");
  const std::string text = example.emitted();
  EXPECT_NE(text.find("for (const auto i : ::kanor::abi::each(0, n - 1)) for (const auto j : "
                      "::kanor::abi::each(0, n - 1))"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("if (const auto k = i; true)"), std::string::npos) << text;
  EXPECT_NE(text.find("if (i == k)\n"), std::string::npos) << text;
  EXPECT_NE(text.find(R"(, "i, j, k"},)"), std::string::npos) << text;
  EXPECT_NE(text.find("if (kanor_bind(i, j, i, j, k)) {"), std::string::npos) << text;
}

TEST(Emit, ParenthesesOfAFoldStay) {
  const auto filter = [](const std::string& text) {
    const std::string emitted =
        Example("void f() {\n  @communicate { a@0 <<= b@i where i in {1, 2}, " + text + " }\n}\n").emitted();
    const auto at = emitted.find(") if (");
    return at == std::string::npos ? emitted : emitted.substr(at + 2, emitted.find('\n', at) - at - 2);
  };
  EXPECT_EQ(filter("((t > i) && ...)"), "if (((t > i) && ...))");
  EXPECT_EQ(filter("(... && (t > i))"), "if ((... && (t > i)))");
  EXPECT_EQ(filter("(i || ... || t)"), "if ((i || ... || t))");
  EXPECT_EQ(filter("({ i > 1; })"), "if (({ i > 1; }))");
  EXPECT_EQ(filter("(sizeof...(t) == 2)"), "if (sizeof...(t) == 2)");
  EXPECT_EQ(filter("(g((t && ...)) == .5)"), "if (g((t && ...)) == .5)");
  EXPECT_EQ(filter("(s.b)"), "if (s.b)");
}

TEST(Emit, Reductions) {
  const Example example(
      "void f() {\n  @communicate { a@0 << + << b@i where i in {1, 3}; c@0 << fold{1, 2} << d@1; e@0 << over "
      "<< g@1 }\n}\n");
  Example changed("void f() {\n  @communicate { e@0 << over << g@1 }\n}\n");
  changed.file().blocks[0].statements[0].callable_is_overload_set = true;
  const std::string text = example.emitted(), overloads = changed.emitted();
  EXPECT_NE(text.find("::kanor::abi::add, [&](auto& kanor_bind, auto kanor_operation) {"), std::string::npos)
      << text;
  EXPECT_NE(text.find("::kanor::abi::list(1, 3)"), std::string::npos) << text;
  EXPECT_NE(text.find(R"(""}, fold{1, 2}, [&](auto& kanor_bind, auto kanor_operation) {)"), std::string::npos)
      << text;
  EXPECT_NE(overloads.find("[&](const auto& kanor_a, const auto& kanor_b) -> decltype(over(kanor_a, "
                           "kanor_b)) { return over(kanor_a, kanor_b); }, "),
            std::string::npos)
      << overloads;
}

TEST(Emit, PrivateVariablesAndAttributes) {
  Example example("[[kanor::shared]] int s;\nint a = f();\n");
  example.file().attributes.push_back({0, 17});
  example.file().private_declarations.push_back({25, "a"});
  example.program.initialisers.push_back({"a"});
  example.program.has_private_variables = true;
  example.program.obstacles.push_back({"b", "'b' has C linkage", "a.cpp:9"});
  example.program.obstacles.push_back({"n::c", "a header defines it", "h.hpp:1", "n c"});
  EXPECT_EQ(example.emitted(),
            "#include <kanor/abi/globals.hpp>\n"
            "#line 1 \"a.cpp\"\n"
            "                  int s;\n"
            "thread_local int a = f();\n"
            "namespace { const ::kanor::abi::rank_initialiser kanor_initialiser{[] { (void)&a; }}; }\n"
            "__attribute__((section(\".kanor.note\"), used)) static const char kanor_note[] = "
            "\"kanor 1\\nprivate\\nobstacle\\tb\\ta.cpp:9\\t'b' has C linkage\\n"
            "obstacle-if\\tn c\\tn::c\\th.hpp:1\\ta header defines it\\n\";\n");
}

TEST(Emit, IncludesLeadToTheCopies) {
  const text::Source main("a.cpp", "#include \"h.hpp\"\nint main() {}"), header("dir/h.hpp", "int x;\n");
  sema::Program program;
  program.files.resize(2);
  program.files[0].source = &main;
  program.files[0].is_main = true;
  program.files[0].includes.push_back({{9, 16}, 1});
  program.files[1].source = &header;
  program.files[1].private_declarations.push_back({0, "x"});
  const Emission emission = emit(plan::plan(program), sharing, {"/tmp/0/a.cpp", "/tmp/1/h.hpp"});
  EXPECT_EQ(emission.files[0].text,
            "#line 1 \"a.cpp\"\n#include \"/tmp/1/h.hpp\"\nint main() {}\n" + std::string(note));
  EXPECT_EQ(emission.files[1].text, "#line 1 \"dir/h.hpp\"\nthread_local int x;\n");
}

TEST(Emit, KanorsHeaderBringsTheRestWhereItIsIncluded) {
  Example example("void f(int& a) { @communicate { a@0 <<= a@1 } }\n");
  example.program.packed.emplace_back();
  EXPECT_TRUE(example.emitted().starts_with(
      "#include <kanor/abi/block.hpp>\n#include <kanor/abi/cereal.hpp>\n#line 1 "));
  example.program.includes_kanor_first = true;
  EXPECT_TRUE(example.emitted().starts_with("#define KANOR_ABI_BLOCKS\n#define KANOR_ABI_CEREAL\n#line 1 "));
}

TEST(Emit, LinesGoOnAsTheSourceNumbersThem) {
  const std::string text =
      "#line 70 \"parser.y\"\nvoid f(int& a) {\n  @communicate { a@0 <<=\n a@1 }\n  after(__LINE__); }\n";
  Example example(text);
  example.file().renumberings.push_back({static_cast<std::uint32_t>(text.find("void")), 70, "parser.y"});
  const std::string emitted = example.emitted();
  EXPECT_NE(emitted.find("execute({\"parser.y\", 71, __func__}"), std::string::npos) << emitted;
  EXPECT_NE(emitted.find("kanor_block.assign({71, "), std::string::npos) << emitted;
  EXPECT_EQ(counted_lines(emitted, "kanor_bind.send(a)"), std::vector<unsigned>{72}) << emitted;
  EXPECT_EQ(counted_lines(emitted, "after"), std::vector<unsigned>{73}) << emitted;
}

TEST(Emit, CommentsAndLiteralsInTheStatementsText) {
  const Example example(
      "void f() {\n  @communicate { a@0 <<= g(\"//\\n\", 'x', 1'000) /* hi */ + 1@1 }\n}\n");
  EXPECT_NE(example.emitted().find(R"x("a@0 <<= g(\"//\\n\", 'x', 1'000) + 1@1")x"), std::string::npos)
      << example.emitted();
}

TEST(Emit, AByteOrderMarkIsDropped) {
  const Example example("\xEF\xBB\xBFint x;\n");
  EXPECT_EQ(example.emitted(), "#line 1 \"a.cpp\"\nint x;\n" + std::string(note));
}

}  // namespace
}  // namespace kanor::emit

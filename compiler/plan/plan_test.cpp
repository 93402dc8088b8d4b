// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/plan.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace kanor::plan {
namespace {

struct Example {
  text::Source source{"swap.cpp", "int main() {\n  @communicate { a@0 <<= b@1;\n    b@1 <<= a@0 }\n}\n"};
  syntax::Block block;
  sema::Program program;

  Example() {
    block.span = {15, 60};
    block.statements.resize(2);
    block.statements[0].span = {30, 41};
    block.statements[1].span = {47, 58};
    sema::CheckedBlock checked;
    checked.syntax = &block;
    for (const auto& statement : block.statements) checked.statements.emplace_back().syntax = &statement;
    sema::CheckedFile file;
    file.source = &source;
    file.is_main = true;
    file.blocks.push_back(checked);
    program.files.push_back(file);
  }
};

TEST(Plan, NothingIsKnownWithoutSymbols) {
  const Example example;
  const CommPlan made = plan(example.program);
  EXPECT_NO_THROW(verify(made));
  std::ostringstream out;
  print(made, out);
  EXPECT_EQ(out.str(),
            "file swap.cpp\n"
            "  block at line 2\n"
            "    statement at line 2: general\n"
            "      every rank goes through all bindings\n"
            "    statement at line 3: general\n"
            "      every rank goes through all bindings\n");
}

TEST(Plan, OnlyWhoKnowsLooksForItsBindings) {
  Example example;
  sema::SymbolicStatement symbols;
  symbols.leaves = {{.text = "n", .meaning = {}}, {.text = "items[0]", .meaning = {}}};
  symbols.names.push_back({"i", {sema::SymbolicSet::Form::interval, {sema::integer(0), sema::leaf(0)}, {}}});
  symbols.receiver = sema::leaf(1);
  symbols.sender = sema::name(0);
  auto& block = example.program.files[0].blocks[0];
  block.statements[0].symbols = &symbols;
  const auto planned = [&](sema::Knows knows) {
    block.knows = knows;
    return plan(example.program).files[0].blocks[0].statements[0];
  };
  const StatementPlan both = planned(sema::Knows::both);
  EXPECT_EQ(both.form.text, "i: 0 .. $0; to $1; from i");
  EXPECT_FALSE(is_one_sided(both));
  const StatementPlan pushed = planned(sema::Knows::sender);
  EXPECT_EQ(pushed.form.text, "i: 0 .. $0; to ?; from i");
  EXPECT_EQ(pushed.form.leaves.size(), 1u);
  EXPECT_EQ(pushed.receiver, Inversion::told);
  EXPECT_EQ(pushed.sender, Inversion::solved);
  EXPECT_TRUE(is_one_sided(pushed));
  const StatementPlan pulled = planned(sema::Knows::receiver);
  EXPECT_EQ(pulled.form.text, "i: 0 .. $0; to $1; from ?");
  EXPECT_EQ(pulled.receiver, Inversion::one_rank);
  EXPECT_EQ(pulled.sender, Inversion::told);
  // What is a broadcast where all know is no pattern of ranks that go each by its own variables.
  symbols.receiver = sema::name(0);
  symbols.sender = sema::integer(0);
  EXPECT_EQ(planned(sema::Knows::sender).recognition.pattern, Pattern::general);
  EXPECT_EQ(planned(sema::Knows::sender).form.text, "i: 0 .. $0; to ?; from 0");
  // A single binding needs no form.
  symbols.names.clear();
  symbols.receiver = symbols.sender = sema::leaf(0);
  EXPECT_EQ(planned(sema::Knows::sender).form.text, "");
  EXPECT_EQ(planned(sema::Knows::sender).sender, Inversion::one_rank);
}

TEST(Plan, OnlyWhatIsDescribedIsClosed) {
  Example example;
  sema::SymbolicStatement symbols;
  symbols.leaves = {{.text = "n", .meaning = {}}};
  symbols.names.push_back({"i", {sema::SymbolicSet::Form::interval, {sema::integer(0), sema::leaf(0)}, {}}});
  symbols.filters.push_back({sema::name(0), sema::Relation::less, sema::leaf(0), {}});
  symbols.receiver = sema::name(0);
  symbols.sender = sema::integer(0);
  const auto is_closed = [&](const sema::SymbolicStatement& statement) {
    example.program.files[0].blocks[0].statements[0].symbols = &statement;
    const StatementPlan planned = plan(example.program).files[0].blocks[0].statements[0];
    // The runtime tells it by the form.
    EXPECT_TRUE(planned.form.text.empty() ||
                (planned.form.text.find('?') == std::string::npos) == planned.is_closed)
        << planned.form.text;
    return planned.is_closed;
  };
  EXPECT_TRUE(is_closed(symbols));
  const sema::Symbolic unknown = sema::opaque(sema::Obscurity::none, {}, {});
  auto other = symbols;
  other.names[0].set = {sema::SymbolicSet::Form::unknown, {unknown}, {}};
  EXPECT_FALSE(is_closed(other));
  other = symbols;
  other.filters.push_back({unknown, sema::Relation::not_equal, sema::integer(0), {}});
  EXPECT_FALSE(is_closed(other));
  other = symbols;
  other.sender = unknown;
  EXPECT_FALSE(is_closed(other));
  other = symbols;
  other.receiver = unknown;
  EXPECT_FALSE(is_closed(other));
}

TEST(Plan, VerifyFindsAMissingStatement) {
  const Example example;
  CommPlan made = plan(example.program);
  made.files[0].blocks[0].statements.pop_back();
  EXPECT_THROW(verify(made), std::logic_error);
}

}  // namespace
}  // namespace kanor::plan

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

TEST(Plan, VerifyFindsAMissingStatement) {
  const Example example;
  CommPlan made = plan(example.program);
  made.files[0].blocks[0].statements.pop_back();
  EXPECT_THROW(verify(made), std::logic_error);
}

}  // namespace
}  // namespace kanor::plan

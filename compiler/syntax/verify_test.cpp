// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "syntax/syntax.hpp"

namespace kanor::syntax {
namespace {

/// A good tree, broken in one place, must not pass.
void expect_broken(const std::function<void(Ast&)>& damage) {
  const text::Source source(
      "test.cpp",
      "@communicate (team = t) { A[0:n:2]@0 << + << b@1 where i, j in {0 ... 3}, let k = 1, k < 2 }");
  text::Diagnostics diagnostics;
  auto ast = parse(source, {}, diagnostics);
  ASSERT_NO_THROW(verify(ast));
  damage(ast);
  EXPECT_THROW(verify(ast), std::logic_error);
}

Statement& statement(Ast& ast) { return ast.blocks[0].statements[0]; }
Generator& generator(Ast& ast) { return std::get<Generator>(statement(ast).clauses[0]); }

TEST(Verify, FindsSpansOutsideOfTheirParents) {
  expect_broken([](Ast& ast) { ast.blocks[0].span.end = 1000; });
  expect_broken([](Ast& ast) { ast.blocks[0].modifiers[0].argument.span.end += 1; });
  expect_broken([](Ast& ast) { statement(ast).span.begin += 1; });
  expect_broken([](Ast& ast) { statement(ast).place.dimensions[0].stride->span.end += 2; });
  expect_broken([](Ast& ast) { statement(ast).callable.span.begin -= 10; });
  expect_broken([](Ast& ast) { generator(ast).set.elements[1].span.end += 5; });
}

TEST(Verify, FindsSpansOutOfOrder) {
  expect_broken([](Ast& ast) { std::swap(statement(ast).receiver, statement(ast).sender); });
  expect_broken([](Ast& ast) { std::swap(generator(ast).names[0], generator(ast).names[1]); });
  expect_broken([](Ast& ast) { std::swap(statement(ast).clauses[0], statement(ast).clauses[1]); });
  expect_broken([](Ast& ast) { ast.blocks.push_back(ast.blocks[0]); });
}

TEST(Verify, FindsWhatIsEmptyOrDoesNotFitTogether) {
  expect_broken([](Ast& ast) { ast.source = nullptr; });
  expect_broken([](Ast& ast) { ast.blocks[0].statements.clear(); });
  expect_broken([](Ast& ast) { statement(ast).sender.span.end = statement(ast).sender.span.begin; });
  expect_broken([](Ast& ast) { statement(ast).op = Operator::assign; });
  expect_broken([](Ast& ast) { statement(ast).place.dimensions[0].whole = true; });
  expect_broken([](Ast& ast) { statement(ast).place.dimensions[0].indices = statement(ast).sender; });
  expect_broken([](Ast& ast) { statement(ast).place.dimensions[0].count.reset(); });
  expect_broken([](Ast& ast) { statement(ast).place.dimensions.clear(); });
  expect_broken([](Ast& ast) { generator(ast).set.form = Set::Form::range; });
  expect_broken([](Ast& ast) { generator(ast).names.clear(); });
  expect_broken([](Ast& ast) { generator(ast).names[0].text.clear(); });
}

}  // namespace
}  // namespace kanor::syntax

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Expr.h>

#include <optional>
#include <string_view>

#include "host/facts/steady_variables.hpp"
#include "sema/symbolic.hpp"

namespace kanor::host {

/// Strips parentheses and whatever Clang adds that keeps the value, except for conversions between integers.
const clang::Expr* without_wrapping(const clang::Expr* expression);

/// Returns true if the class has this name, `kanor::team` for instance, or is a specialisation of a template
/// with it.
bool is_class(clang::QualType type, std::string_view name);

/// The expression's value; nothing if the compiler cannot tell it, or if std::int64_t cannot hold it.
std::optional<std::int64_t> constant_value(const clang::Expr* expression, const clang::ASTContext& context);

/// Evaluates expressions without names: tells their value for every size of the block's team, and if they may
/// be evaluated although a clause before them would prevent it. It is not checked here that ranks agree on
/// them: sema/uniformity.hpp follows the whole program's flow for that, and where they do not, the block is
/// in error anyway.
class UniformValues {
 public:
  /// `team` is the block's team, null if that is the world.
  UniformValues(const clang::ASTContext& context, SteadyVariables& variables, const clang::Expr* team)
      : context_(context), variables_(variables), team_(team) {}

  /// The value in terms of integers and the team's size; nothing if unknown.
  std::optional<sema::Symbolic> meaning(const clang::Expr* expression) { return meaning(expression, 0); }
  /// Returns true if the expression names the block's team.
  bool is_team(const clang::Expr* expression) const;
  /// Returns true if the expression contains the team's size, as far as meaning() sees.
  bool mentions_team_size(const clang::Expr* expression);
  /// Returns true if the expression can be evaluated anywhere without error.
  bool is_safe(const clang::Expr* expression);
  std::optional<std::int64_t> constant(const clang::Expr* expression) const;

 private:
  bool team_stays() const;
  std::optional<sema::Symbolic> meaning(const clang::Expr* expression, int depth);
  std::optional<sema::Symbolic> meaning(const clang::BinaryOperator* expression, int depth);
  bool is_safe_call(const clang::CXXMemberCallExpr* call);
  bool is_safe_binary(const clang::BinaryOperator* expression);

  const clang::ASTContext& context_;
  SteadyVariables& variables_;
  const clang::Expr* team_;
};

}  // namespace kanor::host

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Expr.h>

#include <optional>
#include <string_view>

#include "host/facts/steady_variables.hpp"
#include "sema/symbolic.hpp"

namespace kanor::host {

/// Through parentheses and whatever Clang adds that keeps the value, conversions between integers excepted.
const clang::Expr* without_wrapping(const clang::Expr* expression);

/// Whether the class is called so, `kanor::team` for instance; of a template any specialisation.
bool is_class(clang::QualType type, std::string_view name);

/// Nothing where the compiler cannot tell it, and of a number that no std::int64_t holds.
std::optional<std::int64_t> constant_value(const clang::Expr* expression, const clang::ASTContext& context);

/// What is known of expressions without names: what they are for every size of the block's team, and whether
/// they may be evaluated although a clause before them has not let them be. That ranks agree on them is not
/// asked here: sema/uniformity.hpp follows the whole program's flow for it, and where they do not, the block
/// is in error whatever is planned.
class UniformValues {
 public:
  /// `team` is the block's, null if that is the world.
  UniformValues(const clang::ASTContext& context, SteadyVariables& variables, const clang::Expr* team)
      : context_(context), variables_(variables), team_(team) {}

  /// In terms of integers and the team's size; nothing if that is not known.
  std::optional<sema::Symbolic> meaning(const clang::Expr* expression) { return meaning(expression, 0); }
  /// Whether the expression names the block's team.
  bool is_team(const clang::Expr* expression) const;
  /// Whether the team's size is in it, as far as meaning() sees.
  bool mentions_team_size(const clang::Expr* expression);
  /// Whether nothing can go wrong wherever it is evaluated.
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

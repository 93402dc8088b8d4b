// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Expr.h>
#include <clang/AST/ParentMap.h>

namespace kanor::host {

enum class Evaluation {
  never,   ///< in an unevaluated operand: sizeof, noexcept, a requirement
  always,  ///< whenever control reaches it in Clang's graph
  perhaps  ///< not known
};

/// Tells if a part of a statement is evaluated.
Evaluation evaluation_of(const clang::Stmt* part, const clang::ParentMap& parents);

/// Returns true if nothing uses the expression's value.
bool is_discarded(const clang::Expr* expression, const clang::ParentMap& parents);

/// The outermost expression that contains the part.
const clang::Expr* full_expression(const clang::Expr* part, const clang::ParentMap& parents);

/// Returns true if all that the statement does with an expression that is part of it is to evaluate it or to
/// branch on it.
bool only_evaluates(const clang::Stmt* statement);

/// The number of times that the statement names the variable.
int count_names(const clang::Stmt* where, const clang::ValueDecl* variable);

}  // namespace kanor::host

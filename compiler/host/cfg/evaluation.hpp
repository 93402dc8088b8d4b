// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Expr.h>
#include <clang/AST/ParentMap.h>

namespace kanor::host {

enum class Evaluation {
  never,   ///< it stands in an operand that is only looked at: sizeof, noexcept, a requirement
  always,  ///< whenever Clang's graph comes by it
  perhaps  ///< not known
};

/// Whether a part of a statement is evaluated.
Evaluation evaluation_of(const clang::Stmt* part, const clang::ParentMap& parents);

/// Whether nobody uses what the expression gives.
bool is_discarded(const clang::Expr* expression, const clang::ParentMap& parents);

/// The expression that is no part of another one.
const clang::Expr* full_expression(const clang::Expr* part, const clang::ParentMap& parents);

/// A statement that does nothing with an expression that is a part of it but to evaluate it, or to branch.
bool only_evaluates(const clang::Stmt* statement);

/// How often a variable is named.
int count_names(const clang::Stmt* where, const clang::ValueDecl* variable);

}  // namespace kanor::host

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <map>

namespace kanor::host {

/// Recognises conditions that only tell if a process is a forked child. A child is no rank, so the condition
/// is the same on all ranks, whatever process ids fork() returns. fork() is taken to fail on all ranks or on
/// none.
class Forks {
 public:
  /// Returns true for `fork()`, `(pid = fork())` and a variable that holds nothing else, as a condition.
  bool gives_number(const clang::Expr* expression);
  /// Returns true for a comparison of such a number with 0 or -1.
  bool is_asked_for_child(const clang::BinaryOperator* comparison, const clang::ASTContext& context);
  /// Returns true for a switch over such a number with no cases but 0 and -1.
  bool is_asked_for_child(const clang::SwitchStmt* choice, const clang::ASTContext& context);

 private:
  std::map<const clang::VarDecl*, bool> known_;
};

}  // namespace kanor::host

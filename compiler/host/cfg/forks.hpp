// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <map>

namespace kanor::host {

/// Tells what asks only whether a process is a forked child. A child is no rank, so all ranks get the same
/// answer, whatever numbers their children have. That fork() fails is taken to happen to all or none.
class Forks {
 public:
  /// `fork()`, `(pid = fork())`, or a variable that holds nothing else, as a condition.
  bool gives_number(const clang::Expr* expression);
  /// Such a number against 0 or -1.
  bool is_asked_for_child(const clang::BinaryOperator* comparison, const clang::ASTContext& context);
  /// A switch over such a number with no other cases.
  bool is_asked_for_child(const clang::SwitchStmt* choice, const clang::ASTContext& context);

 private:
  std::map<const clang::VarDecl*, bool> known_;
};

}  // namespace kanor::host

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

namespace clang {
class Expr;
class Stmt;
class VarDecl;
}  // namespace clang

namespace kanor::host {

/// A read or write of a variable, or of part of it, that happens whenever a statement is executed.
struct CertainTouch {
  const clang::VarDecl* variable = nullptr;
  const clang::Expr* at = nullptr;
  bool writes = false;
};

/// The reads and writes that are sure to happen in a statement: not those in a branch, a loop's body, a
/// lambda or a called function, nor those that only form an address.
std::vector<CertainTouch> certain_touches(const clang::Stmt* statement);

/// Returns true if control may leave the statement for elsewhere than the next one.
bool may_leave(const clang::Stmt* statement);

}  // namespace kanor::host

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

/// Those of a statement that are sure to happen: what a branch, a loop's body, a lambda or a called function
/// does is not, and neither is what forms an address alone.
std::vector<CertainTouch> certain_touches(const clang::Stmt* statement);

/// Whether the statement may go on elsewhere than behind itself.
bool may_leave(const clang::Stmt* statement);

}  // namespace kanor::host

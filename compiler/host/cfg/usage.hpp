// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/ExprCXX.h>
#include <clang/AST/ParentMap.h>
#include <clang/AST/StmtCXX.h>

#include <optional>
#include <string>
#include <vector>

#include "flow/flow_graph.hpp"

namespace kanor::host {

/// What one naming of an object does to what the object holds. An object is an array, a std::array or a
/// vector; or what a pointer or reference parameter refers to.
struct Usage {
  flow::AccessKind kind = flow::AccessKind::read;
  const clang::Stmt* by = nullptr;              ///< what does it: a part of a statement, or a statement
  std::vector<const clang::Expr*> subscripts;   ///< of an element, null where it is not known which
  const clang::FunctionDecl* callee = nullptr;  ///< of a call
  unsigned parameter = 0;                       ///< of a call
  std::string reason;                           ///< of an escape
};

/// What the naming does, in the order in which it happens; nothing where the object is not evaluated. Follows
/// the expression outwards through subscripts, pointers into the object and known functions: what it has no
/// rule for is an escape, and what does not certainly replace all of this object is no overwrite.
/// `named_by_pointer`: the name is a pointer's, and what that points to is meant.
std::vector<Usage> usages_of(const clang::DeclRefExpr* name, const clang::ParentMap& parents,
                             bool named_by_pointer);

/// The name that a range-based for loops over, by itself or with subscripts; null: something else.
const clang::DeclRefExpr* looped_over(const clang::CXXForRangeStmt* loop);

}  // namespace kanor::host

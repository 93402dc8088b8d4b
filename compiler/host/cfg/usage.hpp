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

/// The effect on an object's contents of one expression that names the object. An object is an array, a
/// std::array or a vector, or whatever a pointer or reference parameter refers to.
struct Usage {
  flow::AccessKind kind = flow::AccessKind::read;
  const clang::Stmt* by = nullptr;             ///< the part of a statement, or statement, that has the effect
  std::vector<const clang::Expr*> subscripts;  ///< select the element; null where unknown
  const clang::FunctionDecl* callee = nullptr;  ///< for a call
  unsigned parameter = 0;                       ///< for a call
  bool only_length = false;                     ///< of a read: of how many elements it has
  std::string reason;                           ///< for an escape
};

/// The effects of naming an object, in the order of execution; none where the object is not evaluated.
/// Follows the expression outwards through subscripts, pointers into the object and known functions. What has
/// no rule is an escape; only what is certain to replace the whole object is an overwrite.
/// `named_by_pointer`: the name is a pointer's, and the object is what that points to.
std::vector<Usage> usages_of(const clang::DeclRefExpr* name, const clang::ParentMap& parents,
                             bool named_by_pointer);

/// The name that a range-based for iterates over, possibly with subscripts; null for any other range.
const clang::DeclRefExpr* looped_over(const clang::CXXForRangeStmt* loop);

}  // namespace kanor::host

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/ExprCXX.h>

#include <map>
#include <set>

namespace kanor::host {

/// How an expression depends on the counters of a nest of loops.
enum class Growth {
  unknown,  ///< in another way, or it may do more than compute a value
  none,     ///< it is the same throughout the nest
  linear    ///< a sum of multiples of the counters, and of what is the same throughout
};

/// Finds addresses that are linear functions of counters. What the nest writes must be no part of what the
/// expressions read.
class LinearAddresses {
 public:
  LinearAddresses(const clang::ASTContext& context, std::set<const clang::VarDecl*> counters)
      : context_(context), counters_(std::move(counters)) {}

  /// Of an expression that designates an object: of its address.
  Growth address(const clang::Expr* object) const { return address(object, {}); }
  /// Of the value of an expression.
  Growth value(const clang::Expr* expression) const { return value(expression, {}); }

 private:
  /// The parameters of the functions whose results are being looked at.
  struct Frame {
    std::map<const clang::VarDecl*, Growth> parameters;
    int depth = 0;
  };

  Growth address(const clang::Expr* object, const Frame& frame) const;
  Growth value(const clang::Expr* expression, const Frame& frame) const;
  Growth pointer(const clang::Expr* expression, const Frame& frame) const;
  Growth of_call(const clang::CallExpr* call, const Frame& frame) const;
  Growth of_name(const clang::DeclRefExpr* name, const Frame& frame) const;
  Growth of_load(const clang::DeclRefExpr* name, const Frame& frame) const;
  Growth arithmetic(const clang::BinaryOperator* sum, const Frame& frame) const;
  bool is_same_throughout(const clang::Stmt* expression, const Frame& frame) const;
  bool only_looks(const clang::CallExpr* call, const Frame& frame) const;
  bool keeps_value(clang::QualType to, clang::QualType from) const;
  bool is_exact(clang::QualType type) const;

  const clang::ASTContext& context_;
  std::set<const clang::VarDecl*> counters_;
};

}  // namespace kanor::host

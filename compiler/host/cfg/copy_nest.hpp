// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/StmtCXX.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace kanor::host {

/// The variable that the expression names; null for others.
const clang::VarDecl* variable_of(const clang::Expr* expression);

/// The variables that a function changes, or that others may change.
class ChangedVariables {
 public:
  /// `is_in_block`: the statement stands for a part of a communicate block.
  ChangedVariables(const clang::Stmt* body, const std::function<bool(const clang::Stmt*)>& is_in_block) {
    look_at(body, nullptr, false, is_in_block);
  }
  /// Notes that something else may change the variable.
  void add(const clang::VarDecl* variable) { ++counts_[variable].references; }

  /// Returns true if the variable may be changed by another name than its own: its address is taken, a
  /// reference is bound to it, or a lambda captures it.
  bool is_referenced(const clang::VarDecl* variable) const { return counts(variable).references > 0; }
  /// Returns true if an assignment or an increment changes it.
  bool is_assigned(const clang::VarDecl* variable) const { return counts(variable).assignments > 0; }

 private:
  struct Counts {
    int assignments = 0, references = 0;
  };
  Counts counts(const clang::VarDecl* variable) const {
    const auto found = counts_.find(variable);
    return found == counts_.end() ? Counts{} : found->second;
  }
  void look_at(const clang::Stmt* statement, const clang::Stmt* parent, bool is_loaded,
               const std::function<bool(const clang::Stmt*)>& is_in_block);

  std::map<const clang::VarDecl*, Counts> counts_;
};

/// `for` loops around each other around one assignment from one element to another.
struct CopyNest {
  struct Loop {
    const clang::VarDecl* counter = nullptr;
    const clang::Expr *first = nullptr, *limit = nullptr;
    long long step = 1;
    bool is_inclusive = false, is_outside = false;
  };
  const clang::ForStmt* outermost = nullptr;
  std::vector<Loop> loops;  ///< the outermost first
  const clang::Expr *target = nullptr, *source = nullptr;
  /// The number that grows by one with each element, and of which element's subscript it is; null: none.
  const clang::VarDecl* running = nullptr;
  const clang::Expr *running_base = nullptr, *running_element = nullptr;
  /// Why it only looks like such a nest, and where.
  std::string obstacle;
  const clang::Stmt* obstacle_at = nullptr;

  bool has_counter(const clang::VarDecl* variable) const;
};

/// Reads a nest; one with an obstacle where it is none. A nest without obstacle has rectangular bounds, both
/// elements have the same plain type, and their addresses are linear functions of the counters, or
/// (`running`) follow each other.
CopyNest read_copy_nest(const clang::ForStmt* loop, const clang::ASTContext& context,
                        const ChangedVariables& changed);

}  // namespace kanor::host

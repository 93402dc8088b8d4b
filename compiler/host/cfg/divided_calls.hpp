// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/ParentMap.h>

#include "host/cfg/mpi_calls.hpp"
#include "host/cfg/statements.hpp"
#include "host/cfg/steady_numbers.hpp"
#include "host/cfg/variables.hpp"

namespace kanor::host {

/// Finds the calls of MPI in a function that can be divided: a send into a call before the loop that computes
/// the elements and one in its own place, a receive into one in its own place and one behind the loop that
/// uses them. The call may be the first, or last, in a branch of an `if` that stands beside the loop.
class DividedCalls {
 public:
  DividedCalls(const clang::FunctionDecl* function, const Places& places, const clang::ParentMap& parents,
               const SteadyNumbers& numbers, const Statements& statements)
      : function_(function), places_(places), parents_(parents), numbers_(numbers), statements_(statements) {}

  /// Notes the message's statement, what forbids dividing its call, and the call's conflicts. The message's
  /// obstacle is known.
  void describe(const clang::CallExpr* call, const MpiEnd& end, flow::Function& function,
                flow::Message& message) const;

 private:
  std::string why_undivided(const clang::CallExpr* call, const MpiEnd& end, flow::Function& function,
                            flow::Message& message) const;
  const clang::Expr* add_changes(const MpiEnd& end, flow::Message& message) const;
  bool add_changes(const clang::Expr* expression, flow::Message& message) const;
  bool add_names(const clang::Stmt* expression, flow::Message& message) const;
  void note_condition(const clang::CallExpr* call, const MpiEnd& end, flow::Message& message) const;
  bool add_status_uses(const clang::Expr* status, flow::Message& message) const;
  bool is_forgotten(const clang::DeclRefExpr* status) const;

  const clang::FunctionDecl* function_;
  const Places& places_;
  const clang::ParentMap& parents_;
  const SteadyNumbers& numbers_;
  const Statements& statements_;
};

}  // namespace kanor::host

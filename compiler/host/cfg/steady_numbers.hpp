// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ParentMap.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "flow/flow_graph.hpp"
#include "flow/shape.hpp"
#include "host/cfg/program_points.hpp"

namespace kanor::host {

/// The integers of a unit whose values are known in part: how small they are at least. They are constants,
/// what MPI_Comm_rank and MPI_Comm_size return, and what is computed from such, in variables that nothing
/// else changes.
class LeastValues {
 public:
  /// `whole_program`: no other file can change the unit's variables.
  LeastValues(const clang::ASTContext& context, bool whole_program)
      : context_(context), whole_program_(whole_program) {}
  /// Notes a function's or an initialiser's statements.
  void look_at(const clang::Stmt* body);

  /// The least value that the expression may have; nothing if that is not known.
  std::optional<long long> of(const clang::Expr* expression) const { return of(expression, 0); }

 private:
  std::optional<long long> of(const clang::Expr* expression, int depth) const;
  std::optional<long long> of(const clang::VarDecl* variable, int depth) const;
  void look_at(const clang::Stmt* statement, const clang::Stmt* parent);
  void note_arguments(const clang::CallExpr* call);
  bool is_given_here(const clang::ParmVarDecl* parameter) const;

  const clang::ASTContext& context_;
  bool whole_program_;
  std::set<const clang::VarDecl*> changed_;              ///< in other ways than the two below
  std::map<const clang::VarDecl*, long long> from_mpi_;  ///< least value that MPI returns
  std::map<const clang::VarDecl*, std::vector<const clang::Expr*>> assigned_;  ///< or given to a parameter
  mutable std::map<const clang::VarDecl*, std::optional<long long>> found_;
  std::set<const clang::FunctionDecl*> used_;  ///< in other ways than being called
};

/// The numbers of one function, in words, by variables that do not change after certain points.
class SteadyNumbers {
 public:
  SteadyNumbers(const clang::ASTContext& context, const clang::FunctionDecl* function,
                const clang::ParentMap& parents, const ProgramPoints& points);

  /// From here on variables that words name may not change.
  void hold_from(ProgramPoint point) { from_.push_back(point); }
  /// Says how the function's nodes follow each other, once they exist.
  void connect(const flow::Function& function) { edges_ = flow::successors(function); }

  /// A constant or words; unknown if a variable may change.
  flow::Quantity quantity(const clang::Expr* expression) const;
  /// The number of elements of `element_bytes` bytes in a number of bytes.
  flow::Quantity elements(const clang::Expr* bytes, long long element_bytes) const;
  /// The statements that may change what the expression is computed from, which are the function's own
  /// numbers; nothing if there may be others.
  std::optional<std::vector<const clang::Stmt*>> changes_of(const clang::Expr* expression) const;

 private:
  struct Change {
    ProgramPoint point;
    const clang::Stmt* by;
  };
  struct Changes {
    bool anywhere = false;
    std::vector<Change> points;
  };

  void look_at(const clang::Stmt* statement);
  void note(const clang::DeclRefExpr* name);
  std::string words(const clang::Expr* expression) const;
  std::string name_of(const clang::VarDecl* variable) const;
  bool is_own_number(const clang::VarDecl* variable) const;
  bool is_steady(const clang::VarDecl* variable) const;
  void factors(const clang::Expr* expression, long long& constant,
               std::vector<const clang::Expr*>& rest) const;

  const clang::ASTContext& context_;
  const clang::FunctionDecl* function_;
  const clang::ParentMap& parents_;
  const ProgramPoints& points_;
  flow::Edges edges_;
  std::vector<ProgramPoint> from_;
  std::map<const clang::VarDecl*, Changes> changes_;
};

/// The value of an integer constant expression; nothing for others, and for numbers of more than 40 bits.
std::optional<long long> constant_of(const clang::Expr* expression, const clang::ASTContext& context);

}  // namespace kanor::host

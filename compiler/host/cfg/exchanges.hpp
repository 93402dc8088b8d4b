// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <utility>
#include <vector>

#include "host/cfg/access_list.hpp"
#include "host/cfg/statements.hpp"
#include "host/facts/parsed_unit.hpp"

namespace kanor::host {

/// Returns true if the block only exchanges, where it stands: it has no modifier but `team` and `copy`.
bool only_exchanges(const syntax::Block& block);

/// The name of the variable that the expression is all or part of: `v` of `v[i].x`. Null if it may be part of
/// something else.
const clang::DeclRefExpr* root_of(const clang::Expr* part);

/// Finds the blocks of a function between whose start and completion other statements may run, with the
/// variables that these statements must leave alone. Such a variable is local, and owns all that it consists
/// of: it is used by its name alone.
class ExchangeFinder {
 public:
  ExchangeFinder(const ParsedUnit& unit, Variables& variables, const Places& places,
                 const clang::FunctionDecl* function)
      : unit_(unit), variables_(variables), places_(places), function_(function) {}

  /// Adds the exchanges to the list's function, and their variables to its objects.
  void find(AccessList& list);
  /// Notes which statements the blocks are. To be called when the statements are known.
  void place(const Statements& statements, flow::Function& function) const;

 private:
  void add(const StatementPieces& pieces, flow::Exchange& made, AccessList& list);
  void add_place(const clang::Expr* place, std::vector<int>& variables, flow::Exchange& made,
                 AccessList& list);
  void add_operands(const clang::Expr* piece, const clang::Expr* except, flow::Exchange& made,
                    AccessList& list);
  void look_at_calls(const clang::Stmt* piece, flow::Exchange& made) const;
  /// Returns the variable's number after adding it to the list's objects; -1 if statements may use it by
  /// other names than its own. `why`: is set then.
  int watch(const clang::ValueDecl* declaration, AccessList& list, std::string& why) const;

  const ParsedUnit& unit_;
  Variables& variables_;
  const Places& places_;
  const clang::FunctionDecl* function_;
  std::vector<std::pair<const FileMap::Entry*, int>> keys_;  ///< of the exchanges: file and block
};

}  // namespace kanor::host

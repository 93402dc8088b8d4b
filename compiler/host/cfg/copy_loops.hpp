// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "host/cfg/access_list.hpp"
#include "host/cfg/copy_loop_facts.hpp"
#include "host/cfg/statements.hpp"
#include "host/facts/parsed_unit.hpp"

namespace kanor::host {

/// Finds the loops beside a function's blocks that only copy the elements of a buffer that a block
/// communicates (flow::CopyLoop).
class CopyLoopFinder {
 public:
  CopyLoopFinder(const ParsedUnit& unit, Variables& variables, const Places& places, BlocksFlow& blocks,
                 const clang::FunctionDecl* function)
      : unit_(unit),
        variables_(variables),
        places_(places),
        blocks_(blocks),
        function_(function),
        changed_(function->getBody(),
                 [&](const clang::Stmt* one) { return places.is_in_block(one->getBeginLoc()); }) {}

  /// Adds the loops to the list's function, and their buffers to its objects.
  void find(AccessList& list);
  /// Notes which statements the loops are. To be called when the statements are known.
  void place(const Statements& statements, const clang::ParentMap& parents, flow::Function& function) const;

 private:
  /// A block in a compound statement, and one of its statements.
  struct Site {
    const StatementKey& key;
    const StatementPieces& pieces;
    const clang::CompoundStmt* around;
    std::ptrdiff_t at;  ///< among the children of `around`
  };

  void look_at(const clang::Stmt* statement, AccessList& list);
  void find_beside(const Site& site, bool unpacks, AccessList& list);
  bool is_found(const clang::Stmt* statement, int block, const flow::Function& function) const;
  bool find_in(const clang::Stmt* statement, LoopBesideBlock& loop) const;
  bool is_inert(const clang::Stmt* statement, bool behind, std::set<const clang::VarDecl*>& written) const;
  bool is_of_own_numbers(const clang::Stmt* expression) const;
  void watch(const clang::VarDecl* variable, AccessList& list);
  const clang::VarDecl* buffer_of(const clang::Expr* piece, const syntax::Operand& operand) const;

  const ParsedUnit& unit_;
  Variables& variables_;
  const Places& places_;
  BlocksFlow& blocks_;
  const clang::FunctionDecl* function_;
  ChangedVariables changed_;
  std::vector<std::pair<const clang::ForStmt*, std::size_t>> loops_;  ///< and their numbers in the function
};

}  // namespace kanor::host

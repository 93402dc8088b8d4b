// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "flow/flow_graph.hpp"
#include "host/cfg/blocks_flow.hpp"
#include "host/cfg/copy_nest.hpp"
#include "host/facts/parsed_unit.hpp"

namespace kanor::host {

/// A copying loop beside a block, as it stands in the text.
struct LoopBesideBlock {
  const StatementKey& key;  ///< of the block's statement
  const StatementPieces& pieces;
  const clang::CompoundStmt* around;       ///< the compound statement that the block is in
  const clang::Stmt* neighbour = nullptr;  ///< of the block: the loop, or what the loop is in
  const clang::VarDecl* buffer = nullptr;
  CopyNest nest;
  std::vector<const clang::Expr*> conditions;  ///< of the branches around the loop
  // What stands between the loop and the block:
  std::set<const clang::VarDecl*> written{};  ///< numbers, and buffers that other loops copy to
  const clang::Stmt* obstacle = nullptr;      ///< what may do more
};

/// Returns true for arrays and vectors of numbers, whose elements lie side by side.
bool is_buffer_of_numbers(clang::QualType type, clang::ASTContext& context);
bool mentions(const clang::Stmt* statement, const clang::VarDecl* variable);

/// Finds out what is known of copying loops beside blocks.
class CopyLoopFacts {
 public:
  CopyLoopFacts(const ParsedUnit& unit, Variables& variables, const Places& places, BlocksFlow& blocks,
                const clang::FunctionDecl* function, const ChangedVariables& changed)
      : unit_(unit),
        variables_(variables),
        places_(places),
        blocks_(blocks),
        function_(function),
        changed_(changed) {}

  /// Fills in the facts, or the obstacle.
  void describe(LoopBesideBlock& loop, flow::CopyLoop& made) const;

 private:
  void check(const LoopBesideBlock& loop, flow::CopyLoop& made) const;
  void check_behind(LoopBesideBlock& loop, flow::CopyLoop& made) const;
  void describe_range(const LoopBesideBlock& loop, flow::CopyLoop& made) const;
  void add_operands(const LoopBesideBlock& loop, flow::CopyLoop& made) const;
  std::optional<long long> value_before(const LoopBesideBlock& loop) const;
  bool is_place(const LoopBesideBlock& loop, const clang::VarDecl* variable) const;
  bool may_read(const clang::Stmt* expression, clang::QualType element, int depth) const;
  bool is_exact(const LoopBesideBlock& loop, bool unpacks) const;
  bool is_steady(const clang::Stmt* expression, const CopyNest& nest, const clang::VarDecl* since) const;
  bool is_own(const clang::VarDecl* variable) const;
  bool spell(const LoopBesideBlock& beside, flow::CopyLoop& made) const;
  std::string text_of(const clang::Expr* expression) const;

  const ParsedUnit& unit_;
  Variables& variables_;
  const Places& places_;
  BlocksFlow& blocks_;
  const clang::FunctionDecl* function_;
  const ChangedVariables& changed_;
};

}  // namespace kanor::host

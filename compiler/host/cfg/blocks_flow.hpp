// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Stmt.h>

#include <map>
#include <vector>

#include "host/cfg/values.hpp"
#include "host/facts/parsed_unit.hpp"
#include "host/facts/steady_variables.hpp"

namespace kanor::host {

/// Makes events of communicate blocks.
class BlocksFlow {
 public:
  BlocksFlow(const ParsedUnit& unit, Values& values);

  /// Adds the events of a block in this function; none if the block has no statements there.
  void lower(const FileMap::Entry* file, int block, const clang::FunctionDecl* function,
             std::vector<flow::Event>& events);

  /// Returns true if every member of the block's team is sure to receive a value of the statement.
  bool everyone_receives(const StatementKey& key, const StatementPieces& pieces);

 private:
  void find_team(const clang::Expr* expression);
  flow::Uses without_team(flow::Uses uses) const;
  void judge(const StatementPieces& pieces, int statement, flow::Event& event);
  void receive(const StatementKey& key, const StatementPieces& pieces);

  const ParsedUnit& unit_;
  Values& values_;
  std::map<std::tuple<const FileMap::Entry*, int, const clang::Decl*>, std::vector<std::size_t>> index_;
  SteadyVariables steady_;
  const clang::Expr* team_ = nullptr;  ///< the block's team, null for the world
  std::vector<int> team_variables_;    ///< the variables that name the team
};

}  // namespace kanor::host

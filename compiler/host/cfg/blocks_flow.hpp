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

  /// The events of a block as it stands in this function; none if it has no statements there.
  void lower(const FileMap::Entry* file, int block, const clang::FunctionDecl* function,
             std::vector<flow::Event>& events);

  /// Whether each member of the block's team surely receives a value of the statement.
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
  const clang::Expr* team_ = nullptr;  ///< the block's, null for the world
  std::vector<int> team_variables_;    ///< those that name it
};

}  // namespace kanor::host

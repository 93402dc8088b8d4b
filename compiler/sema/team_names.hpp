// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "flow/flow_graph.hpp"

namespace kanor::sema {

/// Alias analysis of team variables: finds those that denote the same team from their declaration on, such as
/// a reference, a copy or a grid's team. An agreement within one holds within the others.
class TeamNames {
 public:
  static constexpr int world = -1;

  explicit TeamNames(const flow::FlowGraph& graph);

  /// The representative of all variables that denote the same team, or `world`.
  int root(int variable) const;
  /// Returns true if the variable is an alias of one team as long as it lives.
  bool is_alias(int variable) const { return root(variable) != variable; }
  /// Returns true if nothing in the program makes the variable denote another team.
  bool is_steady(int variable) const { return namings_[static_cast<std::size_t>(variable)] == 0; }

 private:
  std::vector<int> namings_;       ///< by variable: how often it is given a team
  std::vector<flow::Team> means_;  ///< by variable: the team that it was given last
};

}  // namespace kanor::sema

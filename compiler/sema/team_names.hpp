// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "flow/flow_graph.hpp"

namespace kanor::sema {

/// Which team variables mean one team from their declaration on: a reference, a copy, a grid's team. What is
/// said within one of them holds within the others.
class TeamNames {
 public:
  static constexpr int world = -1;

  explicit TeamNames(const flow::FlowGraph& graph);

  /// The variable that stands for all that mean the same team, or `world`.
  int root(int variable) const;
  /// Whether the variable is another name for one team as long as it lives.
  bool is_alias(int variable) const { return root(variable) != variable; }
  /// Whether nothing in the program says that the variable now means another team than it came with.
  bool is_steady(int variable) const { return namings_[static_cast<std::size_t>(variable)] == 0; }

 private:
  std::vector<int> namings_;       ///< by variable: how often it is said which team it means
  std::vector<flow::Team> means_;  ///< by variable: what was said last
};

}  // namespace kanor::sema

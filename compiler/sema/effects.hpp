// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <set>
#include <vector>

#include "flow/flow_graph.hpp"
#include "flow/shape.hpp"

namespace kanor::sema {

/// Facts about functions that hold for every call: the variables they change, and the nodes and variables
/// that each branch controls.
class Effects {
 public:
  /// The graph must live as long.
  explicit Effects(const flow::FlowGraph& graph);

  /// Returns true if several functions touch the variable, or it stands for a member of several objects.
  bool is_shared(int variable) const { return shared_[static_cast<std::size_t>(variable)]; }
  /// The variables that a function itself reads or writes, ascending.
  const std::vector<int>& named(int function) const { return of(function).named; }
  bool is_named(int function, int variable) const;
  /// The shared variables that a function, or what it calls, may write.
  const std::set<int>& changes(int function) const { return of(function).changes; }
  /// Returns true if the function, or one that it calls, has blocks or splits a team.
  bool has_blocks(int function) const { return of(function).has_blocks; }
  /// Returns true if the function, or one that it calls, calls code that is not seen.
  bool calls_unseen(int function) const { return of(function).calls_unseen; }
  /// The shared variables that unseen code may change, by calling functions that were passed to it.
  const std::set<int>& called_back() const { return called_back_; }

  /// The influence of the branch at the end of a node of a function. Computed on demand.
  const flow::Influence& influence(int function, int branch);
  /// The variables that are assigned in the nodes that the branch controls.
  const std::vector<int>& assigned_under(int function, int branch);
  /// Returns true if a node behind this one may name the variable, or the function's callers see it.
  bool is_needed_behind(int function, int node, int variable);
  /// Returns true if the variable is a local one of the function that is not alive at the node.
  bool is_gone(int function, int variable, int node);

 private:
  struct Body {
    flow::Edges edges;
    std::vector<int> post_dominators;
    std::map<int, flow::Influence> influences;  ///< by branch
    std::map<int, std::vector<int>> assigned;   ///< by branch
    std::vector<int> dominators;
    std::map<int, int>
        declared;  ///< by local variable: the node where its life begins; -1 if that is unknown
    std::vector<int> named;
    std::vector<std::vector<bool>> needed_behind;  ///< by node and index into `named`; on demand
    std::set<int> changes;
    bool calls_unseen = false, has_blocks = false;
  };

  const Body& of(int function) const { return bodies_[static_cast<std::size_t>(function)]; }
  void find_shared();
  Body body_of(const flow::Function& function) const;
  void find_changes();
  void find_needed(int function);
  int find_declaration(int function, int variable) const;
  bool dominates(int function, int node, int other) const;

  const flow::FlowGraph& graph_;
  std::vector<bool> shared_;
  std::vector<Body> bodies_;
  std::set<int> called_back_;
};

}  // namespace kanor::sema

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <set>
#include <vector>

#include "flow/flow_graph.hpp"
#include "flow/shape.hpp"

namespace kanor::sema {

/// What follows from the functions' text alone, whoever calls them with which values: which variables they
/// change, and which nodes and variables a branch has a say in.
class Effects {
 public:
  /// The graph must live as long.
  explicit Effects(const flow::FlowGraph& graph);

  /// Whether several functions touch the variable, or an object's other members are the same variable.
  bool is_shared(int variable) const { return shared_[static_cast<std::size_t>(variable)]; }
  /// The variables that a function names itself, ascending: what it reads and writes of its own.
  const std::vector<int>& named(int function) const { return of(function).named; }
  bool is_named(int function, int variable) const;
  /// The shared variables that a function, or what it calls, may write.
  const std::set<int>& changes(int function) const { return of(function).changes; }
  /// Whether it, or what it calls, has blocks, or splits a team.
  bool has_blocks(int function) const { return of(function).has_blocks; }
  /// Whether it, or what it calls, calls code that is not seen.
  bool calls_unseen(int function) const { return of(function).calls_unseen; }
  /// The shared variables that code which is not seen may change, by calling back what it was given.
  const std::set<int>& called_back() const { return called_back_; }

  /// Of the branch at the end of a node of a function. Computed once asked for.
  const flow::Influence& influence(int function, int branch);
  /// The variables that are assigned in the nodes that the branch decides about.
  const std::vector<int>& assigned_under(int function, int branch);
  /// Whether the variable is a local one of the function whose life has ended at the node, or begins after
  /// it.
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
    std::set<int> changes;
    bool calls_unseen = false, has_blocks = false;
  };

  const Body& of(int function) const { return bodies_[static_cast<std::size_t>(function)]; }
  void find_shared();
  Body body_of(const flow::Function& function) const;
  void find_changes();
  int find_declaration(int function, int variable) const;
  bool dominates(int function, int node, int other) const;

  const flow::FlowGraph& graph_;
  std::vector<bool> shared_;
  std::vector<Body> bodies_;
  std::set<int> called_back_;
};

}  // namespace kanor::sema

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "flow/flow_graph.hpp"

/// Dominators, natural loops and branches of a control-flow graph.
namespace kanor::flow {

using Edges = std::vector<std::vector<int>>;

Edges successors(const Function& function);
Edges reversed(const Edges& edges);

/// Nodes in an order in which a node comes before its successors, but for the edges that close loops; those
/// that cannot be reached are left out.
std::vector<int> reverse_postorder(const Edges& edges, int entry);

/// The immediate dominator of each node as seen from `entry`; -1 for `entry` and what cannot be reached. On
/// reversed edges from a function's exit: immediate post-dominators. Almost linear (Cooper, Harvey, Kennedy:
/// A Simple, Fast Dominance Algorithm, 2001).
std::vector<int> immediate_dominators(const Edges& edges, int entry);

/// The natural loops: each head, and which nodes are in the loop, the head among them. Outer ones come before
/// inner ones.
std::vector<std::pair<int, std::vector<bool>>> natural_loops(const Function& function);

/// Returns true if all of its loops are natural ones: each is entered at its header alone.
bool is_reducible(const Function& function);

/// Gives each of the function's loops the natural loop around it as parent, whatever stands around it in the
/// text (a loop in a branch that leaves the outer one is no part of that one), and adds those natural loops
/// that are not among them, of goto, at the end.
void complete_loops(Function& function);

/// How many natural loops each node is in.
std::vector<int> loop_levels(const Function& function);

/// The nodes that a branch controls: ranks that take different ways from it may reach them at different times
/// or not at all. And the joins, where such ways meet again. Both ascend.
struct Influence {
  std::vector<int> nodes;
  std::vector<int> joins;
};

/// The influence of the branch at the end of `node`. `post_dominators` are the function's. Ways that do not
/// reach the exit (of calls that do not return) don't count as ways.
Influence influence(const Edges& edges, int node, const std::vector<int>& post_dominators);

}  // namespace kanor::flow

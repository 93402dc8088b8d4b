// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "flow/shape.hpp"

namespace kanor::flow {

/// Solves a forward dataflow problem by iteration to the fixed point: the state with which each node is
/// entered; nothing for nodes that cannot be reached. `problem` has
///   State entry()                                 what holds at the function's entry
///   void transfer(int node, State& state)         from the node's beginning to its end
///   bool merge(State& into, const State& from)    true if `into` changed
/// and ends if merge() changes a state finitely often.
template <typename State, typename Problem>
std::vector<std::optional<State>> solve_forward(const Function& function, Problem& problem) {
  const Edges edges = successors(function);
  const auto order = reverse_postorder(edges, function.entry);
  std::vector<int> position(function.nodes.size(), -1);
  for (std::size_t at = 0; at < order.size(); ++at)
    position[static_cast<std::size_t>(order[at])] = static_cast<int>(at);
  std::vector<std::optional<State>> states(function.nodes.size());
  states[static_cast<std::size_t>(function.entry)] = problem.entry();
  std::set<int> work{position[static_cast<std::size_t>(function.entry)]};
  while (!work.empty()) {
    const int node = order[static_cast<std::size_t>(*work.begin())];
    work.erase(work.begin());
    State state = *states[static_cast<std::size_t>(node)];
    problem.transfer(node, state);
    for (const int next : edges[static_cast<std::size_t>(node)]) {
      auto& there = states[static_cast<std::size_t>(next)];
      bool changed = !there;
      if (!there)
        there = state;
      else
        changed = problem.merge(*there, state);
      if (changed) work.insert(position[static_cast<std::size_t>(next)]);
    }
  }
  return states;
}

}  // namespace kanor::flow

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "flow/shape.hpp"

namespace kanor::analysis {

/// PATHS(G, s, t): the nodes that lie on a path from s to t, ascending, both ends included; nothing if no
/// path leads there. As printed in the paper the algorithm colours what its edges reach, and so leaves out
/// its own ends wherever no cycle leads back to them (of w -> a -> r it answers {a}). From a node to itself:
/// the node, and the cycles through it. Linear in the edges.
std::vector<int> paths(const flow::Edges& edges, int from, int to);

/// The union of PATHS(G, s, t) for several t; at the same cost.
std::vector<int> paths(const flow::Edges& edges, int from, const std::vector<int>& to);

/// The nodes that at least one edge leads to from `from`, through nodes for which `is_open`; those are
/// reached, but not passed, for which it is false.
template <typename IsOpen>
std::vector<bool> reached_from(const flow::Edges& edges, const std::vector<int>& from,
                               const IsOpen& is_open) {
  std::vector<bool> reached(edges.size());
  std::vector<int> work = from;
  while (!work.empty()) {
    const int node = work.back();
    work.pop_back();
    for (const int next : edges[static_cast<std::size_t>(node)]) {
      if (reached[static_cast<std::size_t>(next)]) continue;
      reached[static_cast<std::size_t>(next)] = true;
      if (is_open(next)) work.push_back(next);
    }
  }
  return reached;
}

}  // namespace kanor::analysis

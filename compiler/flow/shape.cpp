// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "flow/shape.hpp"

#include <algorithm>

namespace kanor::flow {

Edges successors(const Function& function) {
  Edges edges(function.nodes.size());
  for (std::size_t at = 0; at < edges.size(); ++at) edges[at] = function.nodes[at].successors;
  return edges;
}

Edges reversed(const Edges& edges) {
  Edges result(edges.size());
  for (std::size_t from = 0; from < edges.size(); ++from)
    for (const int to : edges[from]) result[static_cast<std::size_t>(to)].push_back(static_cast<int>(from));
  return result;
}

std::vector<int> reverse_postorder(const Edges& edges, int entry) {
  std::vector<int> order;
  std::vector<bool> seen(edges.size());
  std::vector<std::pair<int, std::size_t>> stack{{entry, 0}};
  seen[static_cast<std::size_t>(entry)] = true;
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    const auto& outgoing = edges[static_cast<std::size_t>(node)];
    if (next == outgoing.size()) {
      order.push_back(node);
      stack.pop_back();
      continue;
    }
    const int successor = outgoing[next++];
    if (seen[static_cast<std::size_t>(successor)]) continue;
    seen[static_cast<std::size_t>(successor)] = true;
    stack.emplace_back(successor, 0);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<int> immediate_dominators(const Edges& edges, int entry) {
  const auto order = reverse_postorder(edges, entry);
  const auto incoming = reversed(edges);
  std::vector<int> position(edges.size(), -1), dominator(edges.size(), -1);
  for (std::size_t at = 0; at < order.size(); ++at)
    position[static_cast<std::size_t>(order[at])] = static_cast<int>(at);
  const auto place = [&](int node) { return position[static_cast<std::size_t>(node)]; };
  const auto above = [&](int node) -> int& { return dominator[static_cast<std::size_t>(node)]; };
  above(entry) = entry;
  for (bool changed = true; changed;) {
    changed = false;
    for (const int node : order) {
      if (node == entry) continue;
      int common = -1;
      for (const int from : incoming[static_cast<std::size_t>(node)]) {
        if (above(from) < 0) continue;
        int other = from;
        if (common < 0) common = other;
        while (common != other) {
          while (place(other) > place(common)) other = above(other);
          while (place(common) > place(other)) common = above(common);
        }
      }
      if (above(node) != common) {
        above(node) = common;
        changed = true;
      }
    }
  }
  above(entry) = -1;
  return dominator;
}

std::vector<std::pair<int, std::vector<bool>>> natural_loops(const Function& function) {
  const auto edges = successors(function);
  const auto incoming = reversed(edges);
  const auto dominators = immediate_dominators(edges, function.entry);
  const auto dominates = [&](int head, int node) {
    for (; node >= 0; node = dominators[static_cast<std::size_t>(node)])
      if (node == head) return true;
    return false;
  };
  std::vector<std::pair<int, std::vector<bool>>> loops;
  for (const int head : reverse_postorder(edges, function.entry)) {
    std::vector<bool> inside(edges.size());
    std::vector<int> work;
    for (const int tail : incoming[static_cast<std::size_t>(head)])
      if (dominates(head, tail)) work.push_back(tail);
    if (work.empty()) continue;
    inside[static_cast<std::size_t>(head)] = true;
    while (!work.empty()) {
      const int node = work.back();
      work.pop_back();
      if (inside[static_cast<std::size_t>(node)]) continue;
      inside[static_cast<std::size_t>(node)] = true;
      for (const int from : incoming[static_cast<std::size_t>(node)])
        if (dominates(head, from)) work.push_back(from);
    }
    loops.emplace_back(head, std::move(inside));
  }
  return loops;
}

bool is_reducible(const Function& function) {
  const auto edges = successors(function);
  const auto loops = natural_loops(function);
  const auto order = reverse_postorder(edges, function.entry);
  std::vector<std::size_t> position(edges.size());
  for (std::size_t at = 0; at < order.size(); ++at) position[static_cast<std::size_t>(order[at])] = at;
  for (const int from : order)
    for (const int to : edges[static_cast<std::size_t>(from)]) {
      const bool goes_back =
          position[static_cast<std::size_t>(to)] <= position[static_cast<std::size_t>(from)];
      const bool closes_loop = std::any_of(loops.begin(), loops.end(), [&](const auto& loop) {
        return loop.first == to && loop.second[static_cast<std::size_t>(from)];
      });
      if (goes_back && !closes_loop) return false;
    }
  return true;
}

void complete_loops(Function& function) {
  const auto natural = natural_loops(function);
  const auto loop_of = [&](int header) {
    const auto found = std::find_if(function.loops.begin(), function.loops.end(),
                                    [&](const Loop& loop) { return loop.header == header; });
    return static_cast<int>(found - function.loops.begin());
  };
  for (const auto& [header, inside] : natural)
    if (loop_of(header) == static_cast<int>(function.loops.size()))
      function.loops.emplace_back().header = header;
  for (Loop& loop : function.loops) {
    loop.parent = -1;
    for (const auto& [header, inside] : natural)
      if (header != loop.header && inside[static_cast<std::size_t>(loop.header)])
        loop.parent = loop_of(header);
  }
}

std::vector<int> loop_levels(const Function& function) {
  std::vector<int> levels(function.nodes.size(), 0);
  for (const auto& [head, inside] : natural_loops(function))
    for (std::size_t at = 0; at < levels.size(); ++at) levels[at] += inside[at] ? 1 : 0;
  return levels;
}

Influence influence(const Edges& edges, int node, const std::vector<int>& post_dominators) {
  const int end = post_dominators[static_cast<std::size_t>(node)];
  std::vector<int> ways(edges.size(), 0);
  for (const int start : edges[static_cast<std::size_t>(node)]) {
    std::vector<bool> seen(edges.size());
    std::vector<int> work{start};
    while (!work.empty()) {
      const int at = work.back();
      work.pop_back();
      if (seen[static_cast<std::size_t>(at)]) continue;
      seen[static_cast<std::size_t>(at)] = true;
      ++ways[static_cast<std::size_t>(at)];
      if (at == end || at == node) continue;
      for (const int next : edges[static_cast<std::size_t>(at)]) work.push_back(next);
    }
  }
  Influence result;
  for (std::size_t at = 0; at < ways.size(); ++at) {
    const int index = static_cast<int>(at);
    if (ways[at] == 0) continue;
    if (index == end || ways[at] > 1) result.joins.push_back(index);
    if (index != end) result.nodes.push_back(index);
  }
  return result;
}

}  // namespace kanor::flow

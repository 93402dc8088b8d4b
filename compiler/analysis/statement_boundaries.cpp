// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/statement_boundaries.hpp"

#include "analysis/paths.hpp"

namespace kanor::analysis {
namespace {

/// Adds the steps between known steps of a statement: only a loop around it leads out and back, so paths
/// without such loops stay inside.
void add_between(const Steps& steps, int statement, std::vector<bool>& known) {
  const flow::Function& function = steps.function();
  std::vector<int> inside;
  std::vector<bool> is_around(function.loops.size());
  for (std::size_t step = 0; step < known.size(); ++step) {
    if (!known[step]) continue;
    inside.push_back(static_cast<int>(step));
    for (const int loop : steps.loops[static_cast<std::size_t>(steps.all[step].node)])
      is_around[static_cast<std::size_t>(loop)] =
          !is_within(function, function.loops[static_cast<std::size_t>(loop)].statement, statement);
  }
  flow::Edges edges(known.size());
  for (std::size_t from = 0; from < edges.size(); ++from)
    for (const int to : steps.next[from]) {
      const bool closes_loop = [&] {
        for (const int loop : steps.loops[static_cast<std::size_t>(steps[to].node)])
          if (is_around[static_cast<std::size_t>(loop)] && steps.is_in_loop(steps.all[from].node, loop) &&
              to ==
                  steps
                      .first[static_cast<std::size_t>(function.loops[static_cast<std::size_t>(loop)].header)])
            return true;
        return false;
      }();
      if (!closes_loop) edges[from].push_back(to);
    }
  const auto any = [](int) { return true; };
  const auto after = reached_from(edges, inside, any);
  const auto before = reached_from(flow::reversed(edges), inside, any);
  for (std::size_t step = 0; step < known.size(); ++step)
    known[step] = known[step] || (after[step] && before[step]);
}

bool contains(const flow::Location& outer, const flow::Location& inner) {
  return outer.source != nullptr && outer.source == inner.source && outer.span.contains(inner.span);
}

}  // namespace

StatementBoundaries::StatementBoundaries(const Steps& steps) : steps_(steps) {
  const flow::Function& function = steps.function();
  known_.assign(function.statements.size(), std::vector<bool>(steps.all.size()));
  const auto mark = [&](int statement, int step) {
    for (; statement >= 0; statement = function.statements[static_cast<std::size_t>(statement)].parent)
      known_[static_cast<std::size_t>(statement)][static_cast<std::size_t>(step)] = true;
  };
  for (std::size_t step = 0; step < steps.all.size(); ++step) {
    const int index = static_cast<int>(step);
    mark(steps.statement(index), index);
    for (const int loop : steps.loops[static_cast<std::size_t>(steps[index].node)])
      mark(function.loops[static_cast<std::size_t>(loop)].statement, index);
  }
  is_loop_.resize(function.statements.size());
  for (const flow::Loop& loop : function.loops)
    if (loop.statement >= 0) is_loop_[static_cast<std::size_t>(loop.statement)] = true;
  for (std::size_t at = 0; at < function.nodes.size(); ++at) {
    const flow::Node& node = function.nodes[at];
    if (node.successors.size() < 2) continue;
    bool is_loops = false;
    for (const flow::Loop& loop : function.loops)
      is_loops = is_loops || (loop.header == static_cast<int>(at) && loop.statement >= 0);
    if (node.condition_at.source == nullptr && !node.condition.empty() && !is_loops)
      has_unknown_branch_ = true;
    for (std::size_t statement = 0; statement < function.statements.size(); ++statement)
      if (contains(function.statements[statement].at, node.condition_at))
        known_[statement][static_cast<std::size_t>(steps.last[at])] = true;
  }
  for (std::size_t statement = 0; statement < known_.size(); ++statement)
    add_between(steps, static_cast<int>(statement), known_[statement]);
}

bool StatementBoundaries::are_known(int statement) const {
  return !has_unknown_branch_ || is_loop_[static_cast<std::size_t>(statement)];
}

std::vector<std::pair<int, int>> StatementBoundaries::edges(int statement, bool inwards) const {
  const auto& inside = known(statement);
  std::vector<std::pair<int, int>> found;
  for (std::size_t step = 0; step < inside.size(); ++step)
    for (const int to : steps_.next[step])
      if (inside[step] != inwards && inside[static_cast<std::size_t>(to)] == inwards)
        found.emplace_back(static_cast<int>(step), to);
  return found;
}

}  // namespace kanor::analysis

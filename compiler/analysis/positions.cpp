#include "analysis/positions.hpp"

namespace kanor::analysis {
namespace {

bool contains(const flow::Location& outer, const flow::Location& inner) {
  return outer.source != nullptr && outer.source == inner.source && outer.span.contains(inner.span);
}

}  // namespace

Positions::Positions(const Steps& steps) : steps_(steps) {
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
  for (std::size_t at = 0; at < function.nodes.size(); ++at) {
    const flow::Node& node = function.nodes[at];
    if (node.successors.size() < 2) continue;
    bool is_loops = false;
    for (const flow::Loop& loop : function.loops)
      is_loops = is_loops || (loop.header == static_cast<int>(at) && loop.statement >= 0);
    if (node.condition_at.source == nullptr && !is_loops) has_unknown_branch_ = true;
    for (std::size_t statement = 0; statement < function.statements.size(); ++statement)
      if (contains(function.statements[statement].at, node.condition_at))
        known_[statement][static_cast<std::size_t>(steps.last[at])] = true;
  }
}

std::vector<std::pair<int, int>> Positions::entries(int statement) const {
  const auto& inside = known(statement);
  std::vector<std::pair<int, int>> found;
  for (std::size_t step = 0; step < inside.size(); ++step)
    for (const int to : steps_.next[step])
      if (!inside[step] && inside[static_cast<std::size_t>(to)])
        found.emplace_back(static_cast<int>(step), to);
  return found;
}

std::vector<std::pair<int, int>> Positions::exits(int statement) const {
  const auto& inside = known(statement);
  std::vector<std::pair<int, int>> found;
  for (std::size_t step = 0; step < inside.size(); ++step)
    for (const int to : steps_.next[step])
      if (inside[step] && !inside[static_cast<std::size_t>(to)])
        found.emplace_back(static_cast<int>(step), to);
  return found;
}

}  // namespace kanor::analysis

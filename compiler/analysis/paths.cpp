#include "analysis/paths.hpp"

namespace kanor::analysis {

std::vector<int> paths(const flow::Edges& edges, int from, int to) {
  const auto any = [](int) { return true; };
  auto after = reached_from(edges, {from}, any);
  auto before = reached_from(flow::reversed(edges), {to}, any);
  if (from != to && !after[static_cast<std::size_t>(to)]) return {};
  after[static_cast<std::size_t>(from)] = true;
  before[static_cast<std::size_t>(to)] = true;
  std::vector<int> found;
  for (std::size_t at = 0; at < edges.size(); ++at)
    if (after[at] && before[at]) found.push_back(static_cast<int>(at));
  return found;
}

}  // namespace kanor::analysis

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/paths.hpp"

namespace kanor::analysis {

std::vector<int> paths(const flow::Edges& edges, int from, int to) {
  return paths(edges, from, std::vector<int>{to});
}

std::vector<int> paths(const flow::Edges& edges, int from, const std::vector<int>& to) {
  const auto any = [](int) { return true; };
  auto after = reached_from(edges, {from}, any);
  after[static_cast<std::size_t>(from)] = true;
  std::vector<int> ends;
  for (const int end : to)
    if (after[static_cast<std::size_t>(end)]) ends.push_back(end);
  auto before = reached_from(flow::reversed(edges), ends, any);
  for (const int end : ends) before[static_cast<std::size_t>(end)] = true;
  std::vector<int> found;
  for (std::size_t at = 0; at < edges.size(); ++at)
    if (after[at] && before[at]) found.push_back(static_cast<int>(at));
  return found;
}

}  // namespace kanor::analysis

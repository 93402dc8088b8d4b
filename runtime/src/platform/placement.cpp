// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/placement.hpp"

#include <algorithm>

namespace kanor::rt {

std::vector<Processors> place_ranks(const Topology& nodes, int ranks) {
  if (nodes.size() < 2 || ranks < 1) return {};
  long cores = 0;
  for (const NumaNode& node : nodes) cores += node.cores;

  // Measured in parts of a core, `ranks` of them in each: then shares are whole numbers, `cores` parts each.
  const long share = cores;
  const bool on_one = static_cast<std::size_t>(ranks) >= nodes.size();
  std::vector<Processors> places;
  for (long rank = 0; rank < ranks; ++rank) {
    const long from = rank * share, to = from + share;
    Processors place;
    long begin = 0, most = 0;
    for (const NumaNode& node : nodes) {
      const long end = begin + long{node.cores} * ranks;
      const long overlap = std::min(end, to) - std::max(begin, from);
      begin = end;
      if (overlap <= 0 || (on_one && overlap <= most)) continue;
      most = overlap;
      if (on_one) place.clear();
      place.insert(place.end(), node.processors.begin(), node.processors.end());
    }
    std::sort(place.begin(), place.end());
    places.push_back(std::move(place));
  }
  return places;
}

int number_of_place(const std::vector<Processors>& places, int rank) {
  int number = 0;
  for (std::size_t i = 1; i < places.size() && i <= static_cast<std::size_t>(rank); ++i)
    number += places[i] != places[i - 1];
  return number;
}

}  // namespace kanor::rt

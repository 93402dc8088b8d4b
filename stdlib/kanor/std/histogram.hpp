// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the elements of a distributed sequence by their values.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <vector>

namespace kanor {

/// Returns on every member how many elements of all members' vectors are in each bin. Bin k has the
/// elements from edges[k] up to, but not including, edges[k + 1]; elements before the first or from the last
/// edge on are not counted. `less(a, b)` is a strict weak order, the same on all members. Executes one block
/// of the team, a sum of the bins' counts, so all members must call it, with the same edges. Throws
/// std::invalid_argument unless the edges are sorted and at least two.
template <class T, std::strict_weak_order<const T&, const T&> Compare = std::less<>>
std::vector<long> histogram(const std::vector<T>& values, [[kanor::uniform]] const std::vector<T>& edges,
                            Compare less = {}, const team& members = world,
                            call_site where = call_site::current()) {
  const detail::call call("kanor::histogram", where);
  if (edges.size() < 2 || !std::is_sorted(edges.begin(), edges.end(), less))
    throw std::invalid_argument(call.text("the edges must be sorted and at least two"));
  std::vector<long> own(edges.size() - 1), all;
  for (const T& value : values) {
    const auto next = std::upper_bound(edges.begin(), edges.end(), value, less);
    if (next != edges.begin() && next != edges.end()) ++own[static_cast<std::size_t>(next - edges.begin()) - 1];
  }
  @communicate (team = members) { all@i << + << own@j where i in members, j in members }
  return all;
}

}  // namespace kanor

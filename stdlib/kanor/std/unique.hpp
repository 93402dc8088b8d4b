// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Removes elements that are equal to those before them, also across ranks.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>
#include <kanor/std/gather.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <vector>

namespace kanor {

/// The members' vectors, joined in the order of ranks, are one sequence. Removes each element that is
/// equal to the one before it. The others stay on their ranks; rebalance() distributes them evenly.
/// `equal(a, b)` is an equivalence, the same on all members. Executes one block of the team, in which
/// each member sends one element to the others, so all must call it. `T` must travel and be copyable.
template <std::copyable T, std::predicate<const T&, const T&> Equal = std::equal_to<>>
void unique(std::vector<T>& values, Equal equal = {}, const team& members = world,
            call_site where = call_site::current()) {
  const detail::call call("kanor::unique", where);
  values.erase(std::unique(values.begin(), values.end(), equal), values.end());
  const auto last = values.empty() ? values.end() : values.end() - 1;
  const std::vector<std::vector<T>> lasts = all_gather(std::vector<T>(last, values.end()), members);
  for (auto before = static_cast<std::size_t>(members.rank()); before-- > 0;) {
    if (lasts[before].empty()) continue;
    if (!values.empty() && equal(lasts[before].front(), values.front())) values.erase(values.begin());
    return;
  }
}

}  // namespace kanor

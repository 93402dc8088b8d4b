// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Algorithms that put the elements of a distributed sequence into another order.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>
#include <kanor/std/detail/place_runs.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

// The members' vectors, joined in the order of ranks, are one sequence. Each function executes two blocks
// of the team, so all members must call it, with the same arguments but for the vector: they tell each
// other how many elements they have, then each element is sent once, at most. Vectors may be of any
// lengths. `T` must travel, be copyable and have a default constructor.

namespace kanor {

/// Distributes the elements evenly: afterwards rank r of the team has the elements block_range(n, r) of the
/// same sequence, n being the number of all elements.
template <std::default_initializable T>
void rebalance(std::vector<T>& values, const team& members = world, call_site where = call_site::current()) {
  const detail::call call("kanor::rebalance", where);
  const std::vector<long> starts = detail::starts_of(values, members);
  const auto runs = detail::whole_runs(starts, [&](std::size_t rank) { return starts[rank]; });
  const std::vector<long> ends = detail::even_starts(starts.back(), members);
  const auto own = static_cast<std::size_t>(members.rank());
  std::vector<T> placed(static_cast<std::size_t>(ends[own + 1] - ends[own]));
  detail::place_runs(values, std::move(placed), runs, ends, members);
}

/// Reverses the order of the elements. The vectors keep their lengths.
template <std::default_initializable T>
void reverse(std::vector<T>& values, const team& members = world, call_site where = call_site::current()) {
  const detail::call call("kanor::reverse", where);
  const std::vector<long> starts = detail::starts_of(values, members);
  const auto runs =
      detail::whole_runs(starts, [&](std::size_t rank) { return starts.back() - starts[rank + 1]; });
  std::reverse(values.begin(), values.end());
  detail::place_runs(values, std::vector<T>(values.size()), runs, starts, members);
}

/// Moves each element `by` positions towards the end, or towards the beginning if `by` is negative. Elements
/// that leave the sequence are lost; where none arrives, `fill` stands. The vectors keep their lengths. Throws
/// std::invalid_argument if members have different `by`.
template <std::default_initializable T>
void shift(std::vector<T>& values, [[kanor::uniform]] long by, const std::type_identity_t<T>& fill = {},
           const team& members = world, call_site where = call_site::current()) {
  const detail::call call("kanor::shift", where);
  const std::vector<long> starts = detail::starts_of(values, by, call, members);
  by = std::clamp(by, -starts.back(), starts.back());
  const auto runs = detail::whole_runs(starts, [&](std::size_t rank) { return starts[rank] + by; });
  detail::place_runs(values, std::vector<T>(values.size(), fill), runs, starts, members);
}

/// Moves each element `by` positions towards the end, or towards the beginning if `by` is negative. Elements
/// that leave the sequence at one end come back at the other. The vectors keep their lengths. Throws
/// std::invalid_argument if members have different `by`.
template <std::default_initializable T>
void rotate(std::vector<T>& values, [[kanor::uniform]] long by, const team& members = world,
            call_site where = call_site::current()) {
  const detail::call call("kanor::rotate", where);
  const std::vector<long> starts = detail::starts_of(values, by, call, members);
  const long all = starts.back();
  if (all == 0) return;
  by = (by % all + all) % all;
  std::vector<std::vector<detail::run>> runs;
  for (std::size_t rank = 0; rank + 1 < starts.size(); ++rank) {
    // The elements from position all - by on come back at the beginning.
    const long staying = std::clamp(all - by, starts[rank], starts[rank + 1]);
    runs.push_back({{starts[rank] + by, staying - starts[rank]},
                    {staying + by - all, starts[rank + 1] - staying}});
  }
  detail::place_runs(values, std::vector<T>(values.size()), runs, starts, members);
}

/// Moves the elements for which `predicate(element)` is true before all others; both parts keep their order.
/// Returns the number of the former. Calls the predicate once for each element, on the member that has it.
/// The vectors keep their lengths.
template <std::default_initializable T, std::predicate<const T&> Predicate>
long partition(std::vector<T>& values, Predicate predicate, const team& members = world,
               call_site where = call_site::current()) {
  const detail::call call("kanor::partition", where);
  const auto middle = std::stable_partition(values.begin(), values.end(), [&](const T& value) {
    return static_cast<bool>(std::invoke(predicate, value));
  });
  // How many elements each member has in the first part, and in the second.
  const std::array<long, 2> own{middle - values.begin(), values.end() - middle};
  const std::vector<std::array<long, 2>> counts = all_gather(own, members);
  long chosen = 0;
  for (const auto& count : counts) chosen += count[0];
  std::vector<long> starts{0};
  std::vector<std::vector<detail::run>> runs;
  long first = 0, second = chosen;
  for (const auto& count : counts) {
    runs.push_back({{first, count[0]}, {second, count[1]}});
    first += count[0];
    second += count[1];
    starts.push_back(starts.back() + count[0] + count[1]);
  }
  detail::place_runs(values, std::vector<T>(values.size()), runs, starts, members);
  return chosen;
}

}  // namespace kanor

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element that a distributed sequence would have at a position if it were sorted.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>
#include <kanor/std/detail/split.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace kanor {

/// Returns on every member the element that stands at position `n` (from 0) once the elements of all
/// members' vectors are sorted, such as a median. The vectors stay as they are. `less(a, b)` is a strict
/// weak order, the same on all members. Of equivalent elements any may be returned, the same on all
/// members. Throws std::out_of_range if `n` is negative, or not less than the number of elements, and
/// std::invalid_argument if members have different `n`. `T` must travel, be copyable and have a default
/// constructor.
///
/// Executes O(log of the number of elements) rounds of two blocks with small messages: each member sends
/// an element to the others. All members must call it, with the same `n`. A member's work grows linearly
/// with its elements.
template <std::default_initializable T, std::strict_weak_order<const T&, const T&> Compare = std::less<>>
T nth_element(const std::vector<T>& values, [[kanor::uniform]] long n, Compare less = {},
              const team& members = world, call_site where = call_site::current()) {
  const detail::call call("kanor::nth_element", where);
  const auto size = static_cast<std::size_t>(members.size());
  std::vector<T> open = values;  // what may still be the element
  std::vector<std::vector<detail::middle_element<T>>> offers(size);
  for (long before = 0;;) {  // so many elements are known to stand before all open ones
    std::vector<detail::middle_element<T>> middle(1);
    middle.front().position = n;  // its own position does not matter here
    if (!open.empty()) {
      const auto at = open.begin() + static_cast<long>(open.size() / 2);
      std::nth_element(open.begin(), at, open.end(), less);
      middle.front() = {*at, n, static_cast<long>(open.size())};
    }
    @communicate (team = members) {
      offers[static_cast<std::size_t>(i)]@j <<= middle@i where i in members, j in members
    }
    long all = 0;
    for (const auto& offer : offers) {
      if (const long other = offer.front().position; other != n)
        throw std::invalid_argument(call.text("a member asks for position " + std::to_string(other) +
                                              ", and this one for position " + std::to_string(n)));
      all += offer.front().weight;
    }
    if (n < before || n >= before + all)
      throw std::out_of_range(
          call.text("position " + std::to_string(n) + " of " + std::to_string(all) + " elements"));
    const T pivot = offers[static_cast<std::size_t>(detail::median_of(offers, 0, less))].front().value;

    const auto equal = std::partition(open.begin(), open.end(), [&](const T& value) { return less(value, pivot); });
    const auto larger = std::partition(equal, open.end(), [&](const T& value) { return !less(pivot, value); });
    long smaller_here = equal - open.begin(), equal_here = larger - equal, smaller = 0, equivalent = 0;
    @communicate (team = members) {
      smaller@i << + << smaller_here@j where i in members, j in members;
      equivalent@i << + << equal_here@j where i in members, j in members
    }
    if (n < before + smaller) {
      open.erase(equal, open.end());
    } else if (n < before + smaller + equivalent) {
      return pivot;
    } else {
      open.erase(open.begin(), larger);
      before += smaller + equivalent;
    }
  }
}

}  // namespace kanor

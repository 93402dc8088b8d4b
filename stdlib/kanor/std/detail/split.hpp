// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where sorted vectors are cut, so that each member of a team gets equally many elements.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/block_range.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace kanor::detail {

/// The part of a member's elements in which a border may still lie: before `first` all elements are
/// left of the border, from `last` on all are right of it.
struct border_window {
  long first = 0;
  long last = 0;
};

/// The middle element of a member's window, and how many elements the window has. If it has none,
/// the value has no meaning.
template <class T>
struct middle_element {
  T value{};
  long position = 0;
  long weight = 0;
};

/// The rank whose middle element is a weighted median of all: it has at least a quarter of the
/// windows' elements on each side. Equivalent elements are ordered by rank. -1 if all windows are
/// empty. `offers[rank]` are the middle elements of one rank, `border` is the index among them.
template <class T, class Compare>
int median_of(const std::vector<std::vector<middle_element<T>>>& offers, std::size_t border, Compare& less) {
  std::vector<std::size_t> ranks;
  long all = 0;
  for (std::size_t rank = 0; rank < offers.size(); ++rank) {
    if (offers[rank][border].weight == 0) continue;
    ranks.push_back(rank);
    all += offers[rank][border].weight;
  }
  std::stable_sort(ranks.begin(), ranks.end(), [&](std::size_t a, std::size_t b) {
    return less(offers[a][border].value, offers[b][border].value);
  });
  long until = 0;
  for (std::size_t rank : ranks) {
    until += offers[rank][border].weight;
    if (2 * until >= all) return static_cast<int>(rank);
  }
  return -1;
}

/// How many of this member's sorted elements stand before the middle element of rank `owner`, in the
/// order of value, rank and position.
template <class T, class Compare>
long count_before(const std::vector<T>& values, const middle_element<T>& element, int owner, int me,
                  Compare& less) {
  if (owner == me) return element.position;
  const auto found = me < owner ? std::upper_bound(values.begin(), values.end(), element.value, less)
                                : std::lower_bound(values.begin(), values.end(), element.value, less);
  return found - values.begin();
}

/// Each member's `values` are sorted. Returns where this member cuts them: what lies from border k to
/// border k + 1 belongs to rank k, the first border is 0, and the last one the number of elements. The
/// part of rank k is block_range(n, k) of the sequence of all n elements, in the order of value, rank and
/// position.
///
/// All borders are found at the same time, by bisection. In each round the members offer the middle
/// elements of their windows, and count what stands before the median of these. This leaves at most
/// three quarters of the elements in the windows, so there are O(log n) rounds of two blocks.
template <class T, class Compare>
std::vector<long> split_evenly(const std::vector<T>& values, Compare& less, const team& members) {
  const int me = members.rank();
  const auto size = static_cast<std::size_t>(members.size());
  const long own = static_cast<long>(values.size());
  long all = 0;
  @communicate (team = members) { all@i << + << own@j where i in members, j in members }

  std::vector<border_window> windows(size - 1, {0, own});
  std::vector<std::vector<middle_element<T>>> offers(size);
  std::vector<long> before(size), sums(size);
  long open = all;  // so many elements all windows had when the round began
  while (open > 0) {
    long mine = 0;
    std::vector<middle_element<T>> middles(windows.size());
    for (std::size_t border = 0; border < windows.size(); ++border) {
      const auto [first, last] = windows[border];
      if (first == last) continue;
      const long middle = first + (last - first) / 2;
      middles[border] = {values[static_cast<std::size_t>(middle)], middle, last - first};
      mine += last - first;
    }
    @communicate (team = members) { 
      offers[static_cast<std::size_t>(i)]@j <<= middles@i where i in members, j in members
    }

    std::vector<int> owners(windows.size());
    for (std::size_t border = 0; border < windows.size(); ++border) {
      const int owner = owners[border] = median_of(offers, border, less);
      if (owner < 0) continue;
      before[border] = count_before(values, offers[static_cast<std::size_t>(owner)][border], owner, me, less);
    }
    @communicate (team = members) {
      sums@i << + << before@j where i in members, j in members;
      open@i << + << mine@j where i in members, j in members
    }

    for (std::size_t border = 0; border < windows.size(); ++border) {
      if (owners[border] < 0) continue;
      // The median itself stands left of the border if there is still room before it.
      const long room = block_range(all, static_cast<long>(border), members).end - sums[border];
      border_window& window = windows[border];
      if (room >= 0) window.first = std::max(window.first, before[border] + (room > 0 && owners[border] == me));
      if (room <= 0) window.last = std::min(window.last, before[border]);
    }
  }

  std::vector<long> borders(size + 1, 0);
  for (std::size_t border = 0; border < windows.size(); ++border) borders[border + 1] = windows[border].first;
  borders[size] = own;
  return borders;
}

}  // namespace kanor::detail

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts elements that are distributed over the members of a team.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/deal.hpp>
#include <kanor/std/detail/split.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

namespace kanor {
namespace detail {

/// Merges sorted runs that follow each other; run i ends at `ends[i]`. Equivalent elements keep their
/// order. `spare` is memory: its contents do not matter.
template <class T, class Compare>
void merge_runs(std::vector<T>& values, std::vector<long> ends, std::vector<T>& spare, const Compare& less) {
  spare.resize(values.size());
  while (ends.size() > 1) {
    std::vector<long> merged;
    for (std::size_t run = 0; run < ends.size(); run += 2) {
      const long first = run == 0 ? 0 : ends[run - 1], middle = ends[run];
      merged.push_back(run + 1 < ends.size() ? ends[run + 1] : middle);
      const auto from = [&](long position) { return std::make_move_iterator(values.begin() + position); };
      std::merge(from(first), from(middle), from(middle), from(merged.back()), spare.begin() + first, less);
    }
    values.swap(spare);
    ends = std::move(merged);
  }
}

/// The common part of the two sorts: each member's values are sorted already.
template <class T, class Compare>
void sort_sorted(std::vector<T>& values, const Compare& less, const team& members) {
  const auto size = static_cast<std::size_t>(members.size());
  const std::vector<long> borders = split_evenly(values, less, members);
  std::vector<long> leaving(size), arriving(size);
  for (std::size_t to = 0; to < size; ++to) leaving[to] = borders[to + 1] - borders[to];
  @communicate (team = members) { arriving[i]@j <<= leaving[j]@i where i in members, j in members }

  std::vector<long> ends(size);
  long all = 0;
  for (std::size_t from = 0; from < size; ++from) ends[from] = all += arriving[from];
  std::vector<T> mine(static_cast<std::size_t>(all));
  @communicate (team = members) {
    mine[ends[i] - arriving[i] : arriving[i]]@j <<= values[borders[j] : leaving[j]]@i
        where i in members, j in members
  }
  merge_runs(mine, std::move(ends), values, less);
  values.swap(mine);
}

}  // namespace detail

/// Sorts the elements of all members' vectors. Afterwards rank r of the team has the elements from
/// first_row(n, r) to the next rank's first one of the sorted sequence, n being the number of all
/// elements: as evenly as possible, even if many elements are equivalent. The result is the same for
/// every kind of rank. `less(a, b)` is a strict weak order, the same on all members. `T` must travel,
/// be copyable and have a default constructor; for `bool` use `char`.
///
/// Each member sorts its own elements, then the members find the borders by bisection, and each element
/// is sent once at most. All members must call it. Executes about 2 log n blocks of small messages
/// (elements and counts, size of the team in number) and one of large ones.
template <class T, class Compare = std::less<>>
void sort(std::vector<T>& values, Compare less = {}, const team& members = world) {
  std::sort(values.begin(), values.end(), less);
  detail::sort_sorted(values, less, members);
}

/// The same, and equivalent elements keep their order: first by rank, then by position.
template <class T, class Compare = std::less<>>
void stable_sort(std::vector<T>& values, Compare less = {}, const team& members = world) {
  std::stable_sort(values.begin(), values.end(), less);
  detail::sort_sorted(values, less, members);
}

}  // namespace kanor

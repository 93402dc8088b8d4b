// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts elements that are distributed over the members of a team.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/block_range.hpp>
#include <kanor/std/detail/call.hpp>
#include <kanor/std/detail/split.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

namespace kanor {
namespace detail {

/// Merges sorted runs that follow each other; run i ends at `ends[i]`. Equivalent elements keep their
/// order.
template <class T, class Compare>
void merge_runs(std::vector<T>& values, std::vector<long> ends, Compare& less) {
  std::vector<T> spare(ends.size() > 1 ? values.size() : 0);
  // std::merge would pass it elements that are about to be moved.
  const auto in_place = [&less](const T& one, const T& other) { return less(one, other); };
  while (ends.size() > 1) {
    std::vector<long> merged;
    for (std::size_t run = 0; run < ends.size(); run += 2) {
      const long first = run == 0 ? 0 : ends[run - 1], middle = ends[run];
      merged.push_back(run + 1 < ends.size() ? ends[run + 1] : middle);
      const auto from = [&](long position) { return std::make_move_iterator(values.begin() + position); };
      std::merge(from(first), from(middle), from(middle), from(merged.back()), spare.begin() + first, in_place);
    }
    values.swap(spare);
    ends = std::move(merged);
  }
}

/// Keeps the elements from `first` to `last`, and puts `gap` elements before them, which are to be
/// overwritten.
template <class T>
void keep_behind_gap(std::vector<T>& values, long first, long last, long gap) {
  const auto size = static_cast<std::size_t>(gap + last - first);
  if (size > values.size()) values.resize(size);
  const auto begin = values.begin() + first, end = values.begin() + last;
  if (gap < first) std::move(begin, end, values.begin() + gap);
  if (gap > first) std::move_backward(begin, end, values.begin() + static_cast<long>(size));
  values.resize(size);
}

/// Merges `earlier` into the gap of its size at the front of `values`, without more memory: what is
/// written never overtakes what is still to be read. Of equivalent elements, those of `earlier` come
/// first.
template <class T, class Compare>
void merge_into_front(std::vector<T>& values, std::vector<T>& earlier, Compare& less) {
  auto out = values.begin(), other = out + static_cast<long>(earlier.size());
  for (auto one = earlier.begin(); one != earlier.end();) {
    const bool takes_other = other != values.end() && less(*other, *one);
    *out++ = std::move(takes_other ? *other++ : *one++);
  }
}

/// Merges `later` into `values`, from the last elements to the first. Of equivalent elements, those of
/// `later` come last.
template <class T, class Compare>
void merge_into_back(std::vector<T>& values, std::vector<T>& later, Compare& less) {
  long other = static_cast<long>(values.size());
  values.resize(values.size() + later.size());
  auto out = values.end();
  for (auto one = later.end(); one != later.begin();) {
    const bool takes_other = other > 0 && less(one[-1], values[static_cast<std::size_t>(other) - 1]);
    *--out = std::move(takes_other ? values[static_cast<std::size_t>(--other)] : *--one);
  }
}

/// The common part of the two sorts: each member's values are sorted already. What a member keeps stays
/// in its vector; the parts from lower and from higher ranks arrive in two others.
template <class T, class Compare>
void sort_sorted(std::vector<T>& values, Compare& less, const team& members) {
  const int me = members.rank();
  const auto size = static_cast<std::size_t>(members.size()), own = static_cast<std::size_t>(me);
  const std::vector<long> borders = split_evenly(values, less, members);
  std::vector<long> leaving(size), arriving(size);
  for (std::size_t to = 0; to < size; ++to) leaving[to] = borders[to + 1] - borders[to];
  @communicate (team = members) {
    arriving[static_cast<std::size_t>(i)]@j <<= leaving[static_cast<std::size_t>(j)]@i
        where i in members, j in members
  }

  std::vector<long> ends(size);  // within the vector that the part arrives in
  for (std::size_t from = 0; from < size; ++from)
    ends[from] = from == own ? 0 : arriving[from] + (from == 0 ? 0 : ends[from - 1]);
  std::vector<T> earlier(static_cast<std::size_t>(own == 0 ? 0 : ends[own - 1]));
  std::vector<T> later(static_cast<std::size_t>(ends.back()));
  @communicate (team = members) {
    earlier[ends[from] - arriving[from] : arriving[from]]@j <<= values[borders[to] : leaving[to]]@i
        where i in members, j in members, i < j,
              let from = static_cast<std::size_t>(i), let to = static_cast<std::size_t>(j);
    later[ends[from] - arriving[from] : arriving[from]]@j <<= values[borders[to] : leaving[to]]@i
        where i in members, j in members, j < i,
              let from = static_cast<std::size_t>(i), let to = static_cast<std::size_t>(j)
  }
  merge_runs(earlier, {ends.begin(), ends.begin() + me}, less);
  merge_runs(later, {ends.begin() + me + 1, ends.end()}, less);
  keep_behind_gap(values, borders[own], borders[own + 1], static_cast<long>(earlier.size()));
  merge_into_front(values, earlier, less);
  merge_into_back(values, later, less);
}

}  // namespace detail

/// Sorts the elements of all members' vectors. Afterwards rank r of the team has the elements
/// block_range(n, r) of the sorted sequence, n being the number of all elements: as evenly as possible,
/// even if many elements are equivalent. The result is the same for
/// every kind of rank. `less(a, b)` is a strict weak order, the same on all members. `T` must travel,
/// be copyable and have a default constructor; for `bool` use `char`.
///
/// Each member sorts its own elements, then the members find the borders by bisection, and each element
/// is sent once at most. All members must call it. Executes at most 5 log₂ n blocks of small messages, and
/// about half as many if the elements are in random order: elements and counts, size of the team in number.
/// Then it executes one block of large messages.
template <std::semiregular T, std::strict_weak_order<const T&, const T&> Compare = std::less<>>
void sort(std::vector<T>& values, Compare less = {}, const team& members = world,
          call_site where = call_site::current()) {
  const detail::call call("kanor::sort", where);
  std::sort(values.begin(), values.end(), less);
  detail::sort_sorted(values, less, members);
}

/// The same, and equivalent elements keep their order: first by rank, then by position.
template <std::semiregular T, std::strict_weak_order<const T&, const T&> Compare = std::less<>>
void stable_sort(std::vector<T>& values, Compare less = {}, const team& members = world,
                 call_site where = call_site::current()) {
  const detail::call call("kanor::stable_sort", where);
  std::stable_sort(values.begin(), values.end(), less);
  detail::sort_sorted(values, less, members);
}

}  // namespace kanor

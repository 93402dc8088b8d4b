// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges two sorted sequences that are distributed over the members of a team.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>
#include <kanor/std/sort.hpp>

#include <concepts>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

namespace kanor {
namespace detail {

/// An element, and which of two sequences it is from.
template <class T>
struct merged_element {
  T value{};
  bool second = false;
};

template <class T, class Compare>
std::vector<T> merge(std::vector<T> first, std::vector<T> second, Compare& less, const team& members) {
  using element = merged_element<T>;
  const auto before = [&less](const element& a, const element& b) {
    return less(a.value, b.value) || (a.second < b.second && !less(b.value, a.value));
  };
  std::vector<element> all;
  all.reserve(first.size() + second.size());
  auto one = first.begin(), other = second.begin();
  while (one != first.end() || other != second.end()) {
    const bool takes_other = one == first.end() || (other != second.end() && less(*other, *one));
    all.push_back({std::move(takes_other ? *other++ : *one++), takes_other});
  }
  sort_sorted(all, before, members);
  std::vector<T> merged;
  merged.reserve(all.size());
  for (element& next : all) merged.push_back(std::move(next.value));
  return merged;
}

}  // namespace detail

/// Merges two sequences, each of which is sorted: the members' vectors, joined in the order of ranks. Returns
/// this rank's part of the merged sequence, which is distributed evenly: rank r has the elements
/// block_range(n, r). Of equivalent elements, those of `first` come first, and each sequence keeps its
/// order. `less(a, b)` is a strict weak order, the same on all members. `T` must travel, be copyable and have
/// a default constructor.
///
/// Executes the blocks of kanor::sort, so all members must call it. Each element is sent once, at most.
template <std::default_initializable T, std::strict_weak_order<const T&, const T&> Compare = std::less<>>
std::vector<T> merge(std::vector<T> first, std::vector<T> second, Compare less = {}, const team& members = world,
                     call_site where = call_site::current()) {
  const detail::call call("kanor::merge", where);
  return detail::merge(std::move(first), std::move(second), less, members);
}

/// Merges two sequences of pairs of a key and a value, each of which is sorted by its keys.
template <std::default_initializable Key, std::default_initializable Value,
          std::strict_weak_order<const Key&, const Key&> Compare = std::less<>>
std::vector<std::pair<Key, Value>> merge_by_key(std::vector<std::pair<Key, Value>> first,
                                                std::vector<std::pair<Key, Value>> second, Compare less = {},
                                                const team& members = world,
                                                call_site where = call_site::current()) {
  const detail::call call("kanor::merge_by_key", where);
  const auto by_key = [&less](const std::pair<Key, Value>& a, const std::pair<Key, Value>& b) {
    return less(a.first, b.first);
  };
  return detail::merge(std::move(first), std::move(second), by_key, members);
}

}  // namespace kanor

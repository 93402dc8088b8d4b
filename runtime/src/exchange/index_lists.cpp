// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchange/index_lists.hpp"

#include <algorithm>
#include <unordered_set>

namespace kanor::rt {

namespace {

/// Of the length and of some elements: a list is compared as a whole only with lists of the same hash.
std::uint64_t hash_of(const long long* list, std::size_t count) {
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;
  constexpr std::size_t looked_at = 32;
  std::uint64_t hash = count;
  for (std::size_t at = 0; at < count; at += 1 + count / looked_at)
    hash = (hash ^ static_cast<std::uint64_t>(list[at])) * odd;
  return hash;
}

}  // namespace

const long long* IndexLists::keep(std::size_t count, Kept& memory) {
  const long long* const list = list_.data();
  const std::uint64_t hash = hash_of(list, count);
  const auto [begin, end] = kept_.equal_range(hash);
  for (auto one = begin; one != end; ++one)
    if (const auto [first, size] = one->second; size == count && std::equal(first, first + count, list))
      return first;
  auto* const copy = static_cast<long long*>(memory.allocate(count * sizeof(long long), alignof(long long)));
  std::copy(list, list + count, copy);
  kept_.emplace(hash, std::pair(copy, count));
  return copy;
}

const long long* IndexLists::listed_twice(std::size_t count) const {
  std::unordered_set<long long> seen;
  for (std::size_t at = 0; at < count; ++at)
    if (!seen.insert(list_[at]).second) return &list_[at];
  return nullptr;
}

}  // namespace kanor::rt

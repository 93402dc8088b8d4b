// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchange/place_groups.hpp"

#include <bit>

namespace kanor::rt {
namespace {

constexpr std::uint64_t odd = 0x9e3779b97f4a7c15u;  // 2^64 by the golden ratio, as in Fibonacci hashing

/// FNV-1a hash of the bytes of a proxy, or a hash of the address itself.
std::uint64_t hash_of(const void* place, std::size_t proxy_bytes) {
  if (proxy_bytes == 0) return reinterpret_cast<std::uintptr_t>(place) * odd;
  std::uint64_t hash = 14695981039346656037u;
  for (std::size_t i = 0; i < proxy_bytes; ++i)
    hash = (hash ^ static_cast<const unsigned char*>(place)[i]) * 1099511628211u;
  return hash * odd;
}

}  // namespace

void PlaceGroups::group(const Update* updates, std::size_t count, std::size_t proxy_bytes) {
  constexpr std::uint32_t none = ~std::uint32_t{0};
  const int bits = std::bit_width(2 * count);
  group_of_.resize(count);
  groups_.clear();
  table_.assign(std::size_t{1} << bits, none);
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = 0; i < count; ++i) {
    const void* const place = updates[i].place;
    // The last update stands for its group's place.
    std::size_t slot = hash_of(place, proxy_bytes) >> (64 - bits);
    while (table_[slot] != none && !same_place(updates[groups_[table_[slot]].last], updates[i], proxy_bytes))
      slot = (slot + 1) & mask;
    if (table_[slot] == none) {
      table_[slot] = static_cast<std::uint32_t>(groups_.size());
      groups_.emplace_back();
    }
    Group& group = groups_[group_of_[i] = table_[slot]];
    group.last = i;
    ++group.count;
  }
  std::size_t first = 0;
  for (Group& group : groups_) {
    group.first = group.filled = first;
    first += group.count;
  }
}

}  // namespace kanor::rt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes where they lie, in one block or not, and copying them from there to another such place.
#pragma once

#include <cstddef>
#include <cstring>

#include "layout/layout.hpp"

namespace kanor::rt {

/// Where bytes lie: in one block, or as elements of a layout, in the order in which these are packed. Neither
/// is owned.
struct Spread {
  std::byte* data = nullptr;
  const Layout* layout = nullptr;  ///< null: one block
};

/// Addresses from `begin` on before `end`.
struct Reach {
  const std::byte *begin = nullptr, *end = nullptr;
  bool has(const void* address, std::size_t bytes) const {
    const auto* const first = static_cast<const std::byte*>(address);
    return first >= begin && first <= end && bytes <= static_cast<std::size_t>(end - first);
  }
};
/// The addresses from the first of so many bytes that lie there to the last, with the gaps between them.
Reach reach_of(const void* data, std::size_t bytes, const Layout* layout);

/// Copies the bytes from `begin` to `end` of what lies in `from` to where they belong in `to`. The two do not
/// overlap. The first is for at least one byte, where one of the two has a layout.
void copy_spread(const Spread& to, const Spread& from, std::size_t begin, std::size_t end);
inline void copy(const Spread& to, const Spread& from, std::size_t begin, std::size_t end) {
  if (begin >= end) return;
  if (to.layout || from.layout) return copy_spread(to, from, begin, end);
  std::memcpy(to.data + begin, from.data + begin, end - begin);
}

}  // namespace kanor::rt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/spread.hpp"

namespace kanor::rt {

Reach reach_of(const void* data, std::size_t bytes, const Layout* layout) {
  const auto* const first = static_cast<const std::byte*>(data);
  if (bytes == 0) return {first, first};
  if (!layout) return {first, first + bytes};
  const std::size_t count = bytes / layout->bytes();
  return {first + layout->first_of(count), first + layout->last_of(count)};
}

void copy_spread(const Spread& to, const Spread& from, std::size_t begin, std::size_t end) {
  if (!to.layout) {
    from.layout->pack(to.data + begin, from.data, begin, end);
  } else if (!from.layout) {
    to.layout->unpack(to.data, from.data + begin, begin, end);
  } else {
    copy(*to.layout, to.data, *from.layout, from.data, begin, end);
  }
}

}  // namespace kanor::rt

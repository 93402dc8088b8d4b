// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstring>

#include "collectives/collectives.hpp"

namespace kanor::rt::collectives {

void all_gather(const Group& group, const Value& own, std::byte* all) {
  const std::size_t size = static_cast<std::size_t>(group.size), self = static_cast<std::size_t>(group.rank);
  // In a message of this rank's: its own value, then those of the members after it.
  const Buffer room = allocate_message(group.owner, size * own.bytes);
  std::byte* const from_self_on = room.data();
  std::memcpy(from_self_on, own.data, own.bytes);
  for (std::size_t distance = 1; distance < size; distance *= 2) {
    const std::size_t count = std::min(distance, size - distance);
    const Value part{from_self_on, count * own.bytes, own.alignment};
    group.send(static_cast<int>((self + size - distance) % size), part);
    const Buffer message = group.receive(static_cast<int>((self + distance) % size), part);
    std::memcpy(from_self_on + distance * own.bytes, Group::value_in(message, part), part.bytes);
  }
  const std::size_t until_end = (size - self) * own.bytes;
  std::memcpy(all + self * own.bytes, from_self_on, until_end);
  std::memcpy(all, from_self_on + until_end, self * own.bytes);
}

}  // namespace kanor::rt::collectives

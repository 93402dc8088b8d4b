// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <bit>
#include <cstring>

#include "collectives/collectives.hpp"
#include "collectives/shared_message.hpp"

namespace kanor::rt::collectives {
Holder::~Holder() {
  if (shared_ && readers_->fetch_sub(1, std::memory_order_acq_rel) == 1) const Buffer last(shared_);
}

Holder broadcast(const Group& group, int root, Value& value) {
  // Numbered from the root on, member n gets the value from n without its highest bit.
  const unsigned size = static_cast<unsigned>(group.size);
  const unsigned self = static_cast<unsigned>((group.rank - root + group.size) % group.size);
  const auto member = [&](unsigned number) {
    return static_cast<int>((number + static_cast<unsigned>(root)) % size);
  };
  Buffer message;
  if (self != 0) message = group.receive_any(member(self - std::bit_floor(self)), value);
  for (unsigned bit = self == 0 ? 1 : 2 * std::bit_floor(self); self + bit < size; bit *= 2)
    group.send(member(self + bit), value);
  return Holder(std::move(message));
}

Holder broadcast_shared(const Group& group, int root, Value& value) {
  if (group.size == 1) return {};
  Message* message = nullptr;
  const Value where{reinterpret_cast<std::byte*>(&message), sizeof(message), alignof(Message*)};
  if (group.rank == root) {
    message = new_shared_message(group.owner, value.bytes, group.size - 1).take();
    if (value.bytes > 0) std::memcpy(SharedMessage::in(message).value(), value.data, value.bytes);
    const std::size_t bytes = value.bytes;
    for (int i = 1; i < group.size; ++i) group.send((root + i) % group.size, where, 0, bytes);
    return {};
  }
  const Buffer carrier = group.receive(root, where);
  std::memcpy(&message, Group::value_in(carrier, where), sizeof(message));
  SharedMessage& shared = SharedMessage::in(message);
  value.bytes = shared.bytes;
  value.data = shared.value();
  return Holder(message, shared.readers);
}

}  // namespace kanor::rt::collectives

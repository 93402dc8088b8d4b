#include <atomic>
#include <bit>
#include <cstring>
#include <new>

#include "collectives/collectives.hpp"

namespace kanor::rt::collectives {
namespace {

/// What lies before the value in the message that all members read.
struct alignas(64) Shared {
  Shared(int count, std::size_t value_bytes) : readers(count), bytes(value_bytes) {}
  /// Members that have not read it yet. Release, so that reading comes before reuse; acquire by the last one.
  std::atomic<int> readers;
  std::size_t bytes;
};

}  // namespace

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
    Buffer shared = allocate_message(group.owner, sizeof(Shared) + value.bytes);
    new (shared.data()) Shared(group.size - 1, value.bytes);
    if (value.bytes > 0) std::memcpy(shared.data() + sizeof(Shared), value.data, value.bytes);
    message = shared.take();
    const std::size_t bytes = value.bytes;
    for (int i = 1; i < group.size; ++i) group.send((root + i) % group.size, where, 0, bytes);
    return {};
  }
  const Buffer carrier = group.receive(root, where);
  std::memcpy(&message, Group::value_in(carrier, where), sizeof(message));
  Shared& shared = *reinterpret_cast<Shared*>(message->payload());
  value.bytes = shared.bytes;
  value.data = message->payload() + sizeof(Shared);
  return Holder(message, shared.readers);
}

}  // namespace kanor::rt::collectives

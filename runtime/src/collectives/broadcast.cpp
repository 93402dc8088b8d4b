// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <bit>
#include <cstring>

#include "collectives/collectives.hpp"
#include "collectives/shared_message.hpp"

namespace kanor::rt::collectives {
namespace {

/// The length from which all read one message of the root's, where they share memory.
constexpr std::size_t least_shared_bytes = 8192;

}  // namespace

Holder::~Holder() {
  if (shared_ && readers_->fetch_sub(1, std::memory_order_acq_rel) == 1) const Buffer last(shared_);
}

Holder broadcast(const Group& group, int root, Value& value, Algorithm algorithm) {
  const bool is_star = algorithm == Algorithm::star;
  // Numbered from the root on, member n of a tree gets the value from n without its highest bit.
  const unsigned size = static_cast<unsigned>(group.size);
  const unsigned self = static_cast<unsigned>((group.rank - root + group.size) % group.size);
  const auto member = [&](unsigned number) {
    return static_cast<int>((number + static_cast<unsigned>(root)) % size);
  };
  Buffer arrived;
  Message* shared = nullptr;
  if (self != 0) {
    bool is_lent = false;
    arrived = group.receive_any(is_star ? root : member(self - std::bit_floor(self)), value, &is_lent);
    if (is_lent) std::memcpy(&shared, value.data, sizeof shared);
  } else if (size > 1 && value.bytes >= least_shared_bytes && all_share_memory(group.owner)) {
    shared = new_shared_message(group.owner, value.bytes, group.size - 1).take();
    std::memcpy(SharedMessage::in(shared).value(), value.data, value.bytes);
  }
  const Group sender = shared ? group.lending() : group;
  const Value address{reinterpret_cast<std::byte*>(&shared), sizeof shared, value.alignment};
  const std::size_t elsewhere = shared ? SharedMessage::in(shared).bytes : 0;
  const unsigned first = self == 0 ? 1 : 2 * std::bit_floor(self);
  for (unsigned step = is_star && self != 0 ? size : first; self + step < size;
       step = is_star ? step + 1 : 2 * step)
    sender.send(member(self + step), shared ? address : value, 0, elsewhere);
  if (!shared) return Holder(std::move(arrived));
  if (self == 0) return {};
  SharedMessage& message = SharedMessage::in(shared);
  value.bytes = message.bytes;
  value.data = message.value();
  return Holder(shared, message.readers);
}

}  // namespace kanor::rt::collectives

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "collectives/group.hpp"

#include <algorithm>
#include <cstring>

namespace kanor::rt::collectives {
namespace {

constexpr int most_that_tell_all = 8;

std::uint64_t key(const Group& group, unsigned round) {
  return group.sequence | static_cast<std::uint64_t>(round) << 56;
}

}  // namespace

void Group::send(int to, const Value& value, unsigned round, std::size_t extra_bytes) const {
  Buffer message = allocate_message(owner, offset(value) + value.bytes);
  std::memcpy(message.data(), &head, sizeof(head));
  if (value.bytes > 0) std::memcpy(value_in(message, value), value.data, value.bytes);
  message.count_extra(extra_bytes);
  rt::send(owner, world_rank(to), context, key(*this, round), std::move(message));
}

Buffer Group::receive_headed(int from, const Value& like, unsigned round, bool any_length) const {
  Buffer message = rt::receive(owner, world_rank(from), context, key(*this, round));
  std::uint64_t its_head = 0;
  if (message.bytes() >= sizeof(its_head)) std::memcpy(&its_head, message.data(), sizeof(its_head));
  const std::size_t value_bytes = message.bytes() - std::min(offset(like), message.bytes());
  if (its_head != head || message.bytes() < offset(like) || (value_bytes != like.bytes && !any_length))
    fail_head(*this, from, its_head, value_bytes);
  return message;
}

Buffer Group::receive(int from, const Value& like, unsigned round) const {
  return receive_headed(from, like, round, false);
}

void Group::meet(unsigned round) const {
  const auto signal = [&](int distance) { send((rank + distance) % size, {}, round); };
  const auto await = [&](int distance) { receive((rank - distance + size) % size, {}, round); };
  // Where cores are scarce each step costs a change of ranks, so few members have one step.
  if (size <= most_that_tell_all) {
    for (int distance = 1; distance < size; ++distance) signal(distance);
    for (int distance = 1; distance < size; ++distance) await(distance);
    return;
  }
  for (int distance = 1; distance < size; distance *= 2, ++round) {
    signal(distance);
    await(distance);
  }
}

Buffer Group::receive_any(int from, Value& value) const {
  Buffer message = receive_headed(from, value, 0, true);
  value.data = value_in(message, value);
  value.bytes = message.bytes() - offset(value);
  return message;
}

}  // namespace kanor::rt::collectives

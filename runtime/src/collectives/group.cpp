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

std::uint64_t head_of(const Buffer& message) {
  std::uint64_t head = 0;
  if (message.bytes() >= sizeof head) std::memcpy(&head, message.data(), sizeof head);
  return head;
}

}  // namespace

void Group::send(int to, const Value& value, unsigned round, std::size_t extra_bytes) const {
  Buffer message = allocate_message(owner, offset(value) + value.bytes);
  std::memcpy(message.data(), &head, sizeof(head));
  if (value.bytes > 0) std::memcpy(value_in(message, value), value.data, value.bytes);
  message.count_extra(extra_bytes);
  rt::send(owner, world_rank(to), context, key(*this, round), std::move(message));
}

Buffer Group::next_from(int from, unsigned round) const {
  return rt::receive(owner, world_rank(from), context, key(*this, round));
}

void Group::check(const Buffer& message, int from, const Value& like, bool any_length) const {
  const std::uint64_t its_head = head_of(message);
  const std::size_t value_bytes = message.bytes() - std::min(offset(like), message.bytes());
  if (its_head != head || message.bytes() < offset(like) || (value_bytes != like.bytes && !any_length))
    fail_head(*this, from, its_head, value_bytes);
}

Buffer Group::receive(int from, const Value& like, unsigned round) const {
  Buffer message = next_from(from, round);
  check(message, from, like, false);
  return message;
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

Buffer Group::receive_any(int from, Value& value, bool* is_lent) const {
  Buffer message = next_from(from, 0);
  if (is_lent) *is_lent = head_of(message) == (head ^ lent_head);
  (is_lent && *is_lent ? lending() : *this).check(message, from, value, true);
  value.data = value_in(message, value);
  value.bytes = message.bytes() - offset(value);
  return message;
}

}  // namespace kanor::rt::collectives

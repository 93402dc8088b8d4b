// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The members of a team in one block, as the collectives see them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "transport/rank.hpp"

namespace kanor::rt::collectives {

/// A value that can be copied byte by byte. The memory is the caller's.
struct Value {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  std::size_t alignment = 1;  ///< at most 64
};

/// `into = into op other`, on values of the length and alignment that the collective was given. May write to
/// `other`, which is not used again.
struct Operation {
  void (*apply)(void* state, std::byte* into, std::byte* other);
  void* state = nullptr;
};

/// `into[i] = a[i] op b[i]`, for `count` elements of `element_bytes` bytes each. Only reads `a` and `b`;
/// `into` may be `a`.
struct ElementOperation {
  void (*apply)(void* state, std::byte* into, const std::byte* a, const std::byte* b, std::size_t count);
  void* state = nullptr;
  std::size_t element_bytes = 1;
};

/// One rank's view of the members. Belongs to the rank, and to one collective at a time.
struct Group {
  Rank& owner;
  int rank = 0;  ///< this rank's number
  int size = 1;
  const int* world_ranks = nullptr;  ///< of each member; null: a member's number is its world rank
  std::uint64_t context = 0;         ///< with `sequence`, identifies the messages
  std::uint64_t sequence = 0;        ///< below 2^56
  std::uint64_t head = 0;            ///< the first 8 bytes of every message
  /// The bit of a message's head that is changed if the message has an address in place of the value.
  static constexpr std::uint64_t lent_head = std::uint64_t{1} << 63;
  /// Called if a message of member `from` begins with another head, or has a value of another length, both of
  /// which are passed: does not return.
  void (*fail_head)(const Group& group, int from, std::uint64_t head, std::size_t value_bytes) = nullptr;
  void* state = nullptr;  ///< for fail_head

  int world_rank(int member) const { return world_ranks ? world_ranks[member] : member; }

  /// Copies the value into a message to a member. Two messages of one collective between the same two
  /// members, in one direction, have different rounds, 0 ... 255. Waits as rt::send does. `extra_bytes` count
  /// as in flight with it, until the message is gone.
  void send(int to, const Value& value, unsigned round = 0, std::size_t extra_bytes = 0) const;
  /// Waits for a value of the same length as `like`.
  Buffer receive(int from, const Value& like, unsigned round = 0) const;
  /// Waits for a value of any length, and sets `value` to it. With `is_lent`, it may also be what lending()
  /// has sent.
  Buffer receive_any(int from, Value& value, bool* is_lent = nullptr) const;
  /// The same members; what it sends and receives are addresses in place of values.
  Group lending() const {
    Group lending = *this;
    lending.head ^= lent_head;
    return lending;
  }
  /// Waits until all members have called it. Uses the rounds from `round` on.
  void meet(unsigned round) const;
  /// The address of the value in a message.
  static std::byte* value_in(const Buffer& message, const Value& like) {
    return message.data() + offset(like);
  }

 private:
  Buffer next_from(int from, unsigned round) const;
  void check(const Buffer& message, int from, const Value& like, bool any_length) const;
  static std::size_t offset(const Value& value) {
    return value.alignment > sizeof(std::uint64_t) ? value.alignment : sizeof(std::uint64_t);
  }
};

}  // namespace kanor::rt::collectives

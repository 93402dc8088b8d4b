// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the next plain value of a block goes, and the next place: the short way for most bindings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kanor/team.hpp"
#include "platform/copy.hpp"

namespace kanor::abi {
struct receiving;
}

namespace kanor::rt {

/// The alignment of a message's payload. Values that need more are moved when they have arrived.
inline constexpr std::size_t most_alignment = 64;

/// The end of the message that values are put into.
struct MessageEnd {
  std::byte* at = nullptr;     ///< behind the last value
  std::byte* limit = nullptr;  ///< the end of the message's memory
  int receiver = no_rank;      ///< the receiver of the message; no_rank: none is open
  std::uint32_t values = 0;    ///< in the message

  /// Puts a value of plain bytes for `to`. Returns false, and does nothing, if another message is open, or
  /// has no room left.
  bool put(int to, const void* value, std::size_t bytes, std::size_t alignment) {
    if (to != receiver || alignment > most_alignment || !write(value, bytes, alignment)) return false;
    ++values;
    return true;
  }
  /// Writes plain bytes, which are part of the last value. Returns false, and does nothing, if there is no
  /// room.
  bool write(const void* data, std::size_t bytes, std::size_t alignment) {
    const std::size_t padding = padding_for(alignment);
    if (static_cast<std::size_t>(limit - at) < padding + bytes) return false;
    copy_few(take(padding, bytes), data, bytes);
    return true;
  }

  /// The number of bytes before a value with this alignment.
  std::size_t padding_for(std::size_t alignment) const {
    alignment = alignment < most_alignment ? alignment : most_alignment;
    return -reinterpret_cast<std::uintptr_t>(at) & (alignment - 1);
  }
  /// Takes room that there must be: zeroed padding, then `bytes` bytes, whose address is returned.
  std::byte* take(std::size_t padding, std::size_t bytes) {
    if (padding > 0) std::memset(at, 0, padding);
    std::byte* const room = at + padding;
    at = room + bytes;
    return room;
  }
};

/// An update to come: the place gets the next value of the sender's message.
struct Update {
  void* place;  ///< null once it no longer exists
  int sender;
};

/// Returns true if both update one place: the addresses are equal, or the `proxy_bytes` bytes at them.
inline bool same_place(const Update& a, const Update& b, std::size_t proxy_bytes) {
  return proxy_bytes ? std::memcmp(a.place, b.place, proxy_bytes) == 0 : a.place == b.place;
}

/// The end of a statement's list of updates.
struct UpdateEnd {
  Update* next = nullptr;
  Update* limit = nullptr;
  const abi::receiving* how = nullptr;  ///< of the statement's updates; null: there is none yet

  /// Adds an update. Returns false, and does nothing, for the first update of a statement, or if there is no
  /// room.
  bool add(int sender, void* place, const abi::receiving& its_how) {
    if (next == limit || how != &its_how) return false;
    *next++ = {place, sender};
    return true;
  }
};

}  // namespace kanor::rt

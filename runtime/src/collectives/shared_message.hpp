// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A message that several members read; the last one gives it back.
#pragma once

#include <atomic>
#include <cstddef>
#include <new>

#include "transport/rank.hpp"

namespace kanor::rt::collectives {

/// The header of a shared message; the value follows it.
struct alignas(64) SharedMessage {
  /// Members that have not read it yet. Release, so that reading comes before reuse; acquire by the last one.
  std::atomic<int> readers;
  std::size_t bytes;

  std::byte* value() { return reinterpret_cast<std::byte*>(this) + sizeof(SharedMessage); }
  static SharedMessage& in(Message* message) { return *reinterpret_cast<SharedMessage*>(message->payload()); }
};

/// Returns a message with room for a value, for `readers` readers, each of which has it in a Holder.
inline Buffer new_shared_message(Rank& rank, std::size_t bytes, int readers) {
  Buffer message = allocate_message(rank, sizeof(SharedMessage) + bytes);
  new (message.data()) SharedMessage{readers, bytes};
  return message;
}

}  // namespace kanor::rt::collectives

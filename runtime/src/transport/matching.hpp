// Messages that have arrived and that nobody has asked for yet.
#pragma once

#include <cstdint>
#include <vector>

#include "memory/message.hpp"

namespace kanor::rt {

/// The unexpected messages of one rank, by source. Belongs to that rank's thread.
///
/// A sender's messages mostly come in the order in which they are asked for, so the one asked for is mostly
/// the first of its source's list.
class Unexpected {
 public:
  explicit Unexpected(int sources) : lists_(static_cast<std::size_t>(sources)) {}

  void put(Message* message) {
    List& list = lists_[static_cast<std::size_t>(message->envelope.source)];
    message->next.store(nullptr, std::memory_order_relaxed);
    (list.last ? list.last->next : list.first).store(message, std::memory_order_relaxed);
    list.last = message;
  }

  /// The message (context, sequence) from `source`, taken out; null if it has not arrived.
  Message* take(int source, std::uint64_t context, std::uint64_t sequence) {
    List& list = lists_[static_cast<std::size_t>(source)];
    Message* previous = nullptr;
    for (Message* message = list.first.load(std::memory_order_relaxed); message;
         previous = message, message = message->next.load(std::memory_order_relaxed)) {
      if (message->envelope.context != context || message->envelope.sequence != sequence) continue;
      Message* const next = message->next.load(std::memory_order_relaxed);
      (previous ? previous->next : list.first).store(next, std::memory_order_relaxed);
      if (!next) list.last = previous;
      return message;
    }
    return nullptr;
  }

 private:
  struct List {
    std::atomic<Message*> first{nullptr};  // an atomic only to be of the same type as Message::next
    Message* last = nullptr;
  };
  std::vector<List> lists_;
};

}  // namespace kanor::rt

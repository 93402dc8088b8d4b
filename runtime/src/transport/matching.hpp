// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages that have arrived and that nobody has asked for yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "memory/message.hpp"

namespace kanor::rt {

/// Unexpected messages of one rank. Belongs to that rank's thread.
///
/// A hash table of lists: memory is proportional to the messages that have been here at one time, not to the
/// number of ranks, and each is found in constant time. What is asked for from any source has a key without
/// the source, so all of one (context, sequence) are in one list.
class Unexpected {
 public:
  Unexpected() : lists_(least_lists) {}

  void put(Message* message) {
    if (++count_ > lists_.size()) grow();
    link(message);
  }

  /// Removes and returns the message (context, sequence) from `source`; null if it has not arrived. The
  /// source is ignored where the context has the bit any_source_context.
  Message* take(int source, std::uint64_t context, std::uint64_t sequence) {
    if (count_ == 0) return nullptr;
    List& list = lists_[place(source, context, sequence)];
    Message* previous = nullptr;
    for (Message* message = list.first; message; previous = message, message = next(message)) {
      if (!matches(*message, source, context, sequence)) continue;
      if (previous)
        previous->next.store(next(message), std::memory_order_relaxed);
      else
        list.first = next(message);
      if (list.last == message) list.last = previous;
      --count_;
      return message;
    }
    return nullptr;
  }

  /// The message that take() would find; null if there is none.
  Message* find(int source, std::uint64_t context, std::uint64_t sequence) const {
    if (count_ == 0) return nullptr;
    Message* message = lists_[place(source, context, sequence)].first;
    while (message && !matches(*message, source, context, sequence)) message = next(message);
    return message;
  }
  /// Returns true if take() would find the message.
  bool has(int source, std::uint64_t context, std::uint64_t sequence) const {
    return find(source, context, sequence) != nullptr;
  }

  template <class Visit>
  void for_each(Visit visit) const {
    for (const List& list : lists_)
      for (Message* message = list.first; message; message = next(message)) visit(*message);
  }

  /// Removes the messages for which `is_wanted` is true, and passes them to `hand_on`. Looks at every one.
  template <class IsWanted, class HandOn>
  void take_all(IsWanted is_wanted, HandOn hand_on) {
    for (List& list : lists_) {
      Message* message = std::exchange(list, {}).first;
      while (message) {
        Message* const one = std::exchange(message, next(message));
        if (!is_wanted(*one)) {
          link(one);
        } else {
          --count_;
          hand_on(one);
        }
      }
    }
  }

  /// Returns true if this message is the one asked for.
  static bool matches(const Message& message, int source, std::uint64_t context, std::uint64_t sequence) {
    const Envelope& envelope = message.envelope;
    return envelope.sequence == sequence && envelope.context == context &&
           (envelope.source == source || (context & any_source_context));
  }

  std::size_t size() const { return count_; }

 private:
  static constexpr std::size_t least_lists = 16;

  struct List {
    Message* first = nullptr;
    Message* last = nullptr;
  };

  static Message* next(const Message* message) { return message->next.load(std::memory_order_relaxed); }

  std::size_t place(int source, std::uint64_t context, std::uint64_t sequence) const {
    const std::uint64_t from = context & any_source_context ? 0 : static_cast<std::uint32_t>(source) + 1;
    std::uint64_t hash = (context * 0x9e3779b97f4a7c15u + sequence) * 0xbf58476d1ce4e5b9u + from;
    hash = (hash ^ (hash >> 32)) * 0x94d049bb133111ebu;
    return static_cast<std::size_t>(hash >> 32) & (lists_.size() - 1);
  }

  void link(Message* message) {
    const Envelope& envelope = message->envelope;
    List& list = lists_[place(envelope.source, envelope.context, envelope.sequence)];
    message->next.store(nullptr, std::memory_order_relaxed);
    if (list.last)
      list.last->next.store(message, std::memory_order_relaxed);
    else
      list.first = message;
    list.last = message;
  }

  void grow() {
    std::vector<List> before(2 * lists_.size());
    before.swap(lists_);
    for (const List& list : before)
      for (Message* message = list.first; message;) {
        Message* const following = next(message);
        link(message);
        message = following;
      }
  }

  std::vector<List> lists_;  ///< their number is a power of two, and at least that of the messages
  std::size_t count_ = 0;
};

}  // namespace kanor::rt

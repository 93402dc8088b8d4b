// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Message memory that its pools have too much of.
#pragma once

#include <array>
#include <atomic>

#include "memory/message.hpp"

namespace kanor::rt {

/// Idle blocks of one NUMA node, for whichever of its ranks' pools runs out of a size: pools put what they
/// have too much of here, many blocks at a time, and look here before they take fresh memory. So what a job
/// takes is what was in use at one time and a little for each pool, however its ranks' needs wander.
///
/// Lies in memory that all ranks of the machine share. Thread-safe, and safe between processes; never waits.
///
/// For each size a stack of batches:
///
///     head -> | block: batch below | -> block -> block     a batch: a list by Message::next; the first
///     block's
///                      |                                   payload begins with the batch below
///                      v
///             | block: none        | -> block
///
/// Why it is right: what is pushed is pushed by compare-exchange of the head, and who takes exchanges the
/// head with null, keeps the first batch and pushes the others again, whole. So no batch is taken off while
/// others stay (no ABA), and between the exchange and the next push the batches are the taker's alone. Each
/// push is a release and a read-modify-write, so it continues the release sequences of the pushes below it;
/// the acquire exchange synchronises with all of them. Somebody who looks in between finds too little, and
/// takes fresh memory: allowed, and rare.
class Depot {
 public:
  static constexpr int classes = 48;  ///< number of block sizes, as in Pool

  /// Adds a list of idle blocks of the size, which the caller holds; not an empty one.
  void put(int size_class, Message* batch) { push(size_class, batch, batch); }

  /// Removes and returns the batch that was put last; null where there is none.
  Message* take(int size_class) {
    std::atomic<Message*>& head = heads_[static_cast<std::size_t>(size_class)];
    if (!head.load(std::memory_order_relaxed)) return nullptr;
    Message* const batch = head.exchange(nullptr, std::memory_order_acquire);
    Message* const rest = batch ? below(*batch) : nullptr;
    if (!rest) return batch;
    Message* lowest = rest;
    while (Message* const next = below(*lowest)) lowest = next;
    push(size_class, rest, lowest);
    return batch;
  }

 private:
  static Message*& below(Message& batch) { return *reinterpret_cast<Message**>(batch.payload()); }

  void push(int size_class, Message* highest, Message* lowest) {
    std::atomic<Message*>& head = heads_[static_cast<std::size_t>(size_class)];
    Message* found = head.load(std::memory_order_relaxed);
    do {
      below(*lowest) = found;
    } while (
        !head.compare_exchange_weak(found, highest, std::memory_order_release, std::memory_order_relaxed));
  }

  std::array<std::atomic<Message*>, classes> heads_{};
};

}  // namespace kanor::rt

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
/// For each size some stacks of batches. A rank that takes from one, and may lose its core meanwhile, leaves
/// the other stacks to the other ranks:
///
///     top -> | block: batch below | -> block -> block     a batch: a list by Message::next; the first
///     top                    |                            block's payload begins with the batch below
///     top -> | block: none | | -> block
///     ...                    v
///                   | block: none | -> block
///
/// Why it is right: what is pushed is pushed by compare-exchange of the top, and who takes exchanges the top
/// with null, keeps the first batch and puts the others back, whole. So no batch is taken off while others
/// stay (no ABA), and in between the batches are the taker's alone. That takes few instructions however many
/// batches there are: the others go back onto an empty stack, or below those few that were pushed in between.
/// Each push is a release and a read-modify-write, so it continues the release sequences of the pushes below
/// it; the acquire exchange synchronises with all of them. Somebody who finds too little, because all stacks
/// that have something are at that moment in the hands of others, takes fresh memory.
class Depot {
 public:
  static constexpr int classes = 48;  ///< number of block sizes, as in Pool

  /// Adds a list of idle blocks of the size, which the caller holds; not an empty one. It begins an empty
  /// stack, or goes on top of stack `first`. Callers with different `first` rarely meet.
  void put(int size_class, Message* batch, unsigned first) {
    below(*batch) = nullptr;
    Stacks& stacks = of(size_class);
    for (unsigned i = 0; i < stack_count; ++i)
      if (begin_stack(stacks[(first + i) % stack_count], batch)) return;
    std::atomic<Message*>& top = stacks[first % stack_count];
    Message* found = top.load(std::memory_order_relaxed);
    do {
      below(*batch) = found;
    } while (!top.compare_exchange_weak(found, batch, std::memory_order_release, std::memory_order_relaxed));
  }

  /// Removes and returns a batch; null where there is none. Looks at stack `first` before the others, and
  /// takes the batch that was put there last.
  Message* take(int size_class, unsigned first) {
    Stacks& stacks = of(size_class);
    for (unsigned i = 0; i < stack_count; ++i) {
      std::atomic<Message*>& top = stacks[(first + i) % stack_count];
      if (!top.load(std::memory_order_relaxed)) continue;
      Message* const batch = top.exchange(nullptr, std::memory_order_acquire);
      if (!batch) continue;
      if (Message* const rest = below(*batch)) put_back(top, rest);
      return batch;
    }
    return nullptr;
  }

 private:
  static constexpr unsigned stack_count = 8;  // a cache line of them
  using Stacks = std::array<std::atomic<Message*>, stack_count>;

  static Message*& below(Message& batch) { return *reinterpret_cast<Message**>(batch.payload()); }

  Stacks& of(int size_class) { return stacks_[static_cast<std::size_t>(size_class)]; }

  /// Returns false if the stack is not empty.
  static bool begin_stack(std::atomic<Message*>& top, Message* batches) {
    Message* found = top.load(std::memory_order_relaxed);
    return !found &&
           top.compare_exchange_strong(found, batches, std::memory_order_release, std::memory_order_relaxed);
  }

  /// Below what was pushed since they were taken.
  static void put_back(std::atomic<Message*>& top, Message* batches) {
    while (!begin_stack(top, batches)) {
      Message* const newer = top.exchange(nullptr, std::memory_order_acquire);
      if (!newer) continue;
      Message* lowest = newer;
      while (Message* const next = below(*lowest)) lowest = next;
      below(*lowest) = batches;
      batches = newer;
    }
  }

  alignas(64) std::array<Stacks, classes> stacks_{};
};

}  // namespace kanor::rt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where messages for one rank arrive: many senders, one receiver, no lock.
#pragma once

#include <atomic>
#include <cstdint>

#include "memory/message.hpp"

namespace kanor::rt {

/// A list of arrived messages with a place to sleep. Lies in memory that all ranks of the machine share.
///
///     head_:  null                     nothing arrived, the receiver is awake
///             asleep                   nothing arrived, the receiver sleeps (or is about to)
///             m3 -> m2 -> m1 -> null   three arrived, m1 first
///
/// Messages. A push is one compare-exchange of head_ (release); take exchanges the whole list with null
/// (acquire). As pushes are read-modify-writes they continue each other's release sequences, so the one
/// acquire synchronises with every push in the list: payloads are visible. Nobody takes single elements, so
/// there is no ABA. The receiver reverses the list: the messages of one sender come out in the order it sent
/// them. A sender that dies between two steps leaves the list whole.
///
/// Sleep. The receiver reads signal_ (s), puts `asleep` into the empty head_, and sleeps while signal_ == s.
/// A push that replaces `asleep` adds 1 to signal_, then wakes. No wake is lost: the mark goes into the same
/// word that pushes change, so either the mark finds the list non-empty and the receiver does not sleep, or
/// the first push after it finds the mark. That push adds after the receiver read s (the acquire load of
/// signal_ stays before the mark, and the push saw the mark), so signal_ != s from then on, and the kernel
/// compares it when the receiver lies down; if it already sleeps, the wake that follows the add finds it.
/// Only the receiver removes messages, so one bump a sleep is enough.
class Mailbox {
 public:
  Mailbox() = default;
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  /// Leaves a message; any rank. Does not wait.
  void push(Message* message);

  /// All messages that have arrived, linked by `next`, oldest first; null if none. Receiver only.
  Message* take();

  /// Sleeps until a message is there, somebody has called wake() since signal() was `seen`, or the time is
  /// over (-1: no limit); may return spuriously. Receiver only.
  void sleep(std::uint32_t seen, std::int64_t timeout_us);

  /// For the receiver's other sleeps: read signal(), look whether there is a reason to sleep, sleep_on(signal
  /// read).
  std::uint32_t signal() const { return signal_.load(std::memory_order_acquire); }
  void sleep_on(std::uint32_t seen, std::int64_t timeout_us);

  /// Ends the receiver's sleep, or the next one if it is about to lie down; any rank.
  void wake();
  /// When the last wake was, by monotonic_us(); 0: none yet.
  std::uint64_t woken_us() const { return woken_us_.load(std::memory_order_relaxed); }

 private:
  static Message* asleep() { return reinterpret_cast<Message*>(std::uintptr_t{1}); }

  alignas(64) std::atomic<Message*> head_{nullptr};
  alignas(64) std::atomic<std::uint32_t> signal_{
      0};  ///< futex: add is release, pairs with the acquire in signal()
  std::atomic<std::uint64_t> woken_us_{
      0};  ///< relaxed: a time of another wake makes a wait spin wrongly long
};

}  // namespace kanor::rt

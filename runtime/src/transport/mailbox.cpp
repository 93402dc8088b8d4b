// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/mailbox.hpp"

#include "platform/wait.hpp"

namespace kanor::rt {

void Mailbox::push(Message* message) {
  Message* head = head_.load(std::memory_order_relaxed);
  do {
    message->next.store(head == asleep() ? nullptr : head, std::memory_order_relaxed);
  } while (!head_.compare_exchange_weak(head, message, std::memory_order_release, std::memory_order_relaxed));
  if (head == asleep()) wake();
}

Message* Mailbox::take() {
  if (!head_.load(std::memory_order_relaxed)) return nullptr;
  Message* newest = head_.exchange(nullptr, std::memory_order_acquire);
  Message* oldest = nullptr;
  while (newest) {
    Message* const next = newest->next.load(std::memory_order_relaxed);
    newest->next.store(oldest, std::memory_order_relaxed);
    oldest = newest;
    newest = next;
  }
  return oldest;
}

void Mailbox::sleep(std::uint32_t seen, std::int64_t timeout_us) {
  Message* empty = nullptr;
  if (!head_.compare_exchange_strong(empty, asleep(), std::memory_order_relaxed)) return;
  futex_wait(signal_, seen, timeout_us);
  // Take the mark away, unless a push already did.
  Message* mark = asleep();
  head_.compare_exchange_strong(mark, nullptr, std::memory_order_relaxed);
}

void Mailbox::sleep_on(std::uint32_t seen, std::int64_t timeout_us) { futex_wait(signal_, seen, timeout_us); }

void Mailbox::wake() {
  woken_us_.store(monotonic_us(), std::memory_order_relaxed);
  signal_.fetch_add(1, std::memory_order_release);
  futex_wake(signal_);
}

}  // namespace kanor::rt

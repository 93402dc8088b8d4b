// Waiting for another rank: spin a little, yield, then sleep in the kernel.
#pragma once

#include <atomic>
#include <cstdint>

namespace kanor::rt {

/// Sleeps while `word` holds `expected`, until woken, or for at most `timeout_us` microseconds (-1: no
/// limit). Returns for no reason too. Works between processes that share the word's memory.
/// Async-signal-safe.
void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, std::int64_t timeout_us = -1);
/// Wakes every sleeper on `word`. Async-signal-safe.
void futex_wake(const std::atomic<std::uint32_t>& word);

/// Decides how one wait goes on. Make one for each wait, and call pause() each time the awaited thing is not
/// there; when it answers false, sleep instead.
class Backoff {
 public:
  /// `spare_core`: whether every rank has a core of its own, so that spinning takes nothing from the others.
  explicit Backoff(bool spare_core) : spins_left_(spare_core ? 2000 : 0), yields_left_(spare_core ? 20 : 2) {}
  bool pause();
  /// For waits that nobody ends by a wake, whose sleeper must look by itself: how long the next sleep should
  /// be, in microseconds. It grows by 10 a sleep up to 1000, so a wait ends late by a small part of what it
  /// lasted.
  std::int64_t next_nap_us() { return nap_us_ < 1000 ? nap_us_ += 10 : nap_us_; }

 private:
  int spins_left_;
  int yields_left_;
  std::int64_t nap_us_ = 0;
};

std::uint64_t monotonic_us();  ///< microseconds since some fixed time

}  // namespace kanor::rt

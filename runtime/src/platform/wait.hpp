// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

std::uint64_t monotonic_us();  ///< microseconds since some fixed time

/// How long one rank spins before it sleeps; learns from how its waits went. Spinning pays only while the
/// awaited rank runs on another core: where it was in vain, the machine is busy or the wait long, and the
/// next one is half as long. Where the sleep was short nevertheless, the next one is twice as long: ranks
/// that exchange in step would else wake each other for ever, each a little too late for the other.
class SpinBudget {
 public:
  /// `spare_core`: every rank has a core of its own. Where not, spinning takes from the awaited rank.
  /// `woken`: what is awaited ends the sleep. Where not, sleeps are naps, which end too late: they are put
  /// off.
  explicit SpinBudget(bool spare_core, bool woken = true)
      : most_(spare_core ? woken ? most : most_before_naps : 0),
        least_(spare_core ? woken ? least : most_before_naps : 0),
        yields_(spare_core ? 0
                : woken    ? 2
                           : 20),
        now_(most_) {}
  int spins() const { return now_; }
  int yields() const { return yields_; }
  void succeeded() { now_ = now_ * 2 < most_ ? now_ * 2 : most_; }
  void failed() { now_ = now_ / 2 > least_ ? now_ / 2 : least_; }
  /// It failed, and the wait ended so many microseconds later.
  void ended_after(std::uint64_t sleep_us) {
    if (sleep_us > short_sleep_us) return;
    succeeded();
    succeeded();
  }

 private:
  static constexpr int most = 2000;               // some 50 microseconds
  static constexpr int most_before_naps = 50000;  // some milliseconds: a look at the network takes 100 ns
  static constexpr std::uint64_t short_sleep_us = 100;  // a sleep and a wake take up to 30
  static constexpr int least = 32;                      // enough to see that the other is running again
  int most_, least_, yields_, now_;
};

/// Decides how one wait goes on. Make one for each wait, and call pause() each time the awaited thing is not
/// there; when it answers false, sleep instead.
class Backoff {
 public:
  explicit Backoff(SpinBudget& budget)
      : budget_(budget), spins_left_(budget.spins()), yields_left_(budget.yields()) {}
  ~Backoff() {
    if (spins_left_ > 0 && spins_left_ < budget_.spins()) budget_.succeeded();
    if (failed_us_ != 0) budget_.ended_after(monotonic_us() - failed_us_);
  }
  Backoff(const Backoff&) = delete;
  Backoff& operator=(const Backoff&) = delete;
  bool pause();
  /// For waits that nobody ends by a wake, whose sleeper must look by itself: how long the next sleep should
  /// be, in microseconds. It grows by 10 a sleep up to 1000, so a wait ends late by a small part of what it
  /// lasted.
  std::int64_t next_nap_us() { return nap_us_ < 1000 ? nap_us_ += 10 : nap_us_; }

 private:
  SpinBudget& budget_;
  int spins_left_;
  int yields_left_;
  std::int64_t nap_us_ = 0;
  std::uint64_t failed_us_ = 0;  ///< when the spins had been in vain; 0: they have not
};

}  // namespace kanor::rt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waiting for another rank: spin a little, yield, then sleep in the kernel.
#pragma once

#include <atomic>
#include <cstdint>

namespace kanor::rt {

/// Sleeps while `word` holds `expected`, until woken, or for at most `timeout_us` microseconds (-1: no
/// limit). May return spuriously. Works between processes that share the word's memory. Async-signal-safe.
void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, std::int64_t timeout_us = -1);
/// Wakes every sleeper on `word`. Async-signal-safe.
void futex_wake(const std::atomic<std::uint32_t>& word);

void relax_core();  ///< what a loop that spins does between two looks

std::uint64_t monotonic_us();  ///< microseconds since some fixed time

/// Decides how long one rank spins before it sleeps; learns from how its waits went. Spinning pays only while
/// the awaited rank runs on another core: where it was in vain, the machine is busy or the wait long, and the
/// next one is half as long. Where the sleep was short nevertheless, the next one is twice as long: ranks
/// that exchange in step would else wake each other for ever, each a little too late for the other. Yielding
/// pays while other ranks want the core. Where another program takes it, the core comes back after that
/// program's time slice, while a sleeper gets it as soon as it is woken: the next waits sleep at once.
class SpinBudget {
 public:
  /// `spare_core`: every rank has a core of its own. Where not, spinning takes from the awaited rank.
  /// `woken`: what is awaited ends the sleep. Where not, sleeps are naps, which end too late: they are put
  /// off.
  explicit SpinBudget(bool spare_core, bool woken = true)
      : most_(spare_core ? woken ? most : most_before_naps : 0),
        least_(spare_core ? woken ? least : most_before_naps : 0),
        yields_(spare_core ? 0
                : woken    ? 12  // with 2, four ranks on two cores shifted 8 bytes three times as slowly
                           : 20),
        now_(most_) {}
  int spins() const { return now_; }
  /// The number of yields for the wait that begins.
  int yields() {
    if (waits_asleep_ == 0) return yields_;
    --waits_asleep_;
    return 0;
  }
  void succeeded() { now_ = now_ * 2 < most_ ? now_ * 2 : most_; }
  void failed() { now_ = now_ / 2 > least_ ? now_ / 2 : least_; }
  /// Records that spinning failed, and that the wait ended so many microseconds later.
  void ended_after(std::uint64_t sleep_us) {
    if (sleep_us > short_sleep_us) return;
    succeeded();
    succeeded();
  }
  /// Records how long a yield took. Returns true if the wait should go on yielding.
  bool yielded_for(std::uint64_t yield_us) {
    if (yield_us <= long_yield_us) {
      next_asleep_ -= next_asleep_ / 8;
      return true;
    }
    next_asleep_ = next_asleep_ < least_asleep ? least_asleep : next_asleep_;
    waits_asleep_ = next_asleep_;
    next_asleep_ = next_asleep_ * 4 < most_asleep ? next_asleep_ * 4 : most_asleep;
    return false;
  }

 private:
  static constexpr int most = 2000;               // some 50 microseconds
  static constexpr int most_before_naps = 50000;  // some milliseconds: a look at the network takes 100 ns
  static constexpr std::uint64_t short_sleep_us = 100;  // a sleep and a wake take up to 30
  static constexpr int least = 32;                      // enough to see that the other is running again
  static constexpr std::uint64_t long_yield_us = 500;   // time slices of other programs are milliseconds
  static constexpr int least_asleep = 16;
  static constexpr int most_asleep = 1024;  // then a yield of 10 ms costs a wait 10 microseconds
  int most_, least_, yields_, now_;
  int waits_asleep_ = 0;  ///< the number of coming waits that do not yield
  int next_asleep_ = 0;   ///< the same after the next long yield
};

/// Decides how one wait goes on. Make one for each wait, and call pause() each time the awaited thing is not
/// there; when it returns false, sleep instead.
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
  /// For waits that nobody ends by a wake, whose sleeper must look by itself: the length of the next sleep,
  /// in microseconds. It grows by 10 a sleep up to 1000, so a wait ends late by a small part of what it
  /// lasted.
  std::int64_t next_nap_us() { return nap_us_ < 1000 ? nap_us_ += 10 : nap_us_; }

 private:
  SpinBudget& budget_;
  int spins_left_;
  int yields_left_;
  std::int64_t nap_us_ = 0;
  std::uint64_t failed_us_ = 0;  ///< the time when all spins had been in vain; 0: not yet
};

}  // namespace kanor::rt

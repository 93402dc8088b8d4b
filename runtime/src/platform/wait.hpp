// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waiting for another rank: spin a little, yield, then sleep in the kernel.
#pragma once

#include <algorithm>
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
/// next one is half as long. Where the longest spinning would have caught what came, the next one is the
/// longest: ranks that exchange in step would else wake each other for ever, each a little too late for the
/// other. The longest follows what a wake takes, which differs by a factor of 20 between machines. Yielding
/// pays while other ranks want the core. Where another program takes it, the core comes back after that
/// program's time slice, while a sleeper gets it as soon as it is woken: the next waits sleep at once.
class SpinBudget {
 public:
  /// `spare_core`: every rank has a core of its own. Where not, spinning takes from the awaited rank.
  /// `woken`: what is awaited ends the sleep. Where not, sleeps are naps, which end too late: they are put
  /// off.
  explicit SpinBudget(bool spare_core, bool woken = true)
      : learns_(spare_core && woken),
        most_us_(!spare_core ? 0
                 : woken     ? spins_a_wake * least_wake_us
                             : before_naps_us),
        now_us_(most_us_),
        yields_(spare_core ? 0
                : woken    ? 12  // with 2, four ranks on two cores shifted 8 bytes three times as slowly
                           : 20) {}
  /// How long a wait spins, in microseconds; 0: not at all.
  std::uint64_t spin_us() const { return now_us_; }
  /// The number of yields for the wait that begins.
  int yields() {
    if (waits_asleep_ == 0) return yields_;
    --waits_asleep_;
    return 0;
  }
  /// Records that what was awaited came while the wait span.
  void succeeded() { now_us_ = now_us_ * 2 < most_us_ ? now_us_ * 2 : most_us_; }
  void failed() {
    if (learns_ && now_us_ > 1) now_us_ /= 2;
  }
  /// Records that spinning failed, and that what was awaited came so many microseconds later.
  void came_after(std::uint64_t more_us) {
    if (more_us <= most_us_) now_us_ = most_us_;
  }
  /// Records how long after its wake a sleeper ran again.
  void woke_after(std::uint64_t wake_us) {
    if (!learns_ || wake_us > most_wake_us) return;
    wakes_us_ += std::max(wake_us, least_wake_us) - wakes_us_ / kept_wakes;
    most_us_ = spins_a_wake * wakes_us_ / kept_wakes;
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
  static constexpr std::uint64_t least_wake_us = 12;  // the waker pays as well
  static constexpr std::uint64_t most_wake_us = 200;  // beyond, another program had the core
  static constexpr std::uint64_t kept_wakes = 8;      // make the average
  static constexpr std::uint64_t spins_a_wake = 20;   // who sleeps waits by a twentieth longer at most
  static constexpr std::uint64_t before_naps_us = 5000;
  static constexpr std::uint64_t long_yield_us = 500;  // time slices of other programs are milliseconds
  static constexpr int least_asleep = 16;
  static constexpr int most_asleep = 1024;  // then a yield of 10 ms costs a wait 10 microseconds
  bool learns_;
  std::uint64_t most_us_, now_us_;
  std::uint64_t wakes_us_ = kept_wakes * least_wake_us;  ///< the sum of the last wakes
  int yields_;
  int waits_asleep_ = 0;  ///< the number of coming waits that do not yield
  int next_asleep_ = 0;   ///< the same after the next long yield
};

/// Decides how one wait goes on. Make one for each wait, and call pause() each time the awaited thing is not
/// there; when it returns false, sleep instead, and say when the wake was.
class Backoff {
 public:
  explicit Backoff(SpinBudget& budget)
      : budget_(budget), spinning_(budget.spin_us() > 0), yields_left_(budget.yields()) {}
  ~Backoff() {
    if (spinning_ && pauses_ > 0) budget_.succeeded();
    if (failed_us_ != 0) learn();
  }
  Backoff(const Backoff&) = delete;
  Backoff& operator=(const Backoff&) = delete;
  bool pause();
  /// Records when the sleeper's last wake was, by monotonic_us(); it may have been before the sleep.
  void woken_at(std::uint64_t woken_us) { woken_us_ = woken_us; }
  /// For waits that nobody ends by a wake, whose sleeper must look by itself: the length of the next sleep,
  /// in microseconds. It grows by 10 a sleep up to 1000, so a wait ends late by a small part of what it
  /// lasted.
  std::int64_t next_nap_us() { return nap_us_ < 1000 ? nap_us_ += 10 : nap_us_; }

 private:
  static constexpr unsigned pauses_a_look =
      32;  // at the clock; enough to see that the other is running again
  void learn();

  SpinBudget& budget_;
  bool spinning_;
  unsigned pauses_ = 0;
  int yields_left_;
  std::int64_t nap_us_ = 0;
  std::uint64_t began_us_ = 0;   ///< the time of the first look at the clock
  std::uint64_t failed_us_ = 0;  ///< the time when all spinning had been in vain; 0: not yet
  std::uint64_t woken_us_ = 0;
};

}  // namespace kanor::rt

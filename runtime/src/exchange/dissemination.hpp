// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier that nobody has to wait in.
#pragma once

#include <cstdint>

namespace kanor::rt {

/// One member's part in a dissemination barrier (Hensgen, Finkel, Manber 1988) of a team of `size`: in round
/// r it tells the member 2^r behind it that it has come so far, and needs the same of the one 2^r ahead.
/// After the last round, ceil(log2 size), every member has entered. Signals may come before their round, even
/// before this member has entered.
class DisseminationBarrier {
 public:
  DisseminationBarrier(int rank, int size) : rank_(rank), size_(size) {
    while ((std::int64_t{1} << rounds_) < size) ++rounds_;
  }

  bool entered() const { return entered_; }
  bool done() const { return entered_ && round_ == rounds_; }

  /// Enters the barrier, and calls signal(member, round) for each signal that can be sent by now.
  template <class Signal>
  void enter(const Signal& signal) {
    entered_ = true;
    if (round_ < rounds_) signal(receiver(), round_);
    advance(signal);
  }
  /// Notes that the signal of this round has come; once entered, sends the signals that depend on it.
  template <class Signal>
  void arrived(int round, const Signal& signal) {
    heard_ |= std::uint64_t{1} << round;
    if (entered_) advance(signal);
  }
  /// The member whose signal is waited for, once entered.
  int source() const { return static_cast<int>((rank_ + distance()) % size_); }

 private:
  std::int64_t distance() const { return std::int64_t{1} << round_; }
  int receiver() const { return static_cast<int>((rank_ + size_ - distance() % size_) % size_); }

  template <class Signal>
  void advance(const Signal& signal) {
    while (round_ < rounds_ && (heard_ >> round_ & 1)) {
      ++round_;
      if (round_ < rounds_) signal(receiver(), round_);
    }
  }

  int rank_;
  int size_;
  int rounds_ = 0;
  int round_ = 0;
  std::uint64_t heard_ = 0;
  bool entered_ = false;
};

}  // namespace kanor::rt

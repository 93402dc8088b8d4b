// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When the next increment of a message is sent.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "job/switches.hpp"
#include "ownership/increment_sending.hpp"
#include "platform/clock.hpp"

namespace kanor::rt {

/// How far the counter of a loop that computes elements grows between two looks at the time. A look costs
/// some tens of nanoseconds: one in some microseconds is enough, and often enough. Belongs to one thread.
class StripLength {
 public:
  long long length() const { return length_; }
  void begin(std::int64_t now_ns) { looked_ns_ = now_ns; }
  /// The time is looked at, once in a strip.
  void look() {
    constexpr std::int64_t too_often_ns = 4000, too_seldom_ns = 16000;
    constexpr long long longest = 1LL << 60;
    const std::int64_t now = monotonic_ns();
    if (const std::int64_t took = now - looked_ns_; took < too_often_ns && length_ < longest)
      length_ *= 2;
    else if (took > too_seldom_ns && length_ > 1)
      length_ /= 2;
    looked_ns_ = now;
  }

 private:
  long long length_ = 1;
  std::int64_t looked_ns_ = 0;
};

/// When an increment is to be sent: when the receiver has taken those before, and more increments would not
/// cost more than they gain. Over a network, nobody sees what the receiver has taken; there the increment
/// must fill a message that MPI sends on its own. With KANOR_DELTA: when it has so many bytes. Belongs to the
/// sender's thread.
class Pace {
 public:
  /// `cost_ns`: what it takes the rank to send an increment, as far as is known; 0: it is not.
  Pace(const Switches& switches, std::int64_t& cost_ns)
      : is_on_(switches.delta), bytes_(switches.increment_bytes), cost_ns_(cost_ns) {}

  bool is_time(std::size_t bytes, const DeltaMessage& message) const {
    if (!is_on_ || bytes_ > 0) return is_on_ && bytes >= bytes_;
    if (message.is_behind()) return false;
    const std::int64_t now = monotonic_ns(), computing = now - last_ns_;
    // Of n increments of cost c in the time t, all but the last one's 1/n of the receiver's work overlaps
    // with computing: n c + t / n is least for t / n = sqrt(c t).
    const double least = static_cast<double>(cost_ns_) * static_cast<double>(now - begun_ns_);
    return (message.sees_receiver() || bytes >= DeltaMessage::piece_bytes) &&
           static_cast<double>(computing) * static_cast<double>(computing) >= least;
  }
  /// Sends an increment, or the head.
  template <class Send>
  void spend(Send send) {
    const std::int64_t before = monotonic_ns();
    send();
    last_ns_ = monotonic_ns();
    const std::int64_t took = last_ns_ - before;
    // What one took that was interrupted, or woke the receiver, is not what the next ones take.
    cost_ns_ = cost_ns_ == 0 ? took : std::min(took, cost_ns_ + cost_ns_ / 8 + 1);
  }

 private:
  const bool is_on_;
  const std::size_t bytes_;  ///< 0: it is the time that counts
  std::int64_t& cost_ns_;
  std::int64_t last_ns_ = 0;
  const std::int64_t begun_ns_ = monotonic_ns();
};

}  // namespace kanor::rt

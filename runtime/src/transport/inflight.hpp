// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much of what one rank sent to another has not come back.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace kanor::rt {

/// Bytes in flight for one (sender, receiver) pair, in memory that both share, but for those in the pair's
/// ring (`besides`: RingSender::weight()). The sender adds, so what it reads can only shrink: once there is
/// room, there stays room. (But for a moment, in which what moves here counts twice.) The receiver adds what
/// it moves here out of the ring, before it drops it there; so a sender that looks at the ring first, and at
/// this then, counts nothing too few times.
///
/// The top bit says that the sender sleeps for room. It lies in the same word as the number, so the receiver
/// that gives back sees it in the same step: either the sender's mark comes first and the give-back wakes it,
/// or the give-back comes first and the mark's own read sees the room. Give-back is release and the sender's
/// reads are acquire, although the payload's memory itself returns through the pool.
class Inflight {
 public:
  /// Returns true if `bytes` fit into the limit beside what is in flight; alone they always do.
  static bool fit(std::uint64_t bytes, std::uint64_t in_flight, std::uint64_t limit) {
    return in_flight == 0 || in_flight + bytes <= limit;
  }
  /// Sender: the bytes counted here.
  std::uint64_t bytes() const { return word_.load(std::memory_order_acquire) & ~sleeping; }
  /// Sender: counts `bytes` if they fit, and returns the sum; 0 if they don't.
  std::uint64_t try_add(std::uint64_t bytes, std::uint64_t limit, std::uint64_t besides = 0) {
    if (!fit(bytes, this->bytes() + besides, limit)) return 0;
    return (word_.fetch_add(bytes, std::memory_order_relaxed) & ~sleeping) + bytes + besides;
  }
  /// Sender: marks that it is about to sleep. Returns true if it should, because `bytes` still do not fit.
  bool mark_sleeping(std::uint64_t bytes, std::uint64_t limit, std::uint64_t besides = 0) {
    const std::uint64_t now = word_.fetch_or(sleeping, std::memory_order_acq_rel) & ~sleeping;
    if (!fit(bytes, now + besides, limit)) return true;
    word_.fetch_and(~sleeping, std::memory_order_relaxed);
    return false;
  }
  /// Receiver: counts bytes that the ring has counted so far. Relaxed: the ring's `taken`, which is written
  /// next, is a release.
  void move_here(std::uint64_t bytes) { word_.fetch_add(bytes, std::memory_order_relaxed); }
  /// Receiver: gives bytes back. Returns true if the sender must be woken, which follows at once: this may
  /// clear a mark that the sender has set anew meanwhile, for a sleep that only the wake then ends.
  bool give_back(std::uint64_t bytes) {
    if (!(word_.fetch_sub(bytes, std::memory_order_release) & sleeping)) return false;
    word_.fetch_and(~sleeping, std::memory_order_relaxed);
    return true;
  }

 private:
  static constexpr std::uint64_t sleeping = std::uint64_t{1} << 63;
  std::atomic<std::uint64_t> word_{0};
};

}  // namespace kanor::rt

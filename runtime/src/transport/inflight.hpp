// How much of what one rank sent to another has not come back.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace kanor::rt {

/// Bytes in flight for one (sender, receiver) pair, in memory that both share. Only the sender adds, so what
/// it reads can only shrink: once there is room, there stays room.
///
/// The top bit says that the sender sleeps for room. It lies in the same word as the number, so the receiver
/// that gives back sees it in the same step: either the sender's mark comes first and the give-back wakes it,
/// or the give-back comes first and the mark's own read sees the room. Give-back is release and the sender's
/// reads are acquire, although the payload's memory itself returns through the pool.
class Inflight {
 public:
  /// Sender: counts `bytes` if they fit into the limit (alone they always do), and answers the sum; 0 if they
  /// don't.
  std::uint64_t try_add(std::uint64_t bytes, std::uint64_t limit) {
    const std::uint64_t now = word_.load(std::memory_order_acquire) & ~sleeping;
    if (now != 0 && now + bytes > limit) return 0;
    return (word_.fetch_add(bytes, std::memory_order_relaxed) & ~sleeping) + bytes;
  }
  /// Sender: marks that it is about to sleep, and answers whether it should, because `bytes` still do not
  /// fit.
  bool mark_sleeping(std::uint64_t bytes, std::uint64_t limit) {
    const std::uint64_t now = word_.fetch_or(sleeping, std::memory_order_acq_rel) & ~sleeping;
    if (now != 0 && now + bytes > limit) return true;
    word_.fetch_and(~sleeping, std::memory_order_relaxed);
    return false;
  }
  /// Receiver: gives back, and answers whether the sender must be woken.
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

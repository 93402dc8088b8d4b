// A rank's own message memory.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memory/message.hpp"
#include "memory/segment.hpp"

namespace kanor::rt {

/// Message memory of one rank. Lies in memory that all ranks of the machine share, in an array with one pool
/// a rank.
///
/// Blocks are powers of two. Small ones (up to half a unit of the segment) are carved from whole units and
/// stay with the pool; large ones are pieces of the segment, of which the pool keeps a few for the next
/// message and gives the rest back, so memory is bounded by what was in use at one time.
///
///     owner:   allocate -> free_[class] -> returned_ (all of it) -> carve -> segment
///     owner:   give_back -> free_[class]
///     others:  give_back -> push on returned_ --- one exchange by the owner ---> free_[class]
///
/// Why the stack of returned messages is right: others only push, by compare-exchange of the head; the owner
/// only takes everything, by exchanging the head with null. A push that succeeds read the head that it puts
/// below itself in the same atomic step's expected value, so it is the head at that moment, whatever happened
/// since it was first read: there is no pop of one element, hence no ABA. Each push is a release and a
/// read-modify-write, so it continues the release sequences of the pushes below it; the owner's acquire
/// exchange reads the last of them and thereby synchronises with all: what any of the former holders did with
/// its block comes before the owner's reuse.
class Pool {
 public:
  /// At most this many idle bytes of large blocks stay with the pool.
  Pool(std::uint32_t index, Segment& segment, std::size_t idle_limit_bytes);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Memory for a payload; null when the segment is used up. Owner only.
  Message* allocate(std::size_t payload_bytes);
  /// The same, but only memory that was given back; null where that has none of the size. Owner only.
  Message* reuse(std::size_t payload_bytes);

  /// What reuse() would give next, as it lies in the free memory; null where it would have to look for more.
  /// Owner only.
  const Message* next_free(std::size_t payload_bytes) const { return free_[size_class_of(payload_bytes)]; }

  /// Whether the message is a piece of the segment for itself, which goes back there if there are enough.
  static bool is_large(const Message& message) { return !small(message.size_class); }

  /// Returns a message of any pool of the array to its owner. `self` is the calling thread's pool, or null.
  void give_back(Message* message, const Pool* self);

  std::uint32_t index() const { return index_; }
  /// Bytes of large blocks that wait here for reuse.
  std::size_t idle_bytes() const { return idle_bytes_.load(std::memory_order_relaxed); }

 private:
  static constexpr int smallest_shift = 7;        // 128 bytes: a header and one cache line
  static constexpr int largest_small_shift = 17;  // 128 KiB: two in a unit
  static constexpr int classes = 48;              // up to 2^(7+47) bytes

  static bool small(int size_class) { return size_class + smallest_shift <= largest_small_shift; }
  static std::size_t block_bytes(int size_class) { return std::size_t{1} << (size_class + smallest_shift); }
  static int size_class_of(std::size_t payload_bytes);
  static void clear(Message& message, std::size_t payload_bytes);
  Message* take_free(int size_class);
  void collect();
  Message* carve(int size_class);
  /// Returns idle large blocks to the segment; whether there were any.
  bool give_up_idle();

  const std::uint32_t index_;
  Segment* const segment_;  // the same address in every rank
  const std::size_t idle_limit_bytes_;

  // Owner only.
  std::array<Message*, classes> free_{};
  std::array<std::byte*, classes> carve_from_{};
  std::array<std::byte*, classes> carve_end_{};

  // Everyone.
  alignas(64) std::atomic<Message*> returned_{nullptr};  ///< push: release; owner's exchange: acquire
  std::atomic<std::size_t> idle_bytes_{0};               ///< relaxed: a limit, not a hand-over
};

}  // namespace kanor::rt

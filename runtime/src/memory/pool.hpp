// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank's own message memory.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "memory/depot.hpp"
#include "memory/message.hpp"
#include "memory/segment.hpp"

namespace kanor::rt {

/// Message memory of one rank. Lies in memory that all ranks of the machine share, in an array with one pool
/// a rank.
///
/// Blocks are powers of two. Small ones (up to half a unit of the segment) are carved from whole units; large
/// ones are pieces of the segment, to which they return where all pools have enough of them. So memory is
/// bounded by what was in use at one time.
///
///     owner:   allocate -> free_[class] -> returned_ (all of it) -> depot -> carve -> segment
///     owner:   give_back -> free_[class] --- too many ---> depot
///     others:  give_back -> push on returned_ --- one exchange by the owner ---> free_[class]
///
/// A block may come to belong to another pool than the one that carved it, its home: adopt(). What a pool has
/// idle of a size beyond kept_of() goes to the depot when one more is given back, half of it at a time: so a
/// rank that gives as much as it takes lives on its own pool without a shared word, and where one rank only
/// gives and another only takes, memory goes round (Friedley et al., PPoPP 2013, section 3.2: receiver's
/// pool, with a threshold). A block that its owner has adopted, and a third gives back, stays with the third:
/// who takes, and passes on by another way, may never ask for memory itself, and so never look at what has
/// come back.
///
/// On a machine with several NUMA nodes each has a depot, and a block goes to that of its home: its pages lie
/// where they were first touched.
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
  static constexpr int most_nodes = 8;  ///< number of depots; further nodes share them

  /// `depots` has one for each node. At most this many idle bytes of large blocks stay with the pool, those
  /// that it has made and that lie in a depot included.
  Pool(std::uint16_t index, Segment& segment, Depot* depots, std::size_t idle_limit_bytes);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Says on which node the owner runs; without it, on the first. Owner only, before it allocates.
  void settle(int node) { node_ = static_cast<std::uint16_t>(node % most_nodes); }

  /// Memory for a payload; null when the segment is used up. Owner only.
  Message* allocate(std::size_t payload_bytes);
  /// The same, but only memory that was given back; null where that has none of the size. Owner only.
  Message* reuse(std::size_t payload_bytes) {
    if (payload_bytes > segment_->bytes()) return nullptr;
    const int size_class = size_class_of(payload_bytes);
    Message* const message = take(size_class);
    if (!message) return nullptr;
    if (!small(size_class) && message->filled < filled_by(payload_bytes, size_class))
      fill_more(*message, payload_bytes);
    clear(*message, payload_bytes);
    return message;
  }

  /// The bytes that allocate() takes from the segment, in one piece, if nothing that was given back has the
  /// size.
  static std::size_t piece_bytes(std::size_t payload_bytes) {
    return std::max(block_bytes(size_class_of(payload_bytes)), Segment::unit_bytes);
  }

  /// The block that reuse() would return next, in the free list; null where it would have to look for more.
  /// Owner only.
  const Message* next_free(std::size_t payload_bytes) const { return free_[size_class_of(payload_bytes)]; }

  /// Returns true if the message is a piece of the segment for itself, which goes back there if there are
  /// enough.
  static bool is_large(const Message& message) { return !small(message.size_class); }

  /// Makes a message that the caller holds return to this pool from here on. Owner only.
  void adopt(Message& message) { message.owner = index_; }

  /// Returns a message of any pool of the array to its owner, or, where that has adopted it and is not
  /// `self`, to `self`: the calling thread's pool, or null.
  void give_back(Message* message, const Pool* self) {
    if (this == self && message->owner == index_ && small(message->size_class)) return keep(message);
    give_back_elsewhere(message, self);
  }

  /// The number of idle blocks of so many bytes that are kept.
  static constexpr std::uint32_t kept_of(std::size_t block_bytes) {
    constexpr std::size_t most_bytes = std::size_t{1} << 18;
    return static_cast<std::uint32_t>(std::clamp<std::size_t>(most_bytes / block_bytes, 4, 256));
  }

  std::uint16_t index() const { return index_; }
  /// The bytes of blocks that this pool has made, whoever holds them now, and of those that wait for reuse;
  /// of large ones only what was asked for, since only that takes memory.
  const Footprint& footprint() const { return footprint_; }
  /// Bytes of large blocks that wait for reuse, here or, of those it has made, in a depot; as footprint()
  /// counts them.
  std::size_t idle_bytes() const { return idle_bytes_.load(std::memory_order_relaxed); }

 private:
  static constexpr int smallest_shift = 7;        // 128 bytes: a header and one cache line
  static constexpr int largest_small_shift = 17;  // 128 KiB: two in a unit
  static constexpr int classes = Depot::classes;  // up to 2^(7+47) bytes

  static bool small(int size_class) { return size_class + smallest_shift <= largest_small_shift; }
  static std::size_t block_bytes(int size_class) { return std::size_t{1} << (size_class + smallest_shift); }
  static int size_class_of(std::size_t payload_bytes) {
    const std::size_t rest = (payload_bytes + sizeof(Message) - 1) >> smallest_shift;
    return std::bit_width(rest);
  }
  /// The bytes of a block that may have been touched. For a large one they are recorded in 256ths of the
  /// block: the most that was asked for while it has been one.
  static std::size_t filled_bytes(const Message& message) {
    const std::size_t block = block_bytes(message.size_class);
    return small(message.size_class) ? block : (message.filled + std::size_t{1}) * (block / 256);
  }
  static std::uint8_t filled_by(std::size_t payload_bytes, int size_class) {
    const std::size_t last_byte = sizeof(Message) + payload_bytes - 1;
    return static_cast<std::uint8_t>(last_byte / (block_bytes(size_class) / 256));
  }
  /// Prepares a large block to hold more than ever before.
  void fill_more(Message& message, std::size_t payload_bytes);
  static void clear(Message& message, std::size_t payload_bytes) {
    message.envelope = {};
    message.envelope.bytes = payload_bytes;
    message.counted = Counted::nowhere;
    message.extra_bytes = 0;
  }
  /// An idle block of the size, whoever has it; null where there is none.
  Message* take(int size_class) {
    return free_[size_class] ? take_free(size_class) : look_further(size_class);
  }
  /// An idle block of this pool's own, of which there is one.
  Message* take_free(int size_class) {
    Message* const message = free_[size_class];
    free_[size_class] = message->next.load(std::memory_order_relaxed);
    if (!small(size_class)) idle_bytes_.fetch_sub(filled_bytes(*message), std::memory_order_relaxed);
    ++room_[size_class];
    return message;
  }
  /// Puts a block of this pool's among those that wait for reuse.
  void keep(Message* message) {
    const int size_class = message->size_class;
    message->next.store(free_[size_class], std::memory_order_relaxed);
    free_[size_class] = message;
    if (--room_[size_class] < 0) trim(size_class);
  }
  /// A block of the size that others have given back, or have too much of; null where there is none.
  Message* look_further(int size_class);
  void collect_returned();
  /// Makes a block from a depot this pool's, and takes it off the account of its maker.
  void take_over(Message& message);
  void give_back_elsewhere(Message* message, const Pool* self);
  Message* carve(int size_class, std::size_t payload_bytes);
  /// Gives a large block that nobody holds back to the segment.
  void release(Message& message);
  /// Returns idle large blocks to the segment, also those in depots. Returns true if there were any.
  bool give_up_idle();
  Pool& pool(std::uint16_t index) { return *(this - index_ + index); }
  /// Returns true if this pool may keep the block as idle. If there is no room for its idle bytes, gives it
  /// to the segment and returns false.
  bool claim_idle(Message& message);
  void push_returned(Message* message);
  /// Keeps half of what is kept of a size, that which was used last, and moves the rest to the depot.
  void trim(int size_class);

  const std::uint16_t index_;
  std::uint16_t node_ = 0;
  Segment* const segment_;  // the same address in every rank
  Depot* const depots_;     // likewise
  const std::size_t idle_limit_bytes_;

  // Owner only.
  std::array<Message*, classes> free_{};
  std::array<std::byte*, classes> carve_from_{};
  std::array<std::byte*, classes> carve_end_{};
  std::array<std::int32_t, classes> room_{};  ///< how many more blocks free_ may hold

  // Everyone.
  alignas(64) std::atomic<Message*> returned_{nullptr};  ///< push: release; owner's exchange: acquire
  std::atomic<std::size_t> idle_bytes_{0};               ///< relaxed: a limit, not a hand-over
  Footprint footprint_;
};

}  // namespace kanor::rt

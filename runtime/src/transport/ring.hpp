// Small messages from one rank to another of the same machine, without allocation and without a shared
// read-modify-write.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "platform/copy.hpp"
#include "platform/prefetch.hpp"

namespace kanor::rt {

/// Cells that one rank fills and one other empties. Lies in memory that both share; zeros are an empty ring.
///
///     page:  | taken | cell 0 | cell 1 | ... | cell 30 |       128 bytes each, 4 KiB in all
///     cell:  | stamp bytes context sequence | payload ... |    the first 32 bytes of payload share the
///             '-------- one cache line --------'  '- next -'   stamp's cache line
///
/// The message at position p (0, 1, ...) lies in cell p % 31 and is there when the cell's stamp is p + 1.
///
/// Why a reader sees whole messages. The sender writes all of the cell and then the stamp; the receiver reads
/// the stamp and then the cell. The stamp's store is (at least) a release, its load (at least) an acquire,
/// and each stamp value is written once in the ring's life, so a receiver that reads p + 1 sees what was
/// written before it. The sender writes position p only once it has read taken > p - 31 (acquire), which the
/// receiver wrote (release) after it had read the message 31 positions before: so that reading comes before
/// the overwriting.
///
/// Why no wake is lost. The stamp is stored and the receiver's `awaits` (Presence) then read by the sender;
/// `awaits` is stored and the stamp then read by the receiver before it sleeps: all four sequentially
/// consistent. In their single order one of the two stores comes first, and the other side's read, which
/// follows its own store, sees it: the receiver finds the message, or the sender finds that it must wake.
///
/// A sender that dies between two steps leaves a cell without its stamp, which nobody reads.
class Ring {
 public:
  static constexpr std::size_t payload_bytes = 96;
  static constexpr unsigned cells = 31;

  struct alignas(128) Cell {
    std::atomic<std::uint64_t> stamp{0};
    std::uint64_t bytes;
    std::uint64_t context;
    std::uint64_t sequence;
    std::byte payload[payload_bytes];
  };

  Cell& cell(std::uint64_t position) { return cells_[position % cells]; }
  std::atomic<std::uint64_t>& taken() { return taken_; }

 private:
  /// Positions below it are free; written by the receiver.
  alignas(128) std::atomic<std::uint64_t> taken_{0};
  Cell cells_[cells];
};
static_assert(sizeof(Ring) == 4096);

/// The sender's end of a ring; belongs to its thread. Takes up where the ring is, at its first use: pages of
/// pairs that never talk stay untouched.
class RingSender {
 public:
  explicit RingSender(Ring& ring) : ring_(&ring) {}

  /// Leaves a message of at most Ring::payload_bytes bytes; false if the ring is full. Does not wait. Whoever
  /// calls it looks next (sequentially consistently) whether the receiver sleeps.
  bool put(std::uint64_t context, std::uint64_t sequence, const std::byte* payload, std::size_t bytes) {
    if (next_ - taken_ == Ring::cells && !look_again()) return false;
    Ring::Cell& cell = ring_->cell(next_++);
    cell.bytes = bytes;
    cell.context = context;
    cell.sequence = sequence;
    copy_few(cell.payload, payload, bytes);
    cell.stamp.store(next_, std::memory_order_seq_cst);  // pairs with RingReceiver::find; order with `awaits`
    prefetch_for_writing(&ring_->cell(next_));           // while the sender is busy otherwise
    return true;
  }

 private:
  bool look_again() {
    taken_ = ring_->taken().load(std::memory_order_acquire);  // pairs with RingReceiver::drop
    if (!begun_) {
      begun_ = true;
      // Stamps of the sender's own: relaxed.
      for (next_ = taken_; ring_->cell(next_).stamp.load(std::memory_order_relaxed) == next_ + 1;) ++next_;
    }
    return next_ - taken_ < Ring::cells;
  }

  Ring* ring_;
  std::uint64_t next_ = Ring::cells;  ///< position of the next message; until begun, as if the ring were full
  std::uint64_t taken_ = 0;           ///< what was last seen of the ring's
  bool begun_ = false;
};

/// The receiver's end of a ring; belongs to its thread. Messages may be taken out of order, because the one
/// asked for need not be the oldest; a cell is free again once all before it are.
class RingReceiver {
 public:
  explicit RingReceiver(Ring& ring) : ring_(&ring) {}

  /// The message (context, sequence), if it is there: stays where it is until drop(position).
  const Ring::Cell* find(std::uint64_t context, std::uint64_t sequence, std::uint64_t& position) {
    if (first_ == not_begun) first_ = ring_->taken().load(std::memory_order_relaxed);  // its own word
    position = first_;
    for (std::uint32_t gone = gone_;; gone >>= 1, ++position) {
      const Ring::Cell& cell = ring_->cell(position);
      // Sequentially consistent for the look before a sleep; pairs with RingSender::put.
      if (cell.stamp.load(std::memory_order_seq_cst) != position + 1) return nullptr;
      if ((gone & 1) == 0 && cell.sequence == sequence && cell.context == context) return &cell;
    }
  }

  bool has(std::uint64_t context, std::uint64_t sequence) {
    std::uint64_t position;
    return find(context, sequence, position) != nullptr;
  }

  void drop(std::uint64_t position) {
    gone_ |= std::uint32_t{1} << (position - first_);
    if (position != first_) return;
    for (; gone_ & 1; gone_ >>= 1) ++first_;
    ring_->taken().store(first_, std::memory_order_release);  // pairs with RingSender::look_again
  }

 private:
  static constexpr std::uint64_t not_begun = ~std::uint64_t{0};

  Ring* ring_;
  std::uint64_t first_ = not_begun;  ///< oldest position that is not taken
  std::uint32_t gone_ = 0;           ///< bit i: position first_ + i was taken out of order
};

}  // namespace kanor::rt

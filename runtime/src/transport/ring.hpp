// Messages from one rank to another of the same machine, without a shared read-modify-write.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "memory/pool.hpp"
#include "platform/copy.hpp"
#include "platform/prefetch.hpp"

namespace kanor::rt {

/// Cells that one rank fills and one other empties. Lies in memory that both share; zeros are an empty ring.
///
///     page:  | taken | cell 0 | cell 1 | ... | cell 30 |       128 bytes each, 4 KiB in all
///     cell:  | stamp bytes context sequence | payload ... |    the first 32 bytes of payload share the
///             '-------- one cache line --------'  '- next -'   stamp's cache line
///
/// The message at position p (0, 1, ...) lies in cell p % 31 and is there when the cell's stamp is p + 1. A
/// short one is the cell's payload. Of a longer one the payload is the address: it lies in memory of its
/// sender's pool, which is the sender's again once `taken` has passed p, so nothing else need be written to
/// give it back, nor to tell how many bytes are no longer in flight.
///
/// Why a reader sees whole messages. The sender writes all of the cell, and of the message elsewhere, and
/// then the stamp; the receiver reads the stamp and then the rest. The stamp's store is (at least) a release,
/// its load (at least) an acquire, and each stamp value is written once in the ring's life, so a receiver
/// that reads p + 1 sees what was written before it. The sender writes position p, and the memory of a
/// message elsewhere, only once it has read taken > p - 31, or taken > the message's position (acquire),
/// which the receiver wrote (release) after it had read the message: so that reading comes before the
/// overwriting.
///
/// A receiver that wants to have `taken` pass a message elsewhere whose memory returns another way says so in
/// the cell (`kept`), before it writes `taken`; the sender reads it after having read `taken`, and resets it
/// when it writes the cell anew.
///
/// Why no wake is lost. The stamp is stored and the receiver's `awaits` (Presence) then read by the sender;
/// `awaits` is stored and the stamp then read by the receiver before it sleeps: all four sequentially
/// consistent. In their single order one of the two stores comes first, and the other side's read, which
/// follows its own store, sees it: the receiver finds the message, or the sender finds that it must wake. The
/// same holds, with the roles exchanged, of `taken` and of a sender that waits for room: of the two stores,
/// `taken` past a message that weighs and the sender's `awaits`, one comes first.
///
/// A sender that dies between two steps leaves a cell without its stamp, which nobody reads.
class Ring {
 public:
  static constexpr std::size_t payload_bytes = 96;
  /// Where there are extra bytes: their number lies at the end of the cell.
  static constexpr std::size_t payload_bytes_beside_extra = payload_bytes - sizeof(std::uint64_t);
  static constexpr unsigned cells = 31;

  struct alignas(128) Cell {
    std::atomic<std::uint64_t> stamp{0};
    std::uint32_t bytes;  ///< of the payload, wherever it lies; the most that fit here if there are more
    std::uint32_t marks;  ///< bits below
    std::uint64_t context;
    std::uint64_t sequence;
    std::byte payload[payload_bytes];

    static constexpr std::size_t first_line_bytes = 32;  ///< of payload
    // A message counts as in flight for itself; others are allowed for with the ring. The payload is the
    // address of a Message. Set by the receiver: that does not return with `taken`.
    static constexpr std::uint32_t weighing = 1, elsewhere = 2, kept = 4;

    bool is(std::uint32_t mark) const { return (marks & mark) != 0; }
    Message* message() const {
      Message* address;
      std::memcpy(&address, payload, sizeof address);
      return address;
    }
    /// What a message in the cell points to, and weighs with it.
    std::uint64_t extra_bytes() const {
      std::uint64_t extra = 0;
      if (marks == weighing) std::memcpy(&extra, payload + payload_bytes_beside_extra, sizeof extra);
      return extra;
    }
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
  /// Messages elsewhere are of this pool, the sender's own.
  RingSender(Ring& ring, Pool& pool) : ring_(&ring), pool_(&pool) {}

  /// Leaves a message of at most Ring::payload_bytes bytes; false if the ring is full. Does not wait. Whoever
  /// calls it looks next (sequentially consistently) whether the receiver sleeps.
  bool put(std::uint64_t context, std::uint64_t sequence, const std::byte* payload, std::size_t bytes) {
    if (!has_cell()) return false;
    publish(0, bytes, context, sequence, payload, bytes);
    return true;
  }
  /// The same with a message of at most Ring::payload_bytes_beside_extra bytes that points to others, which
  /// count as in flight.
  bool put_with_extra(std::uint64_t context, std::uint64_t sequence, const std::byte* payload,
                      std::size_t bytes, std::uint64_t extra_bytes) {
    if (!has_cell()) return false;
    std::memcpy(ring_->cell(next_).payload + Ring::payload_bytes_beside_extra, &extra_bytes,
                sizeof extra_bytes);
    note(sizeof(Message) + bytes + extra_bytes, nullptr);
    publish(Ring::Cell::weighing, bytes, context, sequence, payload, bytes);
    return true;
  }
  /// The same with a message of the sender's pool, of any length; it belongs to the ring from here on.
  bool put(Message* message, const Envelope& envelope) {
    if (!has_cell()) return false;
    message->envelope = envelope;
    message->position = next_;
    message->counted = Counted::in_ring;
    note(sizeof(Message) + envelope.bytes + message->extra_bytes, message);
    publish(Ring::Cell::weighing | Ring::Cell::elsewhere, envelope.bytes, envelope.context, envelope.sequence,
            reinterpret_cast<const std::byte*>(&message), sizeof message);
    return true;
  }

  /// Bytes that were in flight when the sender looked last.
  std::uint64_t weight() const { return weight_; }
  /// Of everything that is in flight for the pair there were so many bytes.
  void saw(std::uint64_t bytes) { most_ = bytes > most_ ? bytes : most_; }
  /// The most of them, with the ring itself once it has been used.
  std::uint64_t peak_bytes() const { return begun_ ? sizeof(Ring) + most_ : 0; }

  /// Looks how far the receiver has come, and takes memory back to the pool. Sequentially consistent, for a
  /// sender that goes to sleep: see Ring.
  void look_again() {
    taken_ = ring_->taken().load(std::memory_order_seq_cst);  // pairs with RingReceiver::drop
    if (!begun_) {
      begun_ = true;
      // Stamps of the sender's own: relaxed.
      for (next_ = taken_; ring_->cell(next_).stamp.load(std::memory_order_relaxed) == next_ + 1;) ++next_;
    }
    for (; noted_ > 0 && notes_[oldest_].position < taken_; --noted_) {
      const Note& done = notes_[oldest_];
      weight_ -= done.weight;
      if (done.message && !ring_->cell(done.position).is(Ring::Cell::kept))
        pool_->give_back(done.message, pool_);
      oldest_ = (oldest_ + 1) % Ring::cells;
    }
  }

 private:
  struct Note {
    std::uint64_t position, weight;
    Message* message;
  };

  bool has_cell() {
    if (next_ - taken_ == Ring::cells) look_again();
    return next_ - taken_ < Ring::cells;
  }

  void note(std::uint64_t weight, Message* message) {
    notes_[(oldest_ + noted_++) % Ring::cells] = {next_, weight, message};
    weight_ += weight;
  }

  void publish(std::uint32_t marks, std::size_t payload_bytes, std::uint64_t context, std::uint64_t sequence,
               const std::byte* content, std::size_t content_bytes) {
    Ring::Cell& cell = ring_->cell(next_++);
    cell.bytes = static_cast<std::uint32_t>(std::min<std::size_t>(payload_bytes, UINT32_MAX));
    cell.marks = marks;
    cell.context = context;
    cell.sequence = sequence;
    copy_few(cell.payload, content, content_bytes);
    cell.stamp.store(next_, std::memory_order_seq_cst);  // pairs with RingReceiver::find; order with `awaits`
    // While the sender is busy otherwise; the next message may be like this one.
    Ring::Cell& next = ring_->cell(next_);
    prefetch_for_writing(&next);
    if (content_bytes > Ring::Cell::first_line_bytes)
      prefetch_for_writing(next.payload + Ring::Cell::first_line_bytes);
  }

  Ring* ring_;
  Pool* pool_;
  std::uint64_t next_ = Ring::cells;  ///< position of the next message; until begun, as if the ring were full
  std::uint64_t taken_ = 0;           ///< what was last seen of the ring's
  std::uint64_t weight_ = 0, most_ = 0;
  bool begun_ = false;
  unsigned oldest_ = 0, noted_ = 0;        ///< in notes_
  std::array<Note, Ring::cells> notes_{};  ///< of those that weigh, from taken_ on
};

/// The receiver's end of a ring; belongs to its thread. Messages may be taken out of order, because the one
/// asked for need not be the oldest; a cell is free again once all before it are.
class RingReceiver {
 public:
  explicit RingReceiver(Ring& ring) : ring_(&ring) {}

  /// The message (context, sequence), if it is there: stays where it is until drop(position).
  const Ring::Cell* find(std::uint64_t context, std::uint64_t sequence, std::uint64_t& position) {
    return find_if(position, [&](const Ring::Cell& cell) {
      return cell.sequence == sequence && cell.context == context;
    });
  }

  /// The oldest message for which `matches(cell)` is true, of those that have not been given out.
  template <class Matches>
  const Ring::Cell* find_if(std::uint64_t& position, Matches matches) {
    if (first_ == not_begun) first_ = ring_->taken().load(std::memory_order_relaxed);  // its own word
    position = first_;
    for (std::uint32_t out = out_;; out >>= 1, ++position) {
      const Ring::Cell& cell = ring_->cell(position);
      // Sequentially consistent for the look before a sleep; pairs with RingSender::publish.
      if (cell.stamp.load(std::memory_order_seq_cst) != position + 1) return nullptr;
      if ((out & 1) == 0 && matches(cell)) return &cell;
    }
  }

  bool has(std::uint64_t context, std::uint64_t sequence) {
    std::uint64_t position;
    return find(context, sequence, position) != nullptr;
  }

  /// The message at this position is in use from here on, and not found again.
  void give_out(std::uint64_t position) { out_ |= bit(position); }

  /// The message at this position has been used. Answers whether the sender may have waited for that: it then
  /// has to be woken if it sleeps.
  [[nodiscard]] bool drop(std::uint64_t position) {
    out_ |= bit(position);
    gone_ |= bit(position);
    if (position != first_) return false;
    bool weighed = false;
    for (; gone_ & 1; gone_ >>= 1, out_ >>= 1) weighed |= ring_->cell(first_++).is(Ring::Cell::weighing);
    // Release, or more for a sender that sleeps; pairs with RingSender::look_again.
    ring_->taken().store(first_, weighed ? std::memory_order_seq_cst : std::memory_order_release);
    return weighed;
  }
  /// The same for a message elsewhere, whose memory does not return with it.
  [[nodiscard]] bool keep(std::uint64_t position) {
    ring_->cell(position).marks |= Ring::Cell::kept;
    return drop(position);
  }

  /// A message that has been used, and weighs, counts as in flight still, because the one at oldest() has
  /// not.
  bool is_held_back() const {
    for (std::uint32_t gone = gone_ >> 1, i = 1; gone != 0; gone >>= 1, ++i)
      if ((gone & 1) && ring_->cell(first_ + i).is(Ring::Cell::weighing)) return true;
    return false;
  }
  const Ring::Cell& oldest(std::uint64_t& position) const { return ring_->cell(position = first_); }
  const Ring::Cell& at(std::uint64_t position) const { return ring_->cell(position); }
  bool is_given_out(std::uint64_t position) const { return (out_ & bit(position)) != 0; }

 private:
  static constexpr std::uint64_t not_begun = ~std::uint64_t{0};

  std::uint32_t bit(std::uint64_t position) const { return std::uint32_t{1} << (position - first_); }

  Ring* ring_;
  std::uint64_t first_ = not_begun;  ///< oldest position that is not taken
  std::uint32_t out_ = 0;            ///< bit i: position first_ + i is not to be found any more
  std::uint32_t gone_ = 0;           ///< bit i: it has been used
};

}  // namespace kanor::rt

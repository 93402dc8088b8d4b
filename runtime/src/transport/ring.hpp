// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages from one rank to another of the same machine, without a shared read-modify-write.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "memory/pool.hpp"
#include "platform/copy.hpp"
#include "platform/prefetch.hpp"

namespace kanor::rt {

/// Cells that one rank fills and one other empties. Lies in memory that both share; zeros are an empty ring.
///
///     page:     | taken | cell 0 | cell 1 | ... | cell 57 | 4 lines more |      cells of 64 bytes, 4 KiB in
///     all message:  | stamp bytes marks context sequence | content ... | ... content | ... | ... content |
///                '--------------- its first cell ---------------'  '- the next ones, up to 4 of them -'
///
/// The message at position p (0, 1, ...) begins in cell p % 58 and is there when that cell's stamp is p + 1;
/// the next one's position is p + the number of its cells. A short message is the content: up to 32 bytes
/// share the stamp's cache line, up to 288 lie in the lines next to it. Of a longer one the content is the
/// address: it lies in memory of its sender's pool, which is the sender's again once `taken` has passed p, so
/// nothing else need be written to give it back, nor to tell how many bytes are no longer in flight.
///
/// At the end of the ring a message's cells are those that are left; what does not fit there lies in the
/// lines behind the last cell, which belong to that: so content is never divided, and no cell is left out.
///
/// Why a reader sees whole messages. The sender writes all of the message, in its cells and elsewhere, and
/// then the stamp; the receiver reads the stamp and then the rest. The stamp's store is (at least) a release,
/// its load (at least) an acquire, and each stamp value is written once in the ring's life, so a receiver
/// that reads p + 1 sees what was written before it. The sender writes the cells from p on, n of them, and
/// the memory of a message elsewhere, only once it has read taken >= p + n - 58, or taken > the message's
/// position (acquire), which the receiver wrote (release) after it had read the message: so that reading
/// comes before the overwriting. The lines behind the last cell are written with that cell's position, and
/// were read before `taken` passed the one before it, 58 less.
///
/// Why content is not taken for a stamp. The receiver looks at a cell when all positions before its own are
/// read, q, and finds there what was last written at q - 58 or before. If that was a stamp, it was at most
/// q - 57, not q + 1. If it was content, of a message that began earlier, the sender has made sure that its
/// word where a stamp would be was not q + 1, which is the only value that the receiver will look for in this
/// cell until it is written again: is_mistakable(). Such a message goes another way, as if the ring were
/// full. Nothing is written to a cell before the message is known to go there.
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
  static constexpr std::size_t line_bytes = 64;
  static constexpr unsigned cells = 58;
  static constexpr unsigned most_cells = 5;  ///< the most that a message has

  struct alignas(line_bytes) Cell {
    std::atomic<std::uint64_t> stamp{0};
    std::uint32_t bytes;  ///< of the content, wherever it lies; at most what fits the type
    std::uint16_t marks;  ///< bits below
    std::uint16_t cells;  ///< number of cells of the message
    std::uint64_t context;
    std::uint64_t sequence;

    // A message counts as in flight for itself; others are allowed for with the ring. The content is the
    // address of a Message. Set by the receiver: that does not return with `taken`.
    static constexpr std::uint16_t weighing = 1, elsewhere = 2, kept = 4;

    bool is(std::uint16_t mark) const { return (marks & mark) != 0; }
    Message* message() const {
      Message* address;
      std::memcpy(&address, room(), sizeof address);
      return address;
    }
    /// The bytes that a message in the cell points to, counted as in flight with it.
    std::uint64_t extra_bytes() const {
      std::uint64_t extra = 0;
      if (has_extra()) std::memcpy(&extra, room(), sizeof extra);
      return extra;
    }
    const std::byte* content() const { return room() + (has_extra() ? sizeof(std::uint64_t) : 0); }

    /// The content's place in this cell and the next ones.
    std::byte* room() { return reinterpret_cast<std::byte*>(this) + head_bytes; }
    const std::byte* room() const { return reinterpret_cast<const std::byte*>(this) + head_bytes; }

   private:
    bool has_extra() const { return marks == weighing; }
  };
  static constexpr std::size_t head_bytes = 32;
  /// The most content of a message, and of one with extra bytes, whose number lies before it.
  static constexpr std::size_t inline_bytes = most_cells * line_bytes - head_bytes;
  static constexpr std::size_t inline_bytes_beside_extra = inline_bytes - sizeof(std::uint64_t);

  /// Cells that a message of so much content would have, were there no end of the ring.
  static constexpr unsigned cells_for(std::size_t content_bytes) {
    return static_cast<unsigned>((head_bytes + content_bytes + line_bytes - 1) / line_bytes);
  }
  /// Returns true if content at this position would have, in one of its cells but the first, the stamp that a
  /// message will have there when the ring has come round: see above. `from` is what lies at the message's
  /// room().
  static bool is_mistakable(std::uint64_t position, const std::byte* from, std::size_t bytes) {
    for (std::size_t at = line_bytes - head_bytes; at < bytes; at += line_bytes) {
      std::uint64_t word = 0;  // as claim() leaves what is behind the end
      if (bytes - at >= sizeof word)
        std::memcpy(&word, from + at, sizeof word);
      else
        std::memcpy(&word, from + at, bytes - at);
      if (word == ++position + cells + 1) return true;
    }
    return false;
  }

  Cell& cell(std::uint64_t position) { return lines_[position % cells]; }
  /// The cell with that number, below `cells`.
  Cell& nth_cell(unsigned number) { return lines_[number]; }
  std::atomic<std::uint64_t>& taken() { return taken_; }

 private:
  /// Positions below it are free; written by the receiver. Two lines: cores fetch neighbours in pairs.
  alignas(2 * line_bytes) std::atomic<std::uint64_t> taken_{0};
  alignas(2 * line_bytes) Cell lines_[cells + most_cells - 1];
};
static_assert(sizeof(Ring) == 4096 && sizeof(Ring::Cell) == Ring::line_bytes);

/// The sender's end of a ring; belongs to its thread. Takes up where the ring is, at its first use: pages of
/// pairs that never talk stay untouched.
class RingSender {
 public:
  /// `pool`, the sender's own, holds the messages that lie elsewhere.
  RingSender(Ring& ring, Pool& pool) : ring_(&ring), pool_(&pool) {}

  /// Leaves a message of at most Ring::inline_bytes bytes; false if the ring has no room for it. Does not
  /// wait. Whoever calls it looks next (sequentially consistently) whether the receiver sleeps.
  bool put(std::uint64_t context, std::uint64_t sequence, const std::byte* content, std::size_t bytes) {
    if (!has_room(Ring::cells_for(bytes)) || Ring::is_mistakable(next_, content, bytes)) return false;
    Ring::Cell& cell = claim(bytes);
    write_head(cell, 0, bytes, context, sequence);
    copy_few(cell.room(), content, bytes);
    publish(cell);
    return true;
  }
  /// The same with a message of at most Ring::inline_bytes_beside_extra bytes that points to others, which
  /// count as in flight.
  bool put_with_extra(std::uint64_t context, std::uint64_t sequence, const std::byte* content,
                      std::size_t bytes, std::uint64_t extra_bytes) {
    std::byte both[Ring::inline_bytes];
    std::memcpy(both, &extra_bytes, sizeof extra_bytes);
    std::memcpy(both + sizeof extra_bytes, content, bytes);
    const std::size_t room_bytes = sizeof extra_bytes + bytes;
    if (!has_room(Ring::cells_for(room_bytes)) || Ring::is_mistakable(next_, both, room_bytes)) return false;
    Ring::Cell& cell = claim(room_bytes);
    write_head(cell, Ring::Cell::weighing, bytes, context, sequence);
    std::memcpy(cell.room(), both, room_bytes);
    note(sizeof(Message) + bytes + extra_bytes, nullptr);
    publish(cell);
    return true;
  }
  /// The same with a message of the sender's pool, of any length; it belongs to the ring from here on.
  bool put(Message* message, const Envelope& envelope) {
    if (!has_room(1)) return false;
    message->envelope = envelope;
    message->position = next_;
    message->counted = Counted::in_ring;
    note(sizeof(Message) + envelope.bytes + message->extra_bytes, message);
    Ring::Cell& cell = claim(sizeof message);
    write_head(cell, Ring::Cell::weighing | Ring::Cell::elsewhere, envelope.bytes, envelope.context,
               envelope.sequence);
    std::memcpy(cell.room(), &message, sizeof message);
    publish(cell);
    return true;
  }

  /// The bytes in flight by the ring when the sender looked last.
  std::uint64_t weight() const { return weight_; }
  /// Records that the pair had so many bytes in flight, by the ring or not.
  void saw(std::uint64_t bytes) { most_ = bytes > most_ ? bytes : most_; }
  /// The most that was recorded, with the ring itself; 0 until it has been used.
  std::uint64_t peak_bytes() const { return begun_ ? sizeof(Ring) + most_ : 0; }

  /// Looks how far the receiver has come, and takes memory back to the pool. Sequentially consistent, for a
  /// sender that goes to sleep: see Ring.
  void look_again() {
    taken_ = ring_->taken().load(std::memory_order_seq_cst);  // pairs with RingReceiver::drop
    if (!begun_) begin();
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

  void begin() {
    begun_ = true;
    next_ = taken_;
    // Stamps of the sender's own: relaxed.
    for (const Ring::Cell* at = &ring_->cell(next_); at->stamp.load(std::memory_order_relaxed) == next_ + 1;
         at = &ring_->cell(next_))
      next_ += at->cells;
    at_ = static_cast<unsigned>(next_ % Ring::cells);
  }

  bool has_room(unsigned wanted) {
    if (next_ + cells_of(wanted) - taken_ <= Ring::cells) return true;
    look_again();
    return next_ + cells_of(wanted) - taken_ <= Ring::cells;
  }
  /// The number of those cells that there are up to the ring's end.
  unsigned cells_of(unsigned wanted) const { return std::min(wanted, Ring::cells - at_); }

  void note(std::uint64_t weight, Message* message) {
    notes_[(oldest_ + noted_++) % Ring::cells] = {next_, weight, message};
    weight_ += weight;
  }

  /// Returns the next message's first cell; `room_bytes` will lie at its room().
  Ring::Cell& claim(std::size_t room_bytes) {
    Ring::Cell& cell = ring_->nth_cell(at_);
    const unsigned lines = Ring::cells_for(room_bytes);
    // All at once; the message before it has had one or two fetched.
    if (lines > 2) prefetch_for_writing(&cell + 1, (lines - 1) * Ring::line_bytes);
    // Content may end in the middle of that word, and must leave nothing there of what it was: see
    // is_mistakable(). Relaxed: nobody looks there before this message, which is published later.
    if (lines > 1) (&cell)[lines - 1].stamp.store(0, std::memory_order_relaxed);
    cell.cells = static_cast<std::uint16_t>(cells_of(lines));
    return cell;
  }

  static void write_head(Ring::Cell& cell, std::uint16_t marks, std::size_t bytes, std::uint64_t context,
                         std::uint64_t sequence) {
    cell.bytes =
        static_cast<std::uint32_t>(std::min<std::size_t>(bytes, std::numeric_limits<std::uint32_t>::max()));
    cell.marks = marks;
    cell.context = context;
    cell.sequence = sequence;
  }

  void publish(Ring::Cell& cell) {
    const std::uint64_t stamp = next_ + 1;
    const unsigned taken_up = cell.cells;  // read before the line is the receiver's
    next_ += taken_up;
    at_ = at_ + taken_up < Ring::cells ? at_ + taken_up : 0;
    cell.stamp.store(stamp, std::memory_order_seq_cst);  // pairs with RingReceiver::find; order with `awaits`
    // While the sender is busy otherwise; the next message may be like this one.
    prefetch_for_writing(&ring_->nth_cell(at_), taken_up * Ring::line_bytes);
  }

  Ring* ring_;
  Pool* pool_;
  std::uint64_t next_ = Ring::cells;  ///< position of the next message; until begun, as if the ring were full
  unsigned at_ = 0;                   ///< the cell's number, kept to save a division a message
  std::uint64_t taken_ = 0;           ///< the ring's, when last read
  std::uint64_t weight_ = 0, most_ = 0;
  bool begun_ = false;
  unsigned oldest_ = 0, noted_ = 0;        ///< first used entry of notes_, and their number
  std::array<Note, Ring::cells> notes_{};  ///< messages that count as in flight, from taken_ on
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

  /// The oldest message for which `matches(first cell)` is true, of those that have not been given out.
  template <class Matches>
  const Ring::Cell* find_if(std::uint64_t& position, Matches matches) {
    if (first_ == not_begun) first_ = ring_->taken().load(std::memory_order_relaxed);  // its own word
    for (position = first_;;) {
      // From one that has been given out to the next one that has not.
      if (out_ != 0) position += static_cast<unsigned>(std::countr_one(out_ >> (position - first_)));
      const Ring::Cell& cell = ring_->cell(position);
      // Sequentially consistent for the look before a sleep; pairs with RingSender::publish.
      if (cell.stamp.load(std::memory_order_seq_cst) != position + 1) return nullptr;
      if (matches(cell)) return &cell;
      position += cell.cells;
    }
  }

  bool has(std::uint64_t context, std::uint64_t sequence) {
    std::uint64_t position;
    return find(context, sequence, position) != nullptr;
  }

  /// Marks the message at this position as in use; it is not found again.
  void give_out(std::uint64_t position) { out_ |= bits(position); }

  /// Frees the message at this position, which has been used. Returns true if the sender may have waited for
  /// that: it then has to be woken if it sleeps.
  [[nodiscard]] bool drop(std::uint64_t position) {
    const std::uint64_t all = bits(position);
    out_ |= all;
    gone_ |= all;
    if (ring_->cell(position).is(Ring::Cell::weighing)) weighing_ |= bit(position);
    if (position != first_) return false;
    const int passed = std::countr_one(gone_);  // fewer than 64: there are not so many cells
    const bool weighed = (weighing_ & ((std::uint64_t{1} << passed) - 1)) != 0;
    first_ += static_cast<unsigned>(passed);
    out_ >>= passed;
    gone_ >>= passed;
    weighing_ >>= passed;
    // Release, or more for a sender that sleeps; pairs with RingSender::look_again.
    ring_->taken().store(first_, weighed ? std::memory_order_seq_cst : std::memory_order_release);
    return weighed;
  }
  /// As drop(), for a message elsewhere whose memory does not return with it.
  [[nodiscard]] bool keep(std::uint64_t position) {
    ring_->cell(position).marks |= Ring::Cell::kept;
    return drop(position);
  }

  /// Returns true if a used message that counts as in flight still does so because the one at oldest() has
  /// not been used.
  bool is_held_back() const { return weighing_ != 0; }
  const Ring::Cell& oldest(std::uint64_t& position) const { return ring_->cell(position = first_); }
  const Ring::Cell& at(std::uint64_t position) const { return ring_->cell(position); }
  bool is_given_out(std::uint64_t position) const { return (out_ & bit(position)) != 0; }

 private:
  static constexpr std::uint64_t not_begun = ~std::uint64_t{0};
  static_assert(Ring::cells < 64, "a bit for each, in a word");

  std::uint64_t bit(std::uint64_t position) const { return std::uint64_t{1} << (position - first_); }
  /// The bits of all cells of the message that begins there.
  std::uint64_t bits(std::uint64_t position) const {
    return ((std::uint64_t{1} << ring_->cell(position).cells) - 1) << (position - first_);
  }

  Ring* ring_;
  std::uint64_t first_ = not_begun;  ///< oldest position that is not taken
  // Bit i: position first_ + i is of a message that is not to be found any more; that has been used; is the
  // first one of such a message that weighs.
  std::uint64_t out_ = 0, gone_ = 0, weighing_ = 0;
};

}  // namespace kanor::rt

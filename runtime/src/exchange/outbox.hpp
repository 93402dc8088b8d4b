// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The messages that a rank sends in one block, while values are put into them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "exchange/ends.hpp"
#include "exchange/peer_list.hpp"
#include "exchange/short_messages.hpp"
#include "transport/rank.hpp"

namespace kanor::rt {

/// The offset in a message at which a value with this alignment begins, behind what ends at `at`.
constexpr std::size_t aligned(std::size_t at, std::size_t alignment) {
  alignment = alignment < most_alignment ? alignment : most_alignment;
  return (at + alignment - 1) & ~(alignment - 1);
}

/// One message for each receiver. A message is its head, then the values in (statement, binding) order, each
/// aligned (from the message's start) to its type's alignment, at most 64. Sender and receiver go through
/// them in the same order, so there is no more to it.
///
/// Values are put into the message that is open. Its end is `end()`, where emitted code writes plain values
/// itself; it goes back to the message when another one is opened. Belongs to one rank; reused from block to
/// block, so that it allocates nothing once it has grown.
class Outbox {
 public:
  struct Outgoing {
    int peer = 0;        ///< the receiver's number in the team
    bool lends = false;  ///< it points to elements that remain this rank's
    std::uint32_t values = 0;
    std::size_t used = 0;
    std::size_t weight = 0;  ///< bytes of objects that the message points to
    Buffer message;
  };

  Outbox(Rank& owner, ShortMessages& rooms) : owner_(owner), rooms_(rooms) {}
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;
  /// Leaves the messages alone: a rank that has ended inside a block (by exit) can no longer give them back.
  ~Outbox();

  /// The end of the open message; `end().receiver` is no_rank where none is.
  MessageEnd& end() { return end_; }
  /// The open message. Its `used` and `values` are those of its end until it is closed.
  Outgoing& current() { return *open_; }
  std::size_t position_of_open() const { return outgoing_.position_of(*open_); }
  std::size_t used() const { return static_cast<std::size_t>(end_.at - open_->message.data()); }

  /// Opens the message to `receiver` for one more value, which will take about `value_bytes`. A new one
  /// begins with room for `head_bytes`.
  void open(int receiver, std::size_t head_bytes, std::size_t value_bytes = 0);
  /// Closes the open message, which is complete for now.
  void close() {
    if (!open_) return;
    open_->used = used();
    open_->values = end_.values;
    open_ = nullptr;
    end_ = {};
  }

  void put_flat(const void* data, std::size_t bytes, std::size_t alignment);
  /// Puts the number of elements. Returns the address to which they are to be written.
  std::byte* put_sequence(std::size_t count, std::size_t element_bytes, std::size_t element_alignment);
  /// Puts a pointer to an object of `weight_bytes` bytes, which the receiver takes over.
  void put_pointer(const void* object, std::size_t weight_bytes);
  /// Makes room for at least `bytes` bytes at the end of the open message; `*capacity` becomes how much there
  /// is. Earlier content moves when the message grows.
  std::byte* reserve(std::size_t bytes, std::size_t* capacity);
  std::byte* begin_archive(std::size_t* capacity);
  /// Notes that `bytes` bytes of the room that reserve() or begin_archive() gave have been written.
  void advance(std::size_t bytes) { end_.at += bytes; }
  void end_archive();

  /// Returns true if all values so far were put as plain bytes of a fixed size, whoever the receiver is.
  bool is_plain() const { return is_plain_; }
  /// Notes that a value follows that may travel otherwise to another receiver.
  void expect_other() { is_plain_ = false; }

  /// All messages, in the order in which they were first opened. Closes the open one.
  std::span<Outgoing> messages() {
    close();
    return outgoing_.all();
  }
  void clear();

 private:
  Buffer new_message(std::size_t needed_bytes);
  void grow(std::size_t needed_bytes);
  /// Takes aligned room at the end of the open message, which grows if need be.
  std::byte* take(std::size_t bytes, std::size_t alignment);

  Rank& owner_;
  ShortMessages& rooms_;
  MessageEnd end_;
  Outgoing* open_ = nullptr;
  bool is_plain_ = true;
  std::size_t archive_at_ = 0;  ///< the position of the open archive's length
  PeerList<Outgoing> outgoing_;
};

}  // namespace kanor::rt

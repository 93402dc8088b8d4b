// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages whose receiver does not know what comes next: from each rank, in the order in which it sent them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "memory/message.hpp"

namespace kanor::rt {

class Rank;
class Buffer;

/// The context of a stream's messages: stream_context, and bits of the layers above. Between two ranks there
/// is one stream for all of them.
constexpr std::uint64_t in_stream(std::uint64_t rest) { return stream_context | rest; }

/// The messages to and from one rank that are taken in the order sent; the sender chooses ring or mailbox for
/// each.
///
/// Each message has a number, which counts the pair's messages (modulo 2^32; far fewer are on the way), in
/// the upper half of its envelope's `sequence`; below it is the sender's word. A ring keeps the order of what
/// went by it. So the next message is the ring's oldest, if that has the number; if not, it has come or will
/// come by the mailbox, where it is in `early`, which is sorted by number; so is what had to be moved out of
/// the ring (Rank::keep).
struct Stream {
  std::uint32_t sent = 0;    ///< number of messages sent to that rank
  std::uint32_t taken = 0;   ///< from that rank: the number of the next message
  Message* early = nullptr;  ///< messages that are not in the ring, ascending
  Message* last_early = nullptr;
};

/// A rank's streams to and from all others.
class Streams {
 public:
  explicit Streams(int ranks) : ranks_(ranks) {}

  Stream& with(int rank) {
    if (streams_.empty()) streams_.resize(static_cast<std::size_t>(ranks_));
    return streams_[static_cast<std::size_t>(rank)];
  }
  /// Stores a message that has arrived, or been moved out of a ring.
  void keep(Message* message);
  /// Stops counting kept messages from other machines as in flight: their senders may wait for room, and
  /// nobody here sees that. For a rank that waits.
  void acknowledge_remote(Rank& rank);

 private:
  const int ranks_;
  std::vector<Stream> streams_;
  bool counted_ = false;  ///< a message kept since may count as in flight
};

/// A message of a stream where it lies: in a ring's cell, in the memory that a cell points to, or in the
/// mailbox's.
struct Streamed {
  std::uint64_t context = 0;
  std::uint32_t word = 0;  ///< the sender's own data
  const std::byte* payload = nullptr;
  std::size_t bytes = 0;
  Message* memory = nullptr;  ///< null: in the cell
  std::uint64_t position = 0;
  bool in_ring = false;
};

/// Sends the next message of the stream to rank `to`, which may be this rank. Waits as send() does.
void stream_to(Rank& rank, int to, std::uint64_t context, std::uint32_t word, Buffer&& payload);
/// The same with a copy of at most ShortMessage::most_bytes bytes.
void stream_few_to(Rank& rank, int to, std::uint64_t context, std::uint32_t word, const void* payload,
                   std::size_t bytes);

/// The same as stream_to() by send_at_once(), so it never waits.
bool stream_at_once_to(Rank& rank, int to, std::uint64_t context, std::uint32_t word, Buffer&& payload,
                       bool wakes = false);
bool stream_few_at_once_to(Rank& rank, int to, std::uint64_t context, std::uint32_t word, const void* payload,
                           std::size_t bytes);

/// The next message of the stream from rank `from`, if it has arrived. It stays the next one until the
/// caller, before it waits, sends, or gives memory back, has called one of those below. Does not wait.
std::optional<Streamed> next_from(Rank& rank, int from);
/// Drops that message, which has been read.
void drop_next(Rank& rank, int from, const Streamed& next);
/// Takes that message: its memory becomes the caller's, and counts as in flight until it is destroyed or
/// taken off. What lies in a cell is copied.
Buffer take_next(Rank& rank, int from, const Streamed& next);
/// The same, but frees its place in the ring: for a message that nobody has asked for.
Buffer detach_next(Rank& rank, int from, const Streamed& next);

/// Called by a rank that looks again and again and never sleeps, when it has found nothing from rank `from`,
/// or any_rank. Makes progress on the network, and does what ranks do before a sleep, so that nobody waits
/// for ever for room to send to this rank. Gives the core to others if there are none to spare. Returns true
/// if that rank, or all others, have ended: then nothing will come but what has.
bool look_in_vain(Rank& rank, int from);

/// Ends the job: the rank waits for a message that that rank, or all others, have not sent before their end.
[[noreturn]] void fail_waiting(const Rank& rank, int from);

/// Waits until `look` returns true. It is called at once, and when something may have come from rank `from`,
/// or from any with any_rank. Ends the job if that rank, or all others, have ended meanwhile. `look` must
/// neither wait nor send.
void wait_for_streams(Rank& rank, int from, bool (*look)(void* what), void* what);
template <class Look>
void wait_for_streams(Rank& rank, int from, Look look) {
  wait_for_streams(
      rank, from, [](void* it) { return (*static_cast<Look*>(it))(); }, &look);
}

}  // namespace kanor::rt

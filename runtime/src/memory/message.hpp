// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A message: what travels between ranks, and the memory it lives in.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace kanor::rt {

/// The bit of contexts whose messages are received from any source.
inline constexpr std::uint64_t any_source_context = std::uint64_t{1} << 62;
/// The bit of contexts whose messages are received in the order in which they were sent:
/// transport/streams.hpp.
inline constexpr std::uint64_t stream_context = std::uint64_t{1} << 61;
/// The context of messages between processes, not ranks, about the state of their ranks (world/hang.hpp).
inline constexpr std::uint64_t hang_context = ~std::uint64_t{0} - 1;
/// The context of questions whether a process stands still: transport/answers.hpp.
inline constexpr std::uint64_t answers_context = ~std::uint64_t{0} - 2;
/// The context of messages about a rank's end (transport/ends.hpp). A network brings them after all that the
/// rank has posted to the same process before.
inline constexpr std::uint64_t end_context = any_source_context - 1 - stream_context;
inline constexpr std::size_t end_payload_bytes = sizeof(std::uint64_t);

/// Returns true for a message that a rank's end must not overtake. What a process says of itself has a rank's
/// number, but may be posted after the rank's end.
constexpr bool is_before_end(std::uint64_t context) {
  return context != end_context && context != hang_context && context != answers_context;
}

/// Any source, in place of the rank that is waited for.
inline constexpr int any_rank = -2;

/// Sender, receiver and sequence number of a message. Ranks are numbers of the world.
struct Envelope {
  int source = 0;
  int destination = 0;
  std::uint64_t context = 0;   ///< the team whose block this belongs to
  std::uint64_t sequence = 0;  ///< position of the block among the team's blocks
  std::size_t bytes = 0;       ///< length of the payload
};

/// The place where a message counts as in flight for (source, destination).
enum class Counted : std::uint16_t {
  nowhere,
  in_word,  ///< the pair's word: transport/inflight.hpp
  in_ring   ///< the pair's ring, at `position`: transport/ring.hpp. Its memory returns by it, not by the
            ///< pool
};

/// The header in front of every payload. Both lie in one block of a Pool.
///
///     Message*  -> +--------------------------------------------+
///                  | next owner home class ...    |  envelope   |  64 bytes, the envelope last: a network
///     payload() -> +--------------------------------------------+  carries it and the payload in one piece
///                  | envelope.bytes bytes, aligned to 64 bytes  |
///                  +--------------------------------------------+
///
/// A message has one holder at a time: the rank that allocated it, then a mailbox, then the receiver, then
/// (as free memory) its pool again. Only the holder touches it; the hand-overs are the mailbox's push and
/// take and the pool's give-back, so no field but the link needs an atomic type, and the link's own order
/// never matters.
struct alignas(64) Message {
  std::atomic<Message*> next{nullptr};  ///< link of the list that holds the message; relaxed, see above
  std::uint16_t owner = 0;              ///< index of the pool that it returns to
  std::uint16_t home = 0;               ///< index of the pool that carved it: see Pool
  std::uint8_t size_class = 0;          ///< set and read by the pool
  std::uint8_t filled = 0;              ///< likewise: see Pool::filled_bytes
  Counted counted = Counted::nowhere;   ///< where it counts as in flight
  std::uint64_t extra_bytes = 0;        ///< bytes that the payload points to, counted as in flight too
  std::uint64_t position = 0;           ///< its position in the ring
  alignas(32) Envelope envelope;

  std::byte* payload() { return reinterpret_cast<std::byte*>(this) + sizeof(Message); }
};
static_assert(sizeof(Message) == 64 && sizeof(Envelope) == 32);

/// The value of Message::owner for a message of no pool.
inline constexpr std::uint16_t no_pool = 0xffff;

/// A message in its holder's own memory, not in a pool's: short payloads travel as copies in a ring's cells
/// (transport/ring.hpp), so that their memory need not.
struct ShortMessage : Message {
  static constexpr std::size_t room_bytes = 288;  ///< content of the most cells
  static constexpr std::size_t most_bytes = 280;  ///< longest payload to send: it may point to others

  ShortMessage() { owner = no_pool; }
  /// Makes it ready for the next payload.
  Message* clear() {
    extra_bytes = 0;
    envelope.bytes = most_bytes;
    return this;
  }

 private:
  alignas(64) std::byte room_[room_bytes];
};

/// The bytes that a message counts as while it is in flight.
inline std::uint64_t weight_of(const Message& message) {
  return sizeof(Message) + message.envelope.bytes + message.extra_bytes;
}

}  // namespace kanor::rt

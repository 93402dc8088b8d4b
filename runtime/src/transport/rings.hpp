// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rings of a rank: how its messages to and from ranks of its machine travel if they need not wait.
#pragma once

#include <cstdint>

#include "transport/rank_state.hpp"

namespace kanor::rt {

/// The sender's end of the ring to rank `to`; null where there is none.
inline RingSender* ring_to(Rank& rank, int to) {
  if (rank.rings.to.empty() || to == rank.number || !rank.home.local.has(to)) return nullptr;
  return &rank.rings.to[static_cast<std::size_t>(to - rank.home.local.sizes().first)];
}
/// The ring that messages of rank `from` with this context may lie in; null where there is none.
inline RingReceiver* ring_from(Rank& rank, int from, std::uint64_t context) {
  if (rank.rings.from.empty() || !rank.home.local.has(from) || (context & any_source_context)) return nullptr;
  return &rank.rings.from[static_cast<std::size_t>(from - rank.home.local.sizes().first)];
}

/// Leaves a message in the receiver's ring, if there is a cell for it, and room under the limit of bytes in
/// flight; else returns false, and nothing has happened. Does not wait.
bool send_by_ring(Rank& rank, int to, std::uint64_t context, std::uint64_t sequence, Buffer& payload);

/// The same with a copy of at most Ring::inline_bytes bytes, which do not count as in flight.
bool send_few_by_ring(Rank& rank, int to, std::uint64_t context, std::uint64_t sequence, const void* payload,
                      std::size_t bytes);

/// The message (context, sequence) from rank `from`; empty if it is not in the ring. `room`: see receive().
Buffer take_from_ring(Rank& rank, int from, RingReceiver& ring, std::uint64_t context, std::uint64_t sequence,
                      Message* room);

/// Frees a message in a cell, which has been read.
void drop_from_ring(Rank& rank, int from, std::uint64_t position);
/// Moves a message that has not been given out into memory that does not belong to the ring; it still counts
/// as in flight.
Buffer detach_from_ring(Rank& rank, int from, std::uint64_t position);

/// Gives back the memory of a used message that counts as in flight in its ring.
void return_to_ring(Rank& rank, Message* message);
/// Stops counting such a message as in flight; its memory remains the caller's, as if it had not come by the
/// ring.
void keep_from_ring(Rank& rank, Message* message);

/// Called before a sleep, after reading mailbox.signal(). Stops counting as in flight the messages that have
/// arrived by rings for exchanges that this rank has started, which it moves into `awaited`, and used ones
/// that an unused one holds back.
void settle_rings(Rank& rank);

/// Stops counting as in flight all that local rank `from` has sent by its ring: what has not been received
/// moves to `unexpected`, and what has been remains its holder's.
void empty_ring(Rank& rank, int from);

/// Takes back memory that receivers have finished with: of a few of the rings that have any, in turn; or of
/// all.
void reclaim_rings(Rank& rank, bool all = false);

}  // namespace kanor::rt

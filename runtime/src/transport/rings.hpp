// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rings of a rank: how its messages to and from ranks of its machine travel if they need not wait.
#pragma once

#include <cstdint>

#include "transport/rank_state.hpp"

namespace kanor::rt {

/// The sender's end of the ring to rank `to`; null where there is none.
inline RingSender* ring_to(Rank& rank, int to) {
  if (rank.rings_to.empty() || to == rank.number || !rank.home.local.has(to)) return nullptr;
  return &rank.rings_to[static_cast<std::size_t>(to - rank.home.local.sizes().first)];
}
/// The ring that messages of rank `from` with this context may lie in; null where there is none.
inline RingReceiver* ring_from(Rank& rank, int from, std::uint64_t context) {
  if (rank.rings_from.empty() || !rank.home.local.has(from) || (context & any_source_context)) return nullptr;
  return &rank.rings_from[static_cast<std::size_t>(from - rank.home.local.sizes().first)];
}

/// Leaves a message in the receiver's ring, if there is a cell for it, and room under the limit of bytes in
/// flight: false, and nothing has happened, if not. Does not wait.
bool send_by_ring(Rank& rank, int to, std::uint64_t context, std::uint64_t sequence, Buffer& payload);

/// The same with a copy of at most Ring::inline_bytes bytes, which never weigh.
bool send_few_by_ring(Rank& rank, int to, std::uint64_t context, std::uint64_t sequence, const void* payload,
                      std::size_t bytes);

/// The message (context, sequence) from rank `from`; empty if it is not in the ring. `room`: see receive().
Buffer take_from_ring(Rank& rank, int from, RingReceiver& ring, std::uint64_t context, std::uint64_t sequence,
                      Message* room);

/// A message in a cell has been read.
void drop_from_ring(Rank& rank, int from, std::uint64_t position);
/// A message that has not been given out, in memory that no longer belongs to the ring; it counts as in
/// flight.
Buffer detach_from_ring(Rank& rank, int from, std::uint64_t position);

/// A message that counts as in flight in its ring has been used up: its memory is the sender's again.
void return_to_ring(Rank& rank, Message* message);
/// Such a message no longer counts as in flight, and its memory remains the caller's, as if it had not come
/// by the ring.
void keep_from_ring(Rank& rank, Message* message);

/// Before a sleep, and after mailbox.signal() has been read: what has arrived by rings for exchanges that
/// this rank has started no longer counts as in flight, nor does what has been used and is held back by a
/// message that has not. Takes messages out of rings into `awaited`.
void settle_rings(Rank& rank);

/// What local rank `from` has in flight by its ring is no longer so: what has not been received lies in
/// `unexpected` then, and what has been remains its holder's.
void empty_ring(Rank& rank, int from);

/// Takes back memory that receivers have done with, of a few of the rings that have any, in turn; or of all.
void reclaim_rings(Rank& rank, bool all = false);

}  // namespace kanor::rt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks that wait for each other in a cycle although nothing is wrong.
#pragma once

#include <cstdint>

#include "transport/rank_state.hpp"

namespace kanor::rt {

/// Breaks a cycle of waiting ranks. Called before a sleep, after `awaits` was set and a last look was in
/// vain.
///
/// A rank that waits for room to send waits until its receiver takes something. The receiver may wait in
/// another team's block, and so, over others, for the sender: ranks may take the blocks of two teams in
/// unlike order, and what one block waits for may be sent by the next; or it may wait for a message of a
/// stream that comes after those that fill the room. Ranks are stuck if each of them sleeps for ranks of the
/// same set (one that waits for whoever sends: for all others). Then each receiver for whose room one of them
/// waits lends: what is in flight from there becomes its own memory, and counts no more. Only then does a
/// sender get further ahead than the limit.
///
/// Why no such set is overlooked. Each rank sets `awaits` (sequentially consistent) and then looks at whom it
/// waits for, whom these wait for, and so on. Of the set's ranks the one that set it last sees all asleep; it
/// lends, or wakes those that have to, which look again. Why next to nothing is lent otherwise: whoever has
/// been woken is not stuck, as what it waits for may have come; nor is one that looks, computes, or waits for
/// a rank of another machine.
///
/// Ranks of other machines are not seen. They count as running, and a cycle over them stays; but where the
/// rank waits for a stream (`remote_may_wait`), whose senders may wait for nothing but memory, as waiting.
void break_cycle(Rank& rank, bool remote_may_wait = false);

/// Returns how many bytes of a message that counts in its pair's word were given back already, and forgets
/// them.
std::uint64_t take_lent(Rank& rank, const Message& message);

/// Gives bytes of `sender` back for a local receiver, and wakes the sender if it sleeps for them.
void give_credit(Local& local, int sender, int receiver, std::uint64_t bytes);

}  // namespace kanor::rt

// Ranks that wait for each other in a cycle although nothing is wrong.
#pragma once

#include <cstdint>

#include "transport/rank_state.hpp"

namespace kanor::rt {

/// Before a sleep, after `awaits` was set and what is awaited was looked for in vain.
///
/// A rank that waits for room to send waits until its receiver takes something. The receiver may wait in
/// another team's block, and so, over others, for the sender: ranks may take the blocks of two teams in
/// unlike order, and what one block waits for may be sent by the next. In such a cycle, each receiver
/// whose next in line waits for room lends: what is in flight from there becomes its own memory, and counts
/// no more. Only then does a sender get further ahead than the limit.
///
/// Why no cycle is overlooked. Each rank sets `awaits` (sequentially consistent) and then follows the chain.
/// Of the ranks in a cycle the one that set it last sees all of it; it lends, or wakes one that has to, which
/// looks again. Why next to nothing is lent without a cycle: whoever has been woken is no part of one, as
/// what it waits for may have come; nor is one that looks, computes, or waits for a rank of another machine.
void break_cycle(Rank& rank);

/// How much of a message that counts in the word of its pair has been given back already; it is not asked
/// twice.
std::uint64_t take_lent(Rank& rank, const Message& message);

/// A local receiver has given bytes of `sender` back.
void give_credit(Local& local, int sender, int receiver, std::uint64_t bytes);

}  // namespace kanor::rt

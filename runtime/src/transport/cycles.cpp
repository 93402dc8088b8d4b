#include "transport/cycles.hpp"

#include <algorithm>

#include "transport/rings.hpp"

namespace kanor::rt {
namespace {

constexpr int nobody = -1;

/// The local rank that this one sleeps for, if nobody has woken it.
int next_of(Local& local, int rank) {
  const Presence& presence = local.presence(rank);
  const int next = presence.awaits.load(std::memory_order_seq_cst);
  if (next < 0 || !local.has(next)) return nobody;
  return presence.seen.load(std::memory_order_relaxed) == local.mailbox(rank).signal() ? next : nobody;
}

/// Who awaits `rank` in the cycle that it is part of.
int previous_in_cycle(Local& local, int rank) {
  int at = rank;
  for (int steps = 0; steps < local.sizes().count; ++steps) {
    const int next = next_of(local, at);
    if (next == nobody || next == rank) return next == rank ? at : nobody;
    at = next;
  }
  return nobody;  // a cycle, but `rank` only waits for it
}

bool waits_for_room(Local& local, int rank) {
  return local.presence(rank).for_room.load(std::memory_order_relaxed);
}

void lend(Rank& rank, int sender) {
  empty_ring(rank, sender);
  const std::uint64_t bytes = rank.home.local.inflight(sender, rank.number).bytes();
  if (bytes == 0) return;
  rank.lent[sender] += bytes;
  give_credit(rank.home.local, sender, rank.number, bytes);
}

}  // namespace

void break_cycle(Rank& rank) {
  Local& local = rank.home.local;
  const int previous = previous_in_cycle(local, rank.number);
  if (previous == nobody) return;
  if (waits_for_room(local, previous)) return lend(rank, previous);
  int at = rank.number;
  for (int steps = 0; steps < local.sizes().count; ++steps) {
    const int next = next_of(local, at);
    if (next == nobody || next == rank.number) return;
    if (waits_for_room(local, at)) return local.mailbox(next).wake();
    at = next;
  }
}

std::uint64_t take_lent(Rank& rank, const Message& message) {
  const int sender = message.envelope.source;
  const std::uint64_t bytes = std::min<std::uint64_t>(rank.lent.of(sender), weight_of(message));
  if (bytes > 0) rank.lent[sender] -= bytes;
  return bytes;
}

void give_credit(Local& local, int sender, int receiver, std::uint64_t bytes) {
  if (local.inflight(sender, receiver).give_back(bytes)) local.mailbox(sender).wake();
}

}  // namespace kanor::rt

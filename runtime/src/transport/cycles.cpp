// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/cycles.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "transport/rings.hpp"

namespace kanor::rt {
namespace {

/// Returns true if local rank `rank` sleeps, and nobody has woken it.
bool sleeps(Local& local, int rank) {
  const Presence& presence = local.presence(rank);
  return presence.awaits.load(std::memory_order_seq_cst) != -1 &&
         presence.seen.load(std::memory_order_relaxed) == local.mailbox(rank).signal();
}

/// The ranks that `rank`, which is one of them, waits for, and those that these wait for; empty if one of
/// them may go on by itself. So may those of other machines, which can't be seen, unless `remote_may_wait`.
std::vector<int> stuck_with(Local& local, int rank, bool remote_may_wait) {
  // Mostly the rank that this one waits for goes on.
  const int first = local.presence(rank).awaits.load(std::memory_order_seq_cst);
  if (local.has(first) && !sleeps(local, first)) return {};
  std::vector<int> stuck{rank};
  std::vector<bool> known(static_cast<std::size_t>(local.sizes().count));
  known[static_cast<std::size_t>(rank - local.sizes().first)] = true;
  const auto add = [&](int other) {
    if (!local.has(other)) return remote_may_wait;
    if (!sleeps(local, other)) return false;
    std::vector<bool>::reference is_known = known[static_cast<std::size_t>(other - local.sizes().first)];
    if (!is_known) stuck.push_back(other);
    is_known = true;
    return true;
  };
  for (std::size_t i = 0; i < stuck.size(); ++i) {
    const int awaited = local.presence(stuck[i]).awaits.load(std::memory_order_seq_cst);
    if (awaited != any_rank) {
      if (!add(awaited)) return {};
      continue;
    }
    for (int other = 0; other < local.sizes().ranks; ++other) {
      const bool over = local.has(other) && local.presence(other).over.load(std::memory_order_seq_cst);
      if (!over && !add(other)) return {};
    }
  }
  return stuck;
}

/// Bytes in flight from a sender while it sleeps; 0 if it does not: then it may count what it does not send
/// (uncount_in_flight()).
std::uint64_t bytes_from_sleeper(Local& local, int sender, int receiver) {
  const std::uint32_t signal = local.mailbox(sender).signal();
  if (!sleeps(local, sender)) return 0;
  const std::uint64_t bytes = local.inflight(sender, receiver).bytes();
  return sleeps(local, sender) && local.mailbox(sender).signal() == signal ? bytes : 0;
}

void lend(Rank& rank, int sender) {
  Local& local = rank.home.local;
  const std::uint64_t bytes = bytes_from_sleeper(local, sender, rank.number);
  empty_ring(rank, sender);
  if (bytes == 0) return;
  rank.flow.lent[sender] += bytes;
  give_credit(local, sender, rank.number, bytes);
}

}  // namespace

void break_cycle(Rank& rank, bool remote_may_wait) {
  Local& local = rank.home.local;
  for (const int sender : stuck_with(local, rank.number, remote_may_wait)) {
    const Presence& presence = local.presence(sender);
    if (!presence.for_room.load(std::memory_order_relaxed)) continue;
    const int receiver = presence.awaits.load(std::memory_order_seq_cst);
    if (receiver == rank.number)
      lend(rank, sender);
    else if (local.has(receiver))
      local.mailbox(receiver).wake();
  }
}

std::uint64_t take_lent(Rank& rank, const Message& message) {
  const int sender = message.envelope.source;
  const std::uint64_t bytes = std::min<std::uint64_t>(rank.flow.lent.of(sender), weight_of(message));
  if (bytes > 0) rank.flow.lent[sender] -= bytes;
  return bytes;
}

void give_credit(Local& local, int sender, int receiver, std::uint64_t bytes) {
  if (local.inflight(sender, receiver).give_back(bytes)) local.mailbox(sender).wake();
}

}  // namespace kanor::rt

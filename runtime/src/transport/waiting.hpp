// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a rank waits: what its loops of looking and sleeping have in common.
#pragma once

#include <cstdint>

#include "platform/wait.hpp"
#include "transport/rank_state.hpp"

namespace kanor::rt {

/// Stops counting as in flight the kept messages of exchanges that this rank has started, or of streams from
/// other machines.
void acknowledge_kept(Rank& rank);

/// Called when the job ends while this rank waits: a rank process prints what it has printed, and ends; a
/// thread waits for the end.
[[noreturn]] void end_while_waiting(const Home& home);

/// One round of waiting, after what is awaited was not there: makes progress on the network, or spins, yields
/// or sleeps. `lie_down(timeout_us)` sleeps until woken.
template <class LieDown>
void wait_round(Rank& rank, Backoff& backoff, LieDown lie_down) {
  Home& home = rank.home;
  Turns* const turns = rank.waits.turns.get();
  if (turns) turns->pass();
  if (rank.waits.meanwhile) {
    const std::uint64_t before = rank.waits.arrivals;
    rank.waits.meanwhile();
    if (rank.waits.arrivals != before)
      return;  // what is awaited may be among them, and nothing else may come
  }
  const bool remote = home.has_remote();
  if (remote) {
    if (home.network->progress(rank.inbound)) return;
    // Here a rank looks for milliseconds before it sleeps, and the other side may wait for room.
    acknowledge_kept(rank);
  }
  if (backoff.pause() || (turns && turns->has_new())) return;
  if (home.own_process && home.control.ending()) end_while_waiting(home);
  // Who comes after the question above is not seen before the sleep: it is short then.
  lie_down(remote || turns ? backoff.next_nap_us() : -1);
  backoff.woken_at(rank.mailbox.woken_us());
}

/// Returns true if rank `peer`, or with any_rank all others, has ended normally, so that whoever waits for it
/// waits for ever. With another status it ends the job itself. A remote rank's end is known only after it was
/// asked about (transport/ends.hpp); the answer ends this rank's sleep, as every message does. `in_call`:
/// what is waited for is a call's, as all that comes by streams, and not a block's.
bool is_over(Rank& rank, int peer, bool in_call = false);

/// Ends the job: the rank waits for rank `peer`, which has ended. `what` it waits for ends with "rank ".
[[noreturn]] void fail_over(const Rank& rank, const char* what, int peer, std::uint64_t context);

/// Ends the sleep of a local rank that sleeps for this one. Called after it has stored, sequentially
/// consistent, what the other may sleep for.
inline void wake_if_awaiting(Rank& rank, int peer) {
  if (is_awaited(rank.home.local.presence(peer), rank.number)) rank.home.local.mailbox(peer).wake();
}

/// While it lives, the end of rank `peer` ends this rank's sleep. Made before is_over() is asked: either the
/// rank sees the end, or the one that ends sees it waiting. `seen` is the mailbox's signal from before.
class Awaiting {
 public:
  Awaiting(Rank& rank, Waits what, int peer, std::uint32_t seen) : presence_(rank.presence) {
    presence_.for_room.store(what == Waits::room, std::memory_order_relaxed);
    presence_.seen.store(seen, std::memory_order_relaxed);
    presence_.awaits.store(peer, std::memory_order_seq_cst);
  }
  ~Awaiting() { presence_.awaits.store(-1, std::memory_order_relaxed); }
  Awaiting(const Awaiting&) = delete;
  Awaiting& operator=(const Awaiting&) = delete;

 private:
  Presence& presence_;
};

/// A wait. From its first sleep on, the rank's page says what the rank waits for. Not where several threads
/// of the rank make calls: it may wait in one and compute in another.
class Waiting {
 public:
  Waiting(Rank& rank, Waits what, int peer) : rank_(rank), what_(what), peer_(peer) {}
  ~Waiting() {
    if (!is_told_) return;
    rank_.page.waits.store(Waits::nothing, std::memory_order_relaxed);
    rank_.page.waits_done.fetch_add(1, std::memory_order_release);
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  /// Called before each sleep.
  void sleeps() {
    if (is_told_ || rank_.waits.turns) return;
    is_told_ = true;
    rank_.page.waits_for.store(peer_, std::memory_order_relaxed);
    rank_.page.waits.store(what_, std::memory_order_release);
  }

 private:
  Rank& rank_;
  const Waits what_;
  const int peer_;
  bool is_told_ = false;
};

/// Before a sleep for a local rank: leaves its core, if both are on one.
void keep_apart(Rank& rank, int peer);

/// Takes all messages out of the mailbox, and keeps them.
void keep_arrivals(Rank& rank);

/// Called before a sleep, after reading mailbox.signal(): settle_rings() and acknowledge_kept().
void acknowledge(Rank& rank);

}  // namespace kanor::rt

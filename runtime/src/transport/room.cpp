// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/room.hpp"

#include <utility>

#include "transport/cycles.hpp"
#include "transport/waiting.hpp"

namespace kanor::rt {

bool wait_until_fits(Rank& rank, Room& room, int to, bool in_stream) {
  Home& home = rank.home;
  const Waiting waiting(rank, Waits::room, to);
  // What arrives for started exchanges is news too: the other side may wait for room to send it. So is what
  // comes from other machines by streams.
  const bool mind_arrivals = !rank.expected.keys.empty() || rank.waits.meanwhile || home.has_remote();
  bool told = false, over = false;
  for (Backoff backoff(rank.waits.spin); !room.fits();) {
    if (over) return false;
    if (mind_arrivals) keep_arrivals(rank);
    wait_round(rank, backoff, [&](std::int64_t timeout_us) {
      const std::uint32_t seen = rank.mailbox.signal();
      const std::uint64_t before = rank.waits.arrivals;
      if (mind_arrivals) keep_arrivals(rank);
      // What has come meanwhile may be for the hook of set_while_waiting(), which looks first.
      if (rank.waits.meanwhile && rank.waits.arrivals != before) return;
      acknowledge(rank);
      const Awaiting awaiting(rank, Waits::room, to, seen);
      // Asked first: what it took before its end counts.
      over = is_over(rank, to, in_stream);
      if (!room.mark_sleeping() || over) return;
      // A receiver that already sleeps may have something in its ring to acknowledge. Later it looks by
      // itself.
      const RingSender* const ring = room.ring();
      if (ring && !std::exchange(told, true)) home.local.mailbox(to).wake();
      break_cycle(rank);
      mind_arrivals ? rank.mailbox.sleep(seen, timeout_us) : rank.mailbox.sleep_on(seen, timeout_us);
    });
  }
  return true;
}

void wait_for_room(Rank& rank, int to) {
  Room room(rank, to, 0);
  wait_until_fits(rank, room, to, true);
}

}  // namespace kanor::rt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/room.hpp"

#include <algorithm>
#include <utility>

#include "transport/cycles.hpp"
#include "transport/waiting.hpp"

namespace kanor::rt {
namespace {

constexpr const char* waits_for_room = "waits for room to send to rank ";

/// Counts a message as in flight if it fits; else returns false. With `anyway` it always counts it.
bool add_in_flight(Rank& rank, Message& message, Room& room, bool anyway) {
  const std::uint64_t now = anyway ? room.add() : room.try_add();
  if (now == 0) return false;
  message.counted = Counted::in_word;
  std::size_t& peak = rank.flow.peak_bytes[message.envelope.destination];
  peak = std::max(peak, static_cast<std::size_t>(now + room.ring_itself()));
  return true;
}

}  // namespace

bool wait_until_fits(Rank& rank, Room& room, int to, bool in_stream, const std::function<bool()>& done) {
  Home& home = rank.home;
  Waiting waiting(rank, Waits::room, to);
  // What arrives for started exchanges is news too: the other side may wait for room to send it. So is what
  // comes from other machines by streams.
  const bool mind_arrivals = !rank.expected.keys.empty() || rank.waits.meanwhile || home.has_remote();
  bool told = false, over = false;
  for (Backoff backoff(rank.waits.spin); !room.fits() && !(done && done());) {
    if (over) return false;
    if (mind_arrivals) keep_arrivals(rank);
    wait_round(rank, backoff, [&](std::int64_t timeout_us) {
      waiting.sleeps();
      const std::uint32_t seen = rank.mailbox.signal();
      const std::uint64_t before = rank.waits.arrivals;
      if (mind_arrivals) keep_arrivals(rank);
      // What has come meanwhile may be for the hook of set_while_waiting(), which looks first.
      if (rank.waits.meanwhile && rank.waits.arrivals != before) return;
      acknowledge(rank);
      const Awaiting awaiting(rank, Waits::room, to, seen);
      // Asked first: what it took before its end counts.
      over = is_over(rank, to, in_stream);
      if (!room.mark_sleeping() || over || (done && done())) return;
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

bool count_in_flight(Rank& rank, Message* message, bool waits) {
  const Envelope& envelope = message->envelope;
  const int to = envelope.destination;
  if (to == rank.number) return true;  // a rank that waited for itself would wait forever
  Room room(rank, to, weight_of(*message));
  const bool in_stream = (envelope.context & stream_context) != 0;
  const bool fits = add_in_flight(rank, *message, room, false);
  if (!fits && !waits) add_in_flight(rank, *message, room, true);
  if (fits || !waits) return fits;
  do {
    if (!wait_until_fits(rank, room, to, in_stream)) fail_over(rank, waits_for_room, to, envelope.context);
  } while (!add_in_flight(rank, *message, room, false));
  return true;
}

bool count_in_flight(Rank& rank, int to, const Buffer& message, bool anyway) {
  Message& counted = *message.get();
  counted.envelope.source = rank.number;
  counted.envelope.destination = to;
  Room room(rank, to, weight_of(counted));
  return add_in_flight(rank, counted, room, anyway);
}

void uncount_in_flight(Rank& rank, int to, const Buffer& message) {
  message.get()->counted = Counted::nowhere;
  rank.home.local.inflight(rank.number, to).give_back(weight_of(*message.get()));
}

void wait_for_room(Rank& rank, int to, std::size_t bytes, const std::function<bool()>& done) {
  Room room(rank, to, sizeof(Message) + bytes);
  if (!wait_until_fits(rank, room, to, true, done)) fail_over(rank, waits_for_room, to, stream_context);
}

}  // namespace kanor::rt

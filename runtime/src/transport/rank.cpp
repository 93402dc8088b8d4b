// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/rank.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "job/failure.hpp"
#include "platform/machine.hpp"
#include "platform/text.hpp"
#include "transport/cycles.hpp"
#include "transport/ends.hpp"
#include "transport/rank_state.hpp"
#include "transport/rings.hpp"
#include "transport/room.hpp"
#include "transport/waiting.hpp"

namespace kanor::rt {
namespace {

/// The context of messages without payload that give credit: `sequence` bytes from rank `destination` to
/// `source` were consumed.
constexpr std::uint64_t credit_context = ~std::uint64_t{0};

thread_local Pool* thread_pool = nullptr;
std::atomic<Rank*> process_rank_state{nullptr};  // release in set_process_rank

Message* checked(Message* message, std::size_t bytes, Segment& segment) {
  if (message) return message;
  Line line;
  line.text("out of message memory: a message of ")
      .number(static_cast<std::int64_t>(bytes))
      .text(" bytes needs a free piece of ")
      .number(static_cast<std::int64_t>(Pool::piece_bytes(bytes)))
      .text("; all ranks use ")
      .number(static_cast<std::int64_t>(segment.used_bytes()))
      .text(" of ")
      .number(static_cast<std::int64_t>(segment.bytes()))
      .text(" bytes (KANOR_MEMORY sets the limit)");
  fail(line.view());
}

/// A rank whose status ends the job executes no more blocks: in those of its destructors it waits for that
/// end, and sends nothing that others would take for a part of theirs.
[[noreturn]] void end_with_status(const Rank& rank) {
  Home& home = rank.home;
  if (!rank.page.ended.load(std::memory_order_relaxed)) {
    rank_is_over(home, rank.number, rank.status);
    home.control.notify();
  }
  while (!home.control.ending()) ::usleep(1000);
  end_while_waiting(home);
}

/// A remote sender learns of consumed bytes in portions, so that small messages do not double the traffic.
void give_remote_credit(Rank& rank, int sender, std::uint64_t bytes) {
  std::size_t& owed = rank.flow.remote_consumed[sender];
  owed += bytes;
  if (owed < rank.home.local.sizes().inflight_bytes / 4) return;
  Message* const credit = checked(rank.pool.allocate(0), 0, rank.home.local.segment());
  credit->envelope = {rank.number, sender, credit_context, owed, 0};
  owed = 0;
  rank.home.network->post(credit);
}

void uncount(Rank& rank, Message* message) {
  if (message->counted == Counted::in_ring) return keep_from_ring(rank, message);
  if (message->counted == Counted::nowhere) return;
  message->counted = Counted::nowhere;
  const int sender = message->envelope.source;
  if (rank.home.local.has(sender))
    give_credit(rank.home.local, sender, rank.number, weight_of(*message) - take_lent(rank, *message));
  else
    give_remote_credit(rank, sender, weight_of(*message));
}

/// Takes all arrived messages; returns the one asked for, if it is among them, and keeps the others.
Message* take_arrivals(Rank& rank, int from, std::uint64_t context, std::uint64_t sequence) {
  Message* found = nullptr;
  for (Message* message = rank.mailbox.take(); message; ++rank.waits.arrivals) {
    Message* const next = message->next.load(std::memory_order_relaxed);
    if (!found && Unexpected::matches(*message, from, context, sequence))
      found = message;
    else
      rank.keep(message);
    message = next;
  }
  return found;
}

/// The ranks around rank `number` that have this capability with it by the local transport; a network gives
/// none.
RankRange in_common(const Home& home, int number, bool Capabilities::*what) {
  const Local& local = home.local;
  const auto is_common = [&](int peer) {
    return local.has(peer) && home.transport.capabilities(number, peer).*what;
  };
  RankRange found{number, number + 1};
  while (is_common(found.first - 1)) --found.first;
  while (is_common(found.end)) ++found.end;
  return found;
}

}  // namespace

Message* Inbound::allocate(std::size_t bytes) {
  return checked(pool_.allocate(bytes), bytes, home_.local.segment());
}

void Inbound::deliver(Message* message) {
  const Envelope& envelope = message->envelope;
  if (envelope.context == credit_context) {
    give_credit(home_.local, envelope.destination, envelope.source, envelope.sequence);
    pool_.give_back(message, &pool_);
    return;
  }
  if (envelope.context == end_context) return hear_of_end(home_, message);
  if (envelope.context == answers_context) return home_.answers.hear(home_, message, pool_);
  if (envelope.context == hang_context) {
    if (home_.hear) home_.hear(*message);
    pool_.give_back(message, &pool_);
    return;
  }
  message->counted = Counted::in_word;
  home_.local.post(message);
}

Rank::Rank(Home& its_home, int its_number)
    : home(its_home),
      number(its_number),
      size(its_home.local.sizes().ranks),
      same_addresses(in_common(its_home, its_number, &Capabilities::shares_addresses)),
      same_memory(in_common(its_home, its_number, &Capabilities::shares_memory)),
      page(its_home.control.page(its_number)),
      presence(its_home.local.presence(its_number)),
      mailbox(its_home.local.mailbox(its_number)),
      pool(its_home.local.pool(its_number)),
      inbound(its_home, pool),
      streams(size),
      waits{SpinBudget(its_home.spare_cores, !its_home.has_remote()), KeepApart(its_home.spare_cores), {}} {
  presence.process.store(::getpid(), std::memory_order_relaxed);
  Local& local = home.local;
  const int first = local.sizes().first, end = first + local.sizes().count;
  if (!home.switches.inline_messages) return;
  for (int peer = first; peer < end && local.ring(number, peer); ++peer) {
    rings.to.emplace_back(*local.ring(number, peer), pool);
    rings.from.emplace_back(*local.ring(peer, number));
  }
}

void Buffer::release(Message* message) {
  Rank* const rank = here_or_null();
  if (has_left_job()) return;  // the memory is the job's
  if (!rank && !thread_pool) fail("message memory given back outside a rank");
  if (rank && message->envelope.destination == rank->number) {
    // What is large must not lie there until the sender looks: that may be never.
    if (message->counted == Counted::in_ring && !Pool::is_large(*message))
      return return_to_ring(*rank, message);
    uncount(*rank, message);
  }
  Pool* const pool = thread_pool ? thread_pool : &rank->pool;
  pool->give_back(message, thread_pool);
}

constinit thread_local Rank* rank_of_thread = nullptr;

Rank* process_rank() { return process_rank_state.load(std::memory_order_acquire); }

void fail_outside(const char* what) {
  Line line;
  if (is_forked_child())
    fail(line.text(what)
             .text(" in a process that a rank has forked, which is not a rank: only ranks may execute blocks "
                   "and call Kanor")
             .view());
  line.text(what).text(
      " outside a rank: it is allowed in main of a program that kanorc linked, in functions that main calls, "
      "and in threads that a rank starts (not after the end of a rank, in a shared library's threads, or in "
      "initialisers of variables that are [[kanor::shared]] or belong to a shared library compiled with "
      "--globals=process: assign those in main)");
  fail(line.view());
}

void rank_is_over(Home& home, int rank, int status) {
  Local& local = home.local;
  local.presence(rank).failed.store(status, std::memory_order_release);
  home.control.mark_ended(rank, status);
  if (status != 0) return;  // its supervisor ends the job
  local.presence(rank).calls_over.store(true, std::memory_order_seq_cst);
  local.presence(rank).over.store(true, std::memory_order_seq_cst);
  const int first = local.sizes().first, end = first + local.sizes().count;
  for (int other = first; other < end; ++other)
    if (is_awaited(local.presence(other), rank)) local.mailbox(other).wake();
  tell_end(home, rank);
}

void calls_are_over(Rank& rank) {
  rank.presence.calls_over.store(true, std::memory_order_seq_cst);
  rank.home.local.wake_all();
  tell_end(rank.home, rank.number);
}

void wait_for_calls_to_be_over(Rank& rank) {
  Local& local = rank.home.local;
  const int end = local.sizes().first + local.sizes().count;
  int next = local.sizes().first;
  const auto all_over = [&] {
    while (next < end && local.presence(next).calls_over.load(std::memory_order_seq_cst)) ++next;
    return next == end;
  };
  Waiting waiting(rank, Waits::end, -1);
  for (Backoff backoff(rank.waits.spin); !all_over();)
    wait_round(rank, backoff, [&](std::int64_t timeout_us) {
      waiting.sleeps();
      const std::uint32_t seen = rank.mailbox.signal();
      acknowledge(rank);
      // Asked after the signal was read: who is over later changes it.
      if (!all_over()) rank.mailbox.sleep(seen, timeout_us);
      keep_arrivals(rank);
    });
}

void enter_rank(Rank* rank) {
  rank_of_thread = rank;
  thread_pool = rank ? &rank->pool : nullptr;
  set_thread_rank(rank ? rank->number : -1);
}

void set_process_rank(Rank* rank) {
  process_rank_state.store(rank, std::memory_order_release);
  set_process_rank(rank->number);
}

void leave_ranks() {
  enter_rank(nullptr);
  process_rank_state.store(nullptr, std::memory_order_release);
}

void set_thread_pool(Pool* pool) { thread_pool = pool; }

int rank_number(const Rank& rank) { return rank.number; }
int team_size(const Rank& rank) { return rank.size; }
const Switches& switches(const Rank& rank) { return rank.home.switches; }

bool shares_addresses(const Rank& rank, int peer) { return rank.same_addresses.has(peer); }
bool shares_memory(const Rank& rank, int peer) { return rank.same_memory.has(peer); }

// Who shares them with all sees that all share them with each other.
bool all_share_memory(const Rank& rank) {
  return rank.same_memory.has(0) && rank.same_memory.has(rank.size - 1);
}
bool all_share_addresses(const Rank& rank) {
  return rank.same_addresses.has(0) && rank.same_addresses.has(rank.size - 1);
}
bool has_own_core(const Rank& rank) { return rank.home.spare_cores; }

Message* message_memory_or_null(Rank& rank, std::size_t bytes) {
  if (Message* const message = rank.pool.reuse(bytes)) return message;
  reclaim_rings(rank);
  if (Message* const message = rank.pool.allocate(bytes)) return message;
  reclaim_rings(rank, true);
  return rank.pool.allocate(bytes);
}

Buffer allocate_message(Rank& rank, std::size_t bytes) {
  return Buffer(checked(message_memory_or_null(rank, bytes), bytes, rank.home.local.segment()));
}

namespace {

Buffer in_pool(Rank& rank, const Buffer& payload) {
  Buffer copy = allocate_message(rank, payload.bytes());
  std::memcpy(copy.data(), payload.data(), payload.bytes());
  copy.count_extra(payload.extra_bytes());
  return copy;
}

/// Sends by the receiver's mailbox, or the network. Returns what count_in_flight() does.
bool post(Rank& rank, int to, std::uint64_t context, std::uint64_t sequence, Buffer&& payload, bool waits) {
  if (payload.get()->owner == no_pool) payload = in_pool(rank, payload);
  Message* const message = payload.take();
  uncount(rank, message);  // received earlier, and now passed on
  message->envelope.source = rank.number;
  message->envelope.destination = to;
  message->envelope.context = context;
  message->envelope.sequence = sequence;
  const bool fits = count_in_flight(rank, message, waits);
  Transport& transport = rank.home.local.has(to) ? rank.home.transport : *rank.home.network;
  transport.post(message);
  return fits;
}

}  // namespace

void send(Rank& rank, int to, std::uint64_t context, std::uint64_t sequence, Buffer&& payload) {
  if (send_by_ring(rank, to, context, sequence, payload)) return;
  post(rank, to, context, sequence, std::move(payload), true);
}

bool send_at_once(Rank& rank, int to, std::uint64_t context, std::uint64_t sequence, Buffer&& payload,
                  bool wakes) {
  if (!wakes && send_by_ring(rank, to, context, sequence, payload)) return true;
  return post(rank, to, context, sequence, std::move(payload), false);
}

void send_few(Rank& rank, int to, std::uint64_t context, std::uint64_t sequence, const void* payload,
              std::size_t bytes) {
  if (send_few_by_ring(rank, to, context, sequence, payload, bytes)) return;
  Buffer copy = allocate_message(rank, bytes);
  if (bytes > 0) std::memcpy(copy.data(), payload, bytes);
  send(rank, to, context, sequence, std::move(copy));
}

Buffer receive(Rank& rank, int from, std::uint64_t context, std::uint64_t sequence, Message* room) {
  if (Message* const message = rank.take_kept(from, context, sequence)) return Buffer(message);
  RingReceiver* const ring = ring_from(rank, from, context);
  bool over = false, has_slept = false;
  Waiting waiting(rank, Waits::data, from);
  for (Backoff backoff(rank.waits.spin);;) {
    // What is done while waiting, or before a sleep, may have taken in arrivals.
    if (rank.waits.meanwhile || rank.waits.turns || has_slept)
      if (Message* const message = rank.take_kept(from, context, sequence)) return Buffer(message);
    if (ring)
      if (Buffer payload = take_from_ring(rank, from, *ring, context, sequence, room)) return payload;
    if (Message* const message = take_arrivals(rank, from, context, sequence)) return Buffer(message);
    if (over) fail_over(rank, "waits for data from rank ", from, context);
    wait_round(rank, backoff, [&](std::int64_t timeout_us) {
      waiting.sleeps();
      keep_apart(rank, from);
      const std::uint32_t seen = rank.mailbox.signal();
      const Awaiting awaiting(rank, Waits::data, from, seen);
      acknowledge(rank);
      has_slept = true;
      const bool in_call = rank.page.call.name.load(std::memory_order_relaxed) != nullptr;
      over = is_over(rank, from, in_call);  // what it sent before its end may have come since: look once more
      // Looked at after `awaits` was set: see Ring.
      const bool here = (ring && ring->has(context, sequence)) || rank.has_kept(from, context, sequence);
      if (over || here) return;
      break_cycle(rank);
      rank.mailbox.sleep(seen, timeout_us);
    });
  }
}

bool has_arrived(Rank& rank, int from, std::uint64_t context, std::uint64_t sequence) {
  keep_arrivals(rank);
  RingReceiver* const ring = ring_from(rank, from, context);
  return rank.has_kept(from, context, sequence) || (ring && ring->has(context, sequence));
}

Buffer receive_arrived(Rank& rank, std::uint64_t context, std::uint64_t sequence) {
  if (Message* const message = rank.take_kept(-1, context, sequence)) return Buffer(message);
  return Buffer(take_arrivals(rank, -1, context, sequence));
}

void take_off_flight(Rank& rank, const Buffer& received) { uncount(rank, received.get()); }
void take_off_flight(Rank& rank, Message& received) { uncount(rank, &received); }

void make_own(Rank& rank, const Buffer& received) {
  uncount(rank, received.get());
  rank.pool.adopt(*received.get());
}

void wait_for_arrivals(Rank& rank, const std::function<bool()>& done, std::int64_t limit_us) {
  Waiting waiting(rank, Waits::end, -1);
  const std::uint64_t end = monotonic_us() + static_cast<std::uint64_t>(limit_us < 0 ? 0 : limit_us);
  for (Backoff backoff(rank.waits.spin); !done() && (limit_us < 0 || monotonic_us() < end);)
    wait_round(rank, backoff, [&](std::int64_t timeout_us) {
      waiting.sleeps();
      const std::uint32_t seen = rank.mailbox.signal();
      acknowledge(rank);
      rank.mailbox.sleep(seen, timeout_us < 0 ? limit_us : timeout_us);
      keep_arrivals(rank);
    });
}

void take_turns(Rank& rank) {
  if (!rank.waits.turns) rank.waits.turns = std::make_unique<Turns>(rank.mailbox);
}

void set_while_waiting(Rank& rank, std::function<void()> look) {
  std::function<void()>& meanwhile = rank.waits.meanwhile;
  if (!look || !meanwhile) {
    meanwhile = std::move(look);
    return;
  }
  meanwhile = [first = std::move(meanwhile), second = std::move(look)] {
    first();
    second();
  };
}

void set_before_calls(Rank& rank, PageOwner* owner) {
  rank.waits.before.store(owner, std::memory_order_release);
}

void expect(Rank& rank, std::uint64_t context, std::uint64_t sequence) {
  rank.expected.keys.emplace(context, sequence);
  rank.expected.look = true;
}

void expect_no_more(Rank& rank, std::uint64_t context, std::uint64_t sequence) {
  rank.expected.keys.erase({context, sequence});
}

void enter_block(Rank& rank, const char* file, int line, Step step) {
  if (rank.status != 0) end_with_status(rank);
  before_call(rank);
  rank.page.file.store(file, std::memory_order_relaxed);
  rank.page.step.store(step, std::memory_order_relaxed);
  rank.page.line.store(line, std::memory_order_relaxed);
  rank.page.inside.store(true, std::memory_order_relaxed);
}

void leave_block(Rank& rank) { rank.page.inside.store(false, std::memory_order_relaxed); }

std::size_t inflight_limit_bytes() {
  return here("the limit of bytes in flight was asked for").home.local.sizes().inflight_bytes;
}

std::size_t inflight_peak_bytes(const Rank& rank, int to) {
  const std::size_t beside_rings = rank.flow.peak_bytes.of(to);
  if (rank.rings.to.empty() || !rank.home.local.has(to)) return beside_rings;
  const RingSender& ring = rank.rings.to[static_cast<std::size_t>(to - rank.home.local.sizes().first)];
  return std::max(beside_rings, static_cast<std::size_t>(ring.peak_bytes()));
}

void print_statistics(const Rank& rank) {
  std::size_t most = rank.flow.peak_bytes.most();
  for (const RingSender& ring : rank.rings.to)
    most = std::max(most, static_cast<std::size_t>(ring.peak_bytes()));
  Line line;
  line.text("kanor: rank ")
      .number(rank.number)
      .text(": at most ")
      .number(static_cast<std::int64_t>(most))
      .text(" bytes in flight to one rank, limit ")
      .number(static_cast<std::int64_t>(rank.home.local.sizes().inflight_bytes));
  line.write_to(STDERR_FILENO);

  Local& local = rank.home.local;
  const Resident resident = local.resident();
  Line memory;
  memory.text("kanor: rank ")
      .number(rank.number)
      .text(": at most ")
      .number(static_cast<std::int64_t>(rank.pool.footprint().peak_bytes()))
      .text(" bytes in its pool, ")
      .number(static_cast<std::int64_t>(local.segment().footprint().peak_bytes()))
      .text(" in all; now ")
      .number(static_cast<std::int64_t>(resident.bytes - resident.in_huge_pages))
      .text(" bytes of message memory are in pages of ")
      .number(static_cast<std::int64_t>(page_bytes()))
      .text(", ")
      .number(static_cast<std::int64_t>(resident.in_huge_pages))
      .text(" in pages of ")
      .number(static_cast<std::int64_t>(Segment::alignment_bytes));
  memory.write_to(STDERR_FILENO);

  const auto number = [](std::uint64_t count) { return static_cast<std::int64_t>(count); };
  if (rank.deltas.pipelined + rank.deltas.at_once > 0) {
    Line loops;
    loops.text("kanor: rank ").number(rank.number).text(": ").number(number(rank.deltas.pipelined));
    loops.text(" sends and receives were pipelined with their loops, ").number(number(rank.deltas.at_once));
    loops.text(" were not");
    loops.write_to(STDERR_FILENO);
  }
  const PageCounts& pages = rank.deltas.pages;
  if (!rank.home.switches.pages) return;
  Line deltas;
  deltas.text("kanor: rank ").number(rank.number).text(": the pages of ").number(number(pages.sends));
  deltas.text(" delta sends (").number(number(pages.stopped)).text(" not to their ends) and ");
  deltas.number(number(pages.receives)).text(" receives were watched, those of ");
  deltas.number(number(pages.unwatched)).text(" others not; ").number(number(pages.faults)).text(" faults");
  deltas.write_to(STDERR_FILENO);
}

}  // namespace kanor::rt

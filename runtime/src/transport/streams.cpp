// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/streams.hpp"

#include <sched.h>

#include <cstring>
#include <string>
#include <utility>

#include "job/failure.hpp"
#include "platform/text.hpp"
#include "transport/cycles.hpp"
#include "transport/rings.hpp"
#include "transport/waiting.hpp"

namespace kanor::rt {
namespace {

std::uint32_t number_of(std::uint64_t sequence) { return static_cast<std::uint32_t>(sequence >> 32); }
std::uint64_t sequence_of(std::uint32_t number, std::uint32_t word) {
  return std::uint64_t{number} << 32 | word;
}
/// Returns true if a number comes before another one near it, modulo 2^32.
bool before(std::uint32_t one, std::uint32_t other) { return static_cast<std::int32_t>(one - other) < 0; }

Message* following(const Message& message) { return message.next.load(std::memory_order_relaxed); }

Streamed in_memory(Message& message, std::uint64_t position, bool in_ring) {
  const Envelope& envelope = message.envelope;
  return {envelope.context,
          static_cast<std::uint32_t>(envelope.sequence),
          message.payload(),
          envelope.bytes,
          &message,
          position,
          in_ring};
}

}  // namespace

void Streams::keep(Message* message) {
  const std::uint32_t number = number_of(message->envelope.sequence);
  Stream& stream = with(message->envelope.source);
  // Mostly behind all others.
  Message* previous = stream.early ? stream.last_early : nullptr;
  if (previous && !before(number_of(previous->envelope.sequence), number)) {
    previous = nullptr;
    for (Message* at = stream.early; before(number_of(at->envelope.sequence), number); at = following(*at))
      previous = at;
  }
  message->next.store(previous ? following(*previous) : stream.early, std::memory_order_relaxed);
  if (previous)
    previous->next.store(message, std::memory_order_relaxed);
  else
    stream.early = message;
  if (!following(*message)) stream.last_early = message;
  counted_ = counted_ || message->counted == Counted::in_word;
}

void Streams::acknowledge_remote(Rank& rank) {
  if (!std::exchange(counted_, false)) return;
  for (Stream& stream : streams_)
    for (Message* message = stream.early; message; message = following(*message))
      if (!rank.home.local.has(message->envelope.source)) take_off_flight(rank, *message);
}

void stream_to(Rank& rank, int to, std::uint64_t context, std::uint32_t word, Buffer&& payload) {
  send(rank, to, context, sequence_of(rank.streams.with(to).sent++, word), std::move(payload));
}

void stream_few_to(Rank& rank, int to, std::uint64_t context, std::uint32_t word, const void* payload,
                   std::size_t bytes) {
  send_few(rank, to, context, sequence_of(rank.streams.with(to).sent++, word), payload, bytes);
}

bool stream_at_once_to(Rank& rank, int to, std::uint64_t context, std::uint32_t word, Buffer&& payload,
                       bool wakes) {
  const std::uint64_t sequence = sequence_of(rank.streams.with(to).sent++, word);
  return send_at_once(rank, to, context, sequence, std::move(payload), wakes);
}

bool stream_few_at_once_to(Rank& rank, int to, std::uint64_t context, std::uint32_t word, const void* payload,
                           std::size_t bytes) {
  const std::uint64_t sequence = sequence_of(rank.streams.with(to).sent++, word);
  if (send_few_by_ring(rank, to, context, sequence, payload, bytes)) return true;
  Buffer copy = allocate_message(rank, bytes);
  if (bytes > 0) std::memcpy(copy.data(), payload, bytes);
  return send_at_once(rank, to, context, sequence, std::move(copy));
}

std::optional<Streamed> next_from(Rank& rank, int from) {
  Stream& stream = rank.streams.with(from);
  if (RingReceiver* const ring = ring_from(rank, from, stream_context)) {
    std::uint64_t position = 0;
    const Ring::Cell* const cell =
        ring->find_if(position, [](const Ring::Cell& one) { return (one.context & stream_context) != 0; });
    if (cell && number_of(cell->sequence) == stream.taken) {
      if (cell->is(Ring::Cell::elsewhere)) return in_memory(*cell->message(), position, true);
      return Streamed{cell->context,
                      static_cast<std::uint32_t>(cell->sequence),
                      cell->content(),
                      cell->bytes,
                      nullptr,
                      position,
                      true};
    }
  }
  keep_arrivals(rank);
  Message* const message = stream.early;
  if (!message || number_of(message->envelope.sequence) != stream.taken) return std::nullopt;
  return in_memory(*message, 0, false);
}

void drop_next(Rank& rank, int from, const Streamed& next) {
  if (next.memory) {
    const Buffer gone = take_next(rank, from, next);
    return;
  }
  ++rank.streams.with(from).taken;
  drop_from_ring(rank, from, next.position);
}

Buffer take_next(Rank& rank, int from, const Streamed& next) {
  if (!next.memory) return detach_next(rank, from, next);
  Stream& stream = rank.streams.with(from);
  ++stream.taken;
  if (next.in_ring)
    ring_from(rank, from, stream_context)->give_out(next.position);
  else
    stream.early = following(*next.memory);
  return Buffer(next.memory);
}

Buffer detach_next(Rank& rank, int from, const Streamed& next) {
  if (!next.in_ring) return take_next(rank, from, next);
  ++rank.streams.with(from).taken;
  return detach_from_ring(rank, from, next.position);
}

bool look_in_vain(Rank& rank, int from) {
  if (rank.waits.meanwhile) rank.waits.meanwhile();
  if (rank.home.has_remote()) rank.home.network->progress(rank.inbound);
  const Awaiting awaiting(rank, Waits::data, from, rank.mailbox.signal());
  acknowledge(rank);
  break_cycle(rank, true);
  // While others see what it waits for: they may look as well, and never sleep either.
  if (!rank.home.spare_cores) ::sched_yield();
  return is_over(rank, from, true);
}

void fail_waiting(const Rank& rank, int from) {
  Line line;
  if (const std::string call = call_text(rank.page); !call.empty()) line.text(call).text(" ");
  if (waits_for_receipt(rank.page)) {
    line.text("waits until rank ").number(from).text(" receives its message, but that rank has ended");
    fail(line.view());
  }
  line.text("waits for a message").text(tag_text(rank.page));
  if (from == any_rank)
    line.text(", and all other ranks have ended");
  else
    line.text(" from rank ").number(from).text(", which has ended without sending it");
  fail(line.view());
}

void wait_for_streams(Rank& rank, int from, bool (*look)(void* what), void* what) {
  if (look(what)) return;
  bool over = false, found = false;
  Waiting waiting(rank, Waits::data, from == any_rank ? -1 : from);
  for (Backoff backoff(rank.waits.spin);;) {
    wait_round(rank, backoff, [&](std::int64_t timeout_us) {
      waiting.sleeps();
      if (from != any_rank) keep_apart(rank, from);
      const std::uint32_t seen = rank.mailbox.signal();
      const Awaiting awaiting(rank, Waits::data, from, seen);
      acknowledge(rank);
      // What `look` does not ask for would keep this rank from sleeping.
      keep_arrivals(rank);
      over = is_over(rank, from, true);  // what it sent before its end may have come since: look once more
      // Looked at after `awaits` was set: see Ring.
      const std::uint64_t before = rank.waits.arrivals;
      found = look(what);
      if (over || found) return;
      // What has come meanwhile may be for the hook of set_while_waiting(), which looks first.
      if (rank.waits.meanwhile && rank.waits.arrivals != before) return;
      break_cycle(rank, true);
      rank.mailbox.sleep(seen, timeout_us);
    });
    if (found || look(what)) return;
    if (over) fail_waiting(rank, from);
  }
}

}  // namespace kanor::rt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/rings.hpp"

#include <algorithm>
#include <utility>

#include "platform/prefetch.hpp"
#include "transport/waiting.hpp"

namespace kanor::rt {
namespace {

/// The number of rings that are looked at for memory that may have come back.
constexpr int looks_for_memory = 4;
/// If less is in flight by a ring, fresh memory is taken instead: the look costs a cache line of the
/// receiver's, and what it has just read is still in its cache, from where the sender would have to take it
/// to write there. So it is about what a core's own cache holds. Measured with messages of 0.5 to 64 KiB
/// between two ranks: each doubling up to here is faster, by a fifth in all, and scatters of 64 KiB by half.
/// The other rings of a rank share it: all that a rank has sent by them, and has not looked for, is memory
/// that it touches first, and that each receiver that is a process maps page by page.
constexpr std::uint64_t most_unseen_bytes = std::uint64_t{1} << 20;
/// The bytes of a message that are fetched all at once; with more, its first lines would be gone before they
/// are used.
constexpr std::size_t most_fetched_bytes = 16384;

static_assert(ShortMessage::room_bytes == Ring::inline_bytes &&
              ShortMessage::most_bytes == Ring::inline_bytes_beside_extra);

int first_of(const Rank& rank) { return rank.home.local.sizes().first; }

/// Moves the message in a cell into memory that does not belong to the ring. It counts as in flight no
/// longer.
Buffer detach(Rank& rank, int from, RingReceiver& ring, const Ring::Cell& cell, std::uint64_t position) {
  if (cell.is(Ring::Cell::elsewhere)) {
    Message* const message = cell.message();
    message->counted = Counted::nowhere;
    if (ring.keep(position)) wake_if_awaiting(rank, from);
    return Buffer(message);
  }
  Buffer copy = allocate_message(rank, cell.bytes);
  copy_few(copy.data(), cell.content(), cell.bytes);
  copy.get()->envelope = {from, rank.number, cell.context, cell.sequence, cell.bytes};
  copy.count_extra(cell.extra_bytes());
  if (ring.drop(position)) wake_if_awaiting(rank, from);
  return copy;
}

/// Takes the messages of exchanges that this rank has started, and will end later, out of the ring.
void take_expected(Rank& rank, int from, RingReceiver& ring) {
  const auto is_expected = [&](const Ring::Cell& cell) {
    return cell.is(Ring::Cell::weighing) && rank.expected.keys.contains({cell.context, cell.sequence});
  };
  std::uint64_t position = 0;
  while (const Ring::Cell* const cell = ring.find_if(position, is_expected))
    rank.keep_awaited(detach(rank, from, ring, *cell, position).take());
}

/// As detach(), but the message counts as in flight in the pair's word.
Buffer move_to_word(Rank& rank, int from, RingReceiver& ring, const Ring::Cell& cell,
                    std::uint64_t position) {
  // What it weighs in the word is counted before it weighs nothing in the ring: see Inflight.
  rank.home.local.inflight(from, rank.number)
      .move_here(cell.is(Ring::Cell::elsewhere) ? weight_of(*cell.message())
                                                : sizeof(Message) + cell.bytes + cell.extra_bytes());
  Buffer moved = detach(rank, from, ring, cell, position);
  moved.get()->counted = Counted::in_word;
  return moved;
}

/// Counts the oldest message, which has not been used, in the pair's word, so that used ones behind it no
/// longer count.
void let_others_pass(Rank& rank, int from, RingReceiver& ring) {
  std::uint64_t position = 0;
  const Ring::Cell& cell = ring.oldest(position);
  if (ring.is_given_out(position)) {  // somebody holds it
    Message* const message = cell.message();
    rank.home.local.inflight(from, rank.number).move_here(weight_of(*message));
    message->counted = Counted::in_word;
    if (ring.keep(position)) wake_if_awaiting(rank, from);
    return;
  }
  rank.keep(move_to_word(rank, from, ring, cell, position).take());
}

/// Sends a message that counts as in flight for itself, not with the ring as a whole.
bool send_weighing(Rank& rank, int to, RingSender& ring, std::uint64_t context, std::uint64_t sequence,
                   Buffer& payload) {
  Local& local = rank.home.local;
  Message& message = *payload.get();
  const std::size_t message_bytes = payload.bytes();
  const bool in_cell = message_bytes <= Ring::inline_bytes_beside_extra;
  // A received message returns to its own pool, by its own way.
  if (!in_cell && (message.owner != rank.pool.index() || message.counted != Counted::nowhere)) return false;
  const std::uint64_t weight = weight_of(message);
  const std::uint64_t limit = local.sizes().inflight_bytes - sizeof(Ring);
  const Inflight& word = local.inflight(rank.number, to);
  // What was seen last is too much rather than too little, and may do.
  const auto sum = [&] { return word.bytes() + ring.weight(); };
  if (rank.home.switches.statistics || !Inflight::fit(weight, sum(), limit)) {
    ring.look_again();
    if (!Inflight::fit(weight, sum(), limit)) return false;
  }
  const std::uint64_t in_flight = sum() + weight;
  if (in_cell) {
    if (!ring.put_with_extra(context, sequence, payload.data(), payload.bytes(), message.extra_bytes))
      return false;
    const Buffer copied(std::move(payload));
  } else {
    if (!ring.put(&message, {rank.number, to, context, sequence, message_bytes})) return false;
    payload.take();
    // While this rank waits for others: where its next message will lie, if that is like this one.
    const std::size_t bytes = sizeof(Message) + message_bytes;
    if (const Message* const next = rank.pool.next_free(message_bytes))
      prefetch_for_writing(next, std::min(bytes, most_fetched_bytes));
  }
  ring.saw(in_flight);
  return true;
}

}  // namespace

bool send_by_ring(Rank& rank, int to, std::uint64_t context, std::uint64_t sequence, Buffer& payload) {
  if (context & any_source_context) return false;
  RingSender* const ring = ring_to(rank, to);
  if (!ring) return false;
  if (payload.bytes() <= Ring::inline_bytes && payload.extra_bytes() == 0) {
    if (!ring->put(context, sequence, payload.data(), payload.bytes())) return false;
    const Buffer copied(std::move(payload));
  } else if (!send_weighing(rank, to, *ring, context, sequence, payload)) {
    return false;
  }
  wake_if_awaiting(rank, to);
  return true;
}

bool send_few_by_ring(Rank& rank, int to, std::uint64_t context, std::uint64_t sequence, const void* payload,
                      std::size_t bytes) {
  RingSender* const ring = ring_to(rank, to);
  if (!ring || !ring->put(context, sequence, static_cast<const std::byte*>(payload), bytes)) return false;
  wake_if_awaiting(rank, to);
  return true;
}

Buffer take_from_ring(Rank& rank, int from, RingReceiver& ring, std::uint64_t context, std::uint64_t sequence,
                      Message* room) {
  std::uint64_t position = 0;
  const Ring::Cell* const cell = ring.find(context, sequence, position);
  if (!cell) return {};
  if (cell->is(Ring::Cell::elsewhere)) {
    ring.give_out(position);
    Message* const message = cell->message();
    prefetch_for_reading(message, std::min<std::size_t>(sizeof(Message) + cell->bytes, most_fetched_bytes));
    return Buffer(message);
  }
  Buffer payload = room ? Buffer(room) : allocate_message(rank, cell->bytes);
  copy_few(payload.data(), cell->content(), cell->bytes);
  payload.shrink(cell->bytes);
  if (ring.drop(position)) wake_if_awaiting(rank, from);
  return payload;
}

void drop_from_ring(Rank& rank, int from, std::uint64_t position) {
  if (ring_from(rank, from, 0)->drop(position)) wake_if_awaiting(rank, from);
}

Buffer detach_from_ring(Rank& rank, int from, std::uint64_t position) {
  RingReceiver& ring = *ring_from(rank, from, 0);
  return move_to_word(rank, from, ring, ring.at(position), position);
}

void return_to_ring(Rank& rank, Message* message) {
  const int from = message->envelope.source;
  if (ring_from(rank, from, 0)->drop(message->position)) wake_if_awaiting(rank, from);
}

void keep_from_ring(Rank& rank, Message* message) {
  const int from = message->envelope.source;
  message->counted = Counted::nowhere;
  if (ring_from(rank, from, 0)->keep(message->position)) wake_if_awaiting(rank, from);
}

void settle_rings(Rank& rank) {
  for (std::size_t i = 0; i < rank.rings.from.size(); ++i) {
    RingReceiver& ring = rank.rings.from[i];
    const int from = first_of(rank) + static_cast<int>(i);
    if (from == rank.number) continue;
    if (!rank.expected.keys.empty()) take_expected(rank, from, ring);
    while (ring.is_held_back()) let_others_pass(rank, from, ring);
  }
}

void empty_ring(Rank& rank, int from) {
  RingReceiver* const ring = ring_from(rank, from, 0);
  if (!ring) return;
  std::uint64_t position = 0;
  while (const Ring::Cell* const cell = ring->find_if(position, [](const Ring::Cell&) { return true; }))
    rank.keep(detach(rank, from, *ring, *cell, position).take());
  for (const Ring::Cell* oldest = &ring->oldest(position); ring->is_given_out(position);
       oldest = &ring->oldest(position))
    keep_from_ring(rank, oldest->message());
}

void reclaim_rings(Rank& rank, bool all) {
  if (rank.rings.to.empty()) return;
  // Not by the ring to itself, which stays empty.
  const std::uint64_t unseen_bytes =
      all ? 1 : most_unseen_bytes / std::max<std::size_t>(rank.rings.to.size() - 1, 1);
  int left = looks_for_memory;
  for (std::size_t tried = 0; tried < rank.rings.to.size() && (all || left > 0); ++tried) {
    rank.rings.next = rank.rings.next + 1 < rank.rings.to.size() ? rank.rings.next + 1 : 0;
    RingSender& ring = rank.rings.to[rank.rings.next];
    if (ring.weight() < unseen_bytes) continue;
    ring.look_again();
    --left;
  }
}

}  // namespace kanor::rt

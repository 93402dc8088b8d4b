// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ownership/rendezvous.hpp"

#include <sched.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "transport/rank_state.hpp"
#include "transport/waiting.hpp"

namespace kanor::rt {
namespace {

using State = Rendezvous::State;

/// The length of a piece, but for the last: long enough that both sides' claims take no time.
constexpr std::size_t piece_bytes = std::size_t{1} << 16;

std::size_t pieces_of(std::size_t bytes) { return (bytes + piece_bytes - 1) / piece_bytes; }

bool has_pieces(const Rendezvous& offer) { return offer.bytes > piece_bytes; }

/// Copies pieces that the other side has not begun, while there are any.
void copy_pieces(Rendezvous& offer) {
  const std::size_t pieces = pieces_of(offer.end);
  while (offer.begun.load(std::memory_order_relaxed) < pieces) {
    const std::size_t piece = offer.begun.fetch_add(1, std::memory_order_relaxed);
    if (piece >= pieces) return;
    copy(offer.to, offer.from, piece * piece_bytes, std::min(offer.end, (piece + 1) * piece_bytes));
    offer.ended.fetch_add(1, std::memory_order_release);
  }
}

}  // namespace

bool can_offer(const Rank& rank, int to) {
  const Switches& switches = rank.home.switches;
  return switches.sharing && !switches.check && to != rank.number && shares_addresses(rank, to);
}

Patience::Patience(const Rank& rank, std::size_t bytes) : end_us_(0) {
  constexpr std::size_t bytes_per_us = 8192;
  if (rank.home.spare_cores) end_us_ = monotonic_us() + 1 + bytes / bytes_per_us;
}

bool Patience::lasts() {
  if (end_us_ == 0) {
    ::sched_yield();
    return false;
  }
  // Reading the clock takes as long as several looks.
  constexpr unsigned looks_for_a_clock = 8;
  relax_core();
  return ++looks_ % looks_for_a_clock != 0 || monotonic_us() < end_us_;
}

Offer::Offer(Rank& rank, const Content& elements, const Destination& to, bool is_synchronous)
    : rank_(rank),
      memory_(allocate_message(rank, sizeof(Rendezvous))),
      layout_(elements.layout),
      to_(to.rank),
      is_synchronous_(is_synchronous) {
  auto* const offer = new (memory_.data()) Rendezvous;
  offer->from = {static_cast<std::byte*>(const_cast<void*>(elements.data)), layout_.get()};
  offer->bytes = elements.bytes;
  const std::uint64_t context = context_of(to.channel, Form::offered);
  const auto word = static_cast<std::uint32_t>(to.tag);
  if (!is_synchronous) {
    stream_few_at_once_to(rank, to.rank, context, word, &offer, sizeof offer);
    return;
  }
  // By the mailbox: the receiver takes it whatever it waits for, so its sleep must end.
  Buffer message = allocate_message(rank, sizeof offer);
  std::memcpy(message.data(), &offer, sizeof offer);
  stream_at_once_to(rank, to.rank, context, word, std::move(message), true);
}

void Offer::end() {
  while (!is_over()) {
    const bool is_offered = offer().state.load(std::memory_order_acquire) == State::offered;
    if (is_offered && copy_content(allocate_message(rank_, bytes()), true)) return;
    ::sched_yield();
  }
}

bool Offer::is_over() {
  if (!memory_) return true;
  const State state = offer().state.load(std::memory_order_seq_cst);
  if (state == State::taken && has_pieces(offer())) copy_pieces(offer());
  if (state != State::over) return false;
  memory_ = Buffer();
  return true;
}

/// Copies the content, which counts as in flight. Returns false if there is no room for that, unless
/// `anyway`, or if the receiver has taken the content meanwhile.
bool Offer::copy_content(Buffer copied, bool anyway) {
  if (offer().state.load(std::memory_order_acquire) != State::offered) return false;
  if (!count_in_flight(rank_, to_, copied, anyway)) return false;
  copy({copied.data(), nullptr}, offer().from, 0, offer().bytes);
  offer().copy = copied.get();
  State state = State::offered;
  if (!offer().state.compare_exchange_strong(state, State::copied, std::memory_order_acq_rel)) {
    uncount_in_flight(rank_, to_, copied);
    return false;
  }
  copied.take();
  memory_.take();
  return true;
}

void Offer::stop_offering() {
  if (is_over() || is_synchronous_) return;
  if (Buffer copied(message_memory_or_null(rank_, bytes())); copied) copy_content(std::move(copied), true);
}

void Offer::wait(Patience& patience) {
  while (!is_over() && patience.lasts()) continue;
  const auto ends = [&] { return is_over(); };
  const auto wait_for_receiver = [&] {
    const InWait in_wait(rank_, {}, receipt_tag);
    wait_for_streams(rank_, to_, ends);
  };
  while (!is_over()) {
    Buffer copied;
    if (!is_synchronous_) copied = Buffer(message_memory_or_null(rank_, bytes()));
    if (!copied) return wait_for_receiver();
    if (copy_content(std::move(copied), false)) return;
    if (offer().state.load(std::memory_order_acquire) != State::offered) return wait_for_receiver();
    wait_for_room(rank_, to_, bytes(), ends);
  }
}

void Offer::rest() {
  constexpr int most_vain_looks = 1000;
  if (++vain_looks_ >= most_vain_looks) stop_offering();
}

Rendezvous& rendezvous_in(const std::byte* payload) {
  Rendezvous* offer = nullptr;
  std::memcpy(&offer, payload, sizeof offer);
  return *offer;
}

void accept(Rank& rank, Rendezvous& offer, int sender, const Spread& to, std::size_t most_bytes) {
  const std::size_t end = std::min(offer.bytes, most_bytes);
  const bool shares_work = has_pieces(offer);
  if (shares_work) {
    offer.to = to;
    offer.end = end;
  }
  State state = State::offered;
  if (!offer.state.compare_exchange_strong(state, State::taken, std::memory_order_acq_rel)) {
    const Buffer record(reinterpret_cast<Message*>(&offer) - 1), copied(offer.copy);
    return copy(to, {copied.data(), nullptr}, 0, end);
  }
  if (!shares_work) {
    copy(to, offer.from, 0, end);
  } else {
    copy_pieces(offer);
    const std::size_t pieces = pieces_of(end);
    while (offer.ended.load(std::memory_order_acquire) < pieces)
      if (rank.home.spare_cores)
        relax_core();
      else
        ::sched_yield();
  }
  offer.state.store(State::over, std::memory_order_seq_cst);
  wake_if_awaiting(rank, sender);
}

}  // namespace kanor::rt

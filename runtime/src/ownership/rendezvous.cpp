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

Offers& Offers::of(Rank& rank) {
  std::unique_ptr<Attachment>& attached = attachment(rank, Attached::offers);
  if (!attached) attached = std::make_unique<Offers>(rank);
  return static_cast<Offers&>(*attached);
}

// What has not been received yet is left to the end of the job: others will read it.
Offers::~Offers() {
  for (Buffer& memory : memory_) memory.take();
}

Rendezvous& Offers::begin() {
  Rendezvous* offer = nullptr;
  if (spare_.empty()) {
    offer = reinterpret_cast<Rendezvous*>(
        memory_.emplace_back(allocate_message(rank_, sizeof(Rendezvous))).data());
  } else {
    offer = spare_.back();
    spare_.pop_back();
  }
  return *new (offer) Rendezvous;
}

std::size_t Offers::copied_bytes(int receiver) {
  std::size_t bytes = 0;
  std::erase_if(copied_, [&](Rendezvous* offer) {
    const bool is_over = offer->state.load(std::memory_order_acquire) == State::over;
    if (is_over) spare_.push_back(offer);
    if (!is_over && offer->receiver == receiver) bytes += offer->bytes;
    return is_over;
  });
  return bytes;
}

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

Offer::Offer(Rank& rank, const Sent& elements, const Destination& to, bool is_synchronous)
    : rank_(rank),
      offer_(&Offers::of(rank).begin()),
      layout_(elements.layout),
      to_(to.rank),
      is_synchronous_(is_synchronous) {
  offer_->from = {static_cast<std::byte*>(const_cast<void*>(elements.data)), layout_.get()};
  offer_->bytes = elements.bytes;
  offer_->receiver = to_;
  const std::uint64_t context = context_of(to.channel, Form::offered);
  const auto word = static_cast<std::uint32_t>(to.tag);
  if (!is_synchronous) {
    stream_few_at_once_to(rank, to.rank, context, word, &offer_, sizeof offer_);
    return;
  }
  // By the mailbox: the receiver takes it whatever it waits for, so its sleep must end.
  Buffer message = allocate_message(rank, sizeof offer_);
  std::memcpy(message.data(), &offer_, sizeof offer_);
  stream_at_once_to(rank, to.rank, context, word, std::move(message), true);
}

Offer::~Offer() {
  while (!is_over() && !copy_content()) ::sched_yield();
}

bool Offer::is_over() {
  if (!offer_) return true;
  switch (offer_->state.load(std::memory_order_seq_cst)) {
    case State::offered:
    case State::copied:
      return false;
    case State::taken:
      if (has_pieces(*offer_)) copy_pieces(*offer_);
      return false;
    case State::over:
      break;
  }
  Offers::of(rank_).end(*offer_);
  offer_ = nullptr;
  return true;
}

/// Returns false if the receiver has taken the content meanwhile.
bool Offer::copy_content() {
  if (offer_->state.load(std::memory_order_acquire) != State::offered) return false;
  Buffer memory = allocate_message(rank_, offer_->bytes);
  copy({memory.data(), nullptr}, offer_->from, 0, offer_->bytes);
  offer_->copy = memory.get();
  State state = State::offered;
  if (!offer_->state.compare_exchange_strong(state, State::copied, std::memory_order_acq_rel)) return false;
  memory.take();
  Offers::of(rank_).end_copied(*offer_);
  offer_ = nullptr;
  return true;
}

void Offer::stop_offering() {
  if (is_over() || is_synchronous_) return;
  const std::size_t copied = Offers::of(rank_).copied_bytes(to_);
  if (copied == 0 || copied + offer_->bytes <= rank_.home.local.sizes().inflight_bytes) copy_content();
}

void Offer::wait() {
  for (Patience patience(rank_, bytes()); !is_over() && patience.lasts();) continue;
  stop_offering();
  if (!offer_) return;
  const auto ends = [&] {
    stop_offering();
    return !offer_;
  };
  if (is_synchronous_) return wait_for_streams(rank_, to_, ends);
  while (!wait_for_taker(rank_, to_, ends)) copy_content();
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
    const Buffer memory(offer.copy);
    copy(to, {memory.data(), nullptr}, 0, end);
  } else if (!shares_work) {
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

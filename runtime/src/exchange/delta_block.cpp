// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchange/delta_block.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "kanor/abi/delta.hpp"

namespace kanor::rt {
namespace {

/// The channel of the heads.
constexpr std::uint32_t delta_channel = first_inner_channel + 4;

}  // namespace

DeltaBlock::~DeltaBlock() {
  if (has_started_) std::erase(blocks_.deltas(), this);
}

bool DeltaBlock::note(int receiver, int sender) {
  const int size = blocks_.world().size;
  if (receiver == no_rank || sender == no_rank) return true;
  if (receiver < 0 || receiver >= size || sender < 0 || sender >= size) return false;
  receivers_.resize(static_cast<std::size_t>(size));
  if (receivers_[static_cast<std::size_t>(receiver)]) return false;
  receivers_[static_cast<std::size_t>(receiver)] = true;
  return true;
}

void DeltaBlock::send(int receiver, const void* data, std::size_t bytes) {
  sends_.emplace_back(receiver, Content{data, bytes});
}

void DeltaBlock::receive(int sender, void* place, std::byte* (*make_room)(void* place, std::size_t bytes)) {
  place_ = {sender, place, make_room};
}

void DeltaBlock::start() {
  constexpr std::uint64_t tags = std::uint64_t{1} << 30;
  tag_ = static_cast<int>(blocks_.world().sequence++ % tags);
  has_started_ = true;
  blocks_.deltas().push_back(this);
  for (Send& one : sends_) {
    one.pace.emplace(switches(rank()), blocks_.cost_of_delta_ns());
    one.pace->spend([&] {
      one.message.emplace(rank(), one.content, Destination{delta_channel, one.receiver, tag_},
                          blocks_.new_increment_tag(), kanor::rt::Place{site_.file, site_.line});
    });
  }
}

void DeltaBlock::send_up_to(Send& one, std::size_t end, bool is_last) {
  const Range range{one.sent, end};
  one.sent = end;
  one.message->send(range, is_last, offers_);
}

void DeltaBlock::produced(std::size_t bytes) {
  final_ = bytes;
  for (Send& one : sends_) {
    const std::size_t end = std::min(bytes, one.content.bytes);
    if (end > one.sent && one.pace->is_time(end - one.sent, *one.message))
      one.pace->spend([&] { send_up_to(one, end, false); });
  }
}

void DeltaBlock::flush() {
  if (has_reached_) return;
  for (Send& one : sends_)
    if (const std::size_t end = std::min(final_, one.content.bytes); end > one.sent)
      send_up_to(one, end, false);
}

void DeltaBlock::reach() {
  blocks_.open(site_);
  has_reached_ = true;
  std::size_t offered = 0;
  for (Send& one : sends_) send_up_to(one, one.content.bytes, true);
  if (place_) begin_to_receive();
  for (const Offer& offer : offers_) offered += offer.bytes();
  if (offered > 0) {
    Patience patience(rank(), offered);
    for (Offer& offer : offers_) offer.wait(patience);
  }
  offers_.clear();
  for (const Send& one : sends_)
    if (!one.message->has_fitted()) wait_for_room(rank(), one.receiver);
  blocks_.leave();
}

void DeltaBlock::begin_to_receive() {
  Matcher& matcher = Matcher::of(rank());
  // Senders that wait for room, or for their readers, may be those that this rank waits for in turn.
  matcher.mind_others();
  const Wanted wanted{delta_channel, place_->sender, tag_};
  matcher.wait_for_kept(wanted);
  Buffer head = matcher.take_out(wanted);
  // A place takes its length from the value, which the head tells.
  const std::size_t bytes = delta_head_in(head.data()).bytes;
  incoming_.emplace(rank(), wanted, bytes, place_->make_room(place_->object, bytes));
  matcher.complete(*incoming_, std::move(head));
}

bool DeltaBlock::has_come(std::size_t bytes) const {
  return incoming_->done() || incoming_->come_bytes() >= bytes;
}

std::size_t DeltaBlock::arrived(std::size_t bytes) {
  if (!incoming_) return all;
  if (!has_come(bytes)) {
    blocks_.open(site_);
    Matcher::of(rank()).wait_until(*incoming_, [&] { return has_come(bytes); });
    blocks_.leave();
  }
  return incoming_->done() ? all : incoming_->come_bytes();
}

void DeltaBlock::complete() {
  if (!incoming_ || incoming_->done()) return;
  blocks_.open(site_);
  Matcher::of(rank()).wait(*incoming_);
  blocks_.leave();
}

}  // namespace kanor::rt

namespace kanor::abi {

delta_exchange::delta_exchange(const site& where) noexcept {
  rt::Blocks& blocks = rt::Blocks::here();
  if (blocks.pipelines()) state_ = new rt::DeltaBlock(blocks, where);
}

delta_exchange::~delta_exchange() {
  if (state_ && state_->has_reached()) state_->complete();
  delete state_;
}

delta_exchange::role delta_exchange::binding(int receiver, int sender) noexcept {
  if (!state_) return {false, false};
  if (!state_->note(receiver, sender)) {
    cannot();
    return {false, false};
  }
  const int rank = rt::Blocks::here().world().rank;
  return {sender == rank && receiver != no_rank, receiver == rank && sender != no_rank};
}

void delta_exchange::send(int receiver, const void* data, std::size_t bytes,
                          std::size_t element_bytes) noexcept {
  state_->send(receiver, data, bytes);
  state_->set_element_bytes(element_bytes);
}

void delta_exchange::receive(int sender, void* place, std::byte* (*make_room)(void* place, std::size_t bytes),
                             std::size_t element_bytes) noexcept {
  state_->receive(sender, place, make_room);
  state_->set_element_bytes(element_bytes);
}

void delta_exchange::cannot() noexcept { delete std::exchange(state_, nullptr); }

void delta_exchange::start() noexcept {
  if (!state_) return;
  state_->start();
  state_->strip().begin(rt::monotonic_ns());
  if (state_->sends()) strip_ = state_->strip().length();
}

void delta_exchange::produced(long long elements) noexcept {
  if (!state_->sends()) return;
  state_->strip().look();
  strip_ = state_->strip().length();
  state_->produced(static_cast<std::size_t>(std::max(elements, 0LL)) * state_->element_bytes());
}

void delta_exchange::reach() noexcept { state_->reach(); }

long long delta_exchange::arrived(long long elements) noexcept {
  constexpr long long plenty = 1LL << 62;
  const auto bytes = static_cast<std::size_t>(std::max(elements, 0LL)) * state_->element_bytes();
  const std::size_t here = state_->arrived(bytes);
  return here == rt::DeltaBlock::all ? plenty : static_cast<long long>(here / state_->element_bytes());
}

void delta_exchange::complete() noexcept {
  if (state_) state_->complete();
}

}  // namespace kanor::abi

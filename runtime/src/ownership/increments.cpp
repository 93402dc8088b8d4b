// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ownership/increments.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "ownership/rendezvous.hpp"

namespace kanor::rt {
namespace {

/// Copies bytes, which lie in one block, to their range in `to`.
void put(const Spread& to, const Range& range, std::byte* bytes) {
  copy(to, {bytes - range.begin, nullptr}, range.begin, range.end);
}

/// Copies what is offered, the bytes of `whole`, as far as they are in `taken`.
void take_offered(Rank& rank, const Arrival& arrival, const Spread& to, const Range& whole,
                  const Range& taken) {
  Rendezvous& offer = rendezvous_in(arrival.payload);
  if (!to.layout || whole.begin == 0)
    return accept(rank, offer, arrival.source, {to.data ? to.data + whole.begin : nullptr, to.layout},
                  taken.bytes());
  std::vector<std::byte> packed(taken.bytes());
  accept(rank, offer, arrival.source, {packed.data(), nullptr}, packed.size());
  put(to, taken, packed.data());
}

}  // namespace

DeltaHead delta_head_in(const std::byte* payload) {
  DeltaHead head;
  std::memcpy(&head, payload, sizeof head);
  return head;
}

Increments::~Increments() {
  if (taken_) let_go(*taken_);
}

bool Increments::take(Rank& rank, const Arrival& arrival, const Spread& to, std::size_t most_bytes) {
  if (!awaits_offer_) {
    std::memcpy(&head_, arrival.payload, sizeof head_);
    awaits_offer_ = head_.is_offered;
    if (awaits_offer_) return false;
  }
  const Range whole{head_.offset, head_.offset + head_.bytes};
  const Range taken{std::min(whole.begin, most_bytes), std::min(whole.end, most_bytes)};
  if (awaits_offer_)
    take_offered(rank, arrival, to, whole, taken);
  else
    put(to, taken, const_cast<std::byte*>(arrival.payload) + sizeof head_);
  awaits_offer_ = false;
  if (whole.bytes() > 0) here_.add(whole);
  ++count_;
  if (taken_) static_cast<Taken*>(taken_->object())->increments.fetch_add(1, std::memory_order_relaxed);
  return head_.is_last;
}

}  // namespace kanor::rt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ownership/increment_sending.hpp"

#include <cstring>
#include <new>
#include <utility>

namespace kanor::rt {

DeltaMessage::DeltaMessage(Rank& rank, const Content& content, const Destination& to, std::int32_t increments,
                           const Place& place)
    : rank_(rank), content_(content), to_(to.rank), tag_(increments) {
  if (shares_memory(rank, to_)) {
    taken_ = &make_region(rank, sizeof(Taken));
    new (taken_->object()) Taken;
    share(*taken_);
  }
  const DeltaHead head{content.bytes, taken_, increments};
  const std::uint64_t context = context_of(to.channel, Form::delta);
  const auto word = static_cast<std::uint32_t>(to.tag);
  if (!switches(rank).check) {
    has_fitted_ = stream_few_at_once_to(rank, to_, context, word, &head, sizeof head);
    return;
  }
  const NewNote note(place, content.described);
  Buffer message = allocate_message(rank, sizeof head + note.bytes());
  std::memcpy(message.data(), &head, sizeof head);
  note.put(message.data() + sizeof head);
  has_fitted_ = stream_at_once_to(rank, to_, context, word, std::move(message));
}

DeltaMessage::~DeltaMessage() {
  if (taken_) let_go(*taken_);
}

void DeltaMessage::send(const Range& range, bool is_last, std::deque<Offer>& offers) {
  ++sent_;
  const std::uint64_t context = context_of(increment_channel, Form::content);
  const auto word = static_cast<std::uint32_t>(tag_);
  const Spread from{static_cast<std::byte*>(const_cast<void*>(content_.data)), content_.layout.get()};
  IncrementHead head{range.begin, range.bytes()};
  head.is_last = is_last;
  head.is_offered = range.bytes() >= least_offered_bytes && can_offer(rank_, to_);
  if (head.is_offered) {
    has_fitted_ &= stream_few_at_once_to(rank_, to_, context, word, &head, sizeof head);
    while (!offers.empty() && offers.front().is_over()) offers.pop_front();
    offers.emplace_back(rank_, Content{from.data + range.begin, range.bytes(), content_.layout},
                        Destination{increment_channel, to_, tag_}, false);
    return;
  }
  Buffer message = allocate_message(rank_, sizeof head + range.bytes());
  std::memcpy(message.data(), &head, sizeof head);
  // The copy's bytes are those of the range alone.
  copy({message.data() + sizeof head - range.begin, nullptr}, from, range.begin, range.end);
  has_fitted_ &= stream_at_once_to(rank_, to_, context, word, std::move(message));
}

bool DeltaMessage::is_behind() const {
  return taken_ && static_cast<Taken*>(taken_->object())->increments.load(std::memory_order_relaxed) < sent_;
}

}  // namespace kanor::rt

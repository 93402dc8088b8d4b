// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ownership/increment_sending.hpp"

#include <algorithm>
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
  if (range.bytes() < switches(rank_).tuning.least_offered(content_.layout != nullptr) ||
      !can_offer(rank_, to_))
    return taken_ || is_last ? send_copy(range, is_last) : send_pieces(range);
  ++sent_;
  const IncrementHead head{range.begin, range.bytes(), true, is_last};
  has_fitted_ &= stream_few_at_once_to(rank_, to_, context_of(increment_channel, Form::content),
                                       static_cast<std::uint32_t>(tag_), &head, sizeof head);
  while (!offers.empty() && offers.front().is_over()) offers.pop_front();
  offers.emplace_back(
      rank_,
      Content{static_cast<const std::byte*>(content_.data) + range.begin, range.bytes(), content_.layout},
      Destination{increment_channel, to_, tag_}, false);
}

void DeltaMessage::send_copy(const Range& range, bool is_last) {
  ++sent_;
  const Spread from{static_cast<std::byte*>(const_cast<void*>(content_.data)), content_.layout.get()};
  const IncrementHead head{range.begin, range.bytes(), false, is_last};
  Buffer message = allocate_message(rank_, sizeof head + range.bytes());
  std::memcpy(message.data(), &head, sizeof head);
  // The copy's bytes are those of the range alone.
  copy({message.data() + sizeof head - range.begin, nullptr}, from, range.begin, range.end);
  has_fitted_ &= stream_at_once_to(rank_, to_, context_of(increment_channel, Form::content),
                                   static_cast<std::uint32_t>(tag_), std::move(message));
}

std::size_t part_bytes(const Rank& rank, const Content& content, int to) {
  const Switches& is = switches(rank);
  if (!is.delta || is.check || to == rank.number || !shares_memory(rank, to)) return 0;
  if (is.increment_bytes == 0 && !content.layout && content.bytes < is.tuning.least_block_in_parts) return 0;
  const std::size_t part =
      is.increment_bytes > 0 ? is.increment_bytes : is.tuning.part_bytes(content.bytes) - Tuning::before_part;
  return content.bytes < 2 * part ? 0 : part;
}

bool send_in_parts(Rank& rank, const Content& content, const Destination& to, std::int32_t increments,
                   std::size_t part) {
  DeltaMessage message(rank, content, to, increments, {});
  for (std::size_t begin = 0, end = 0; begin < content.bytes; begin = end) {
    // The last one is not much shorter than the others.
    end = content.bytes - begin < part + part / 2 ? content.bytes : begin + part;
    message.send_copy({begin, end}, end == content.bytes);
  }
  return message.has_fitted();
}

void DeltaMessage::send_pieces(const Range& range) {
  for (std::size_t at = range.begin; at < range.end; at += piece_bytes)
    send_copy({at, std::min(at + piece_bytes, range.end)}, false);
}

bool DeltaMessage::is_behind() const {
  return taken_ && static_cast<Taken*>(taken_->object())->increments.load(std::memory_order_relaxed) < sent_;
}

bool DeltaMessage::is_being_taken() const {
  if (!taken_) return sent_ > 0;
  return static_cast<Taken*>(taken_->object())->increments.load(std::memory_order_relaxed) > 0;
}

}  // namespace kanor::rt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ownership/increment_sending.hpp"

#include <cstring>
#include <utility>

namespace kanor::rt {

bool send_delta_head(Rank& rank, const Content& content, const Destination& to, std::int32_t increments,
                     const Place& place) {
  const DeltaHead head{content.bytes, increments};
  const std::uint64_t context = context_of(to.channel, Form::delta);
  const auto word = static_cast<std::uint32_t>(to.tag);
  if (!switches(rank).check) return stream_few_at_once_to(rank, to.rank, context, word, &head, sizeof head);
  const NewNote note(place, content.described);
  Buffer message = allocate_message(rank, sizeof head + note.bytes());
  std::memcpy(message.data(), &head, sizeof head);
  note.put(message.data() + sizeof head);
  return stream_at_once_to(rank, to.rank, context, word, std::move(message));
}

bool send_increment(Rank& rank, const Content& content, const Range& range, bool is_last, int to,
                    std::int32_t increments, std::deque<Offer>& offers) {
  const std::uint64_t context = context_of(increment_channel, Form::content);
  const auto word = static_cast<std::uint32_t>(increments);
  const Spread from{static_cast<std::byte*>(const_cast<void*>(content.data)), content.layout.get()};
  IncrementHead head{range.begin, range.bytes()};
  head.is_last = is_last;
  head.is_offered = range.bytes() > most_copied_bytes && can_offer(rank, to);
  if (head.is_offered) {
    const bool fits = stream_few_at_once_to(rank, to, context, word, &head, sizeof head);
    while (!offers.empty() && offers.front().is_over()) offers.pop_front();
    offers.emplace_back(rank, Content{from.data + range.begin, range.bytes(), content.layout},
                        Destination{increment_channel, to, increments}, false);
    return fits;
  }
  Buffer message = allocate_message(rank, sizeof head + range.bytes());
  std::memcpy(message.data(), &head, sizeof head);
  // The copy's bytes are those of the range alone.
  copy({message.data() + sizeof head - range.begin, nullptr}, from, range.begin, range.end);
  return stream_at_once_to(rank, to, context, word, std::move(message));
}

}  // namespace kanor::rt

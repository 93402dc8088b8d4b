// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "match/posted.hpp"

#include <utility>

namespace kanor::rt {

void Posted::begin_hashing() {
  by_tag_ = std::make_unique<std::unordered_map<std::uint64_t, List, Mix>>();
  for (Receive* at = std::exchange(all_, {}).first; at;) {
    Receive& receive = *std::exchange(at, at->next_);
    receive.next_ = nullptr;
    append(list_of(receive.wanted()), receive);
  }
}

Receive* Posted::first_hashed(std::uint32_t channel, int tag) const {
  const auto first_of = [&](int one_tag) {
    const auto found = by_tag_->find(key_of(channel, one_tag));
    return found == by_tag_->end() ? nullptr : found->second.first;
  };
  Receive* const this_tag = first_of(tag);
  Receive* const any = first_of(any_tag);
  return this_tag && (!any || this_tag->number_ < any->number_) ? this_tag : any;
}

void Posted::remove_hashed(Receive& receive) {
  // With a few they stay hashed, so that those who post and answer many do not make them change again and
  // again.
  if (count_ == 0) {
    by_tag_.reset();
    receive.next_ = receive.previous_ = nullptr;
    return;
  }
  const auto found = by_tag_->find(key_of(receive.wanted_.channel, receive.wanted_.tag));
  unlink(found->second, receive);
  if (!found->second.first) by_tag_->erase(found);
}

}  // namespace kanor::rt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The positions of members' items in a list, by hashing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kanor::rt {

/// Maps members of a team to positions. Memory and time are proportional to the members added, not to the
/// team, and emptying it costs the same whatever it has held.
class PeerIndex {
 public:
  /// The position added for `member`; `none` if there is none.
  std::size_t find(int member, std::size_t none) const {
    if (slots_.empty()) return none;
    const Slot& slot = slots_[probe(member)];
    return slot.round == round_ ? slot.position : none;
  }

  /// Adds a member that has not been added since clear().
  void add(int member, std::size_t position) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    slots_[probe(member)] = {round_, member, position};
    ++count_;
  }

  void clear() {
    count_ = 0;
    if (++round_ != 0) return;
    for (Slot& slot : slots_) slot.round = 0;  // the rounds' numbers have been used up: start again
    round_ = 1;
  }

 private:
  struct Slot {
    std::uint32_t round = 0;  ///< in use if this is the index's round
    int member = 0;
    std::size_t position = 0;
  };

  /// The slot that holds the member, or the free one where it would be added.
  std::size_t probe(int member) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = (static_cast<std::uint32_t>(member) * 2654435769u) & mask;
    while (slots_[at].round == round_ && slots_[at].member != member) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    std::vector<Slot> before(slots_.empty() ? 8 : 2 * slots_.size());
    before.swap(slots_);
    for (const Slot& slot : before)
      if (slot.round == round_) slots_[probe(slot.member)] = slot;
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
  std::uint32_t round_ = 1;
};

}  // namespace kanor::rt

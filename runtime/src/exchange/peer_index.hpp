// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of a block's messages belongs to which member of the team.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kanor::rt {

/// Maps members to the positions of their messages. Memory and time are proportional to the messages, not to
/// the team, and emptying it costs the same whatever it has held.
class PeerIndex {
 public:
  static constexpr int none = -1;

  /// Returns the position noted for `member`; if there is none, notes `fresh` and returns `none`.
  int find_or_add(int member, int fresh) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    Slot& slot = *probe(member);
    if (slot.round == round_) return slot.position;
    slot = {round_, member, fresh};
    ++count_;
    return none;
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
    int position = none;
  };

  Slot* probe(int member) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = (static_cast<std::uint32_t>(member) * 2654435769u) & mask;
    while (slots_[at].round == round_ && slots_[at].member != member) at = (at + 1) & mask;
    return &slots_[at];
  }

  void grow() {
    std::vector<Slot> before(slots_.empty() ? 8 : 2 * slots_.size());
    before.swap(slots_);
    for (const Slot& slot : before)
      if (slot.round == round_) *probe(slot.member) = slot;
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
  std::uint32_t round_ = 1;
};

}  // namespace kanor::rt

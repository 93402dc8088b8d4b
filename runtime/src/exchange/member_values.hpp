// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all members of a team say, which all of them learn: part of calls that are no blocks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "exchange/blocks.hpp"

namespace kanor::rt {

/// Takes a step that is a call, a split or the opening of a window, which all members of the team make at the
/// same position in the sequence of its blocks. Returns the members' values, in the order of their numbers:
/// an all-gather in rounds that double what each member knows (Bruck et al., Efficient Algorithms for
/// All-to-All Communications in Multiport Message-Passing Systems, 1997). Waits for all members. ceil(log2
/// size) messages.
template <class Value>
std::vector<Value> gather_values(Blocks& blocks, TeamState& team, const Value& own, Step step,
                                 const abi::site& where) {
  Rank& rank = blocks.owner();
  enter_block(rank, where.file, where.line, step);
  if (Checks* const checks = blocks.checks()) {
    checks->begin(step, where, team, team.sequence);
    checks->announce();
  }
  const std::uint32_t code = step == Step::split ? MessageHead::split : MessageHead::window;
  const std::uint64_t sequence = team.sequence++;
  const std::size_t members = static_cast<std::size_t>(team.size);
  const std::size_t self = static_cast<std::size_t>(team.rank);
  std::vector<Value> values{own};  // of this member and of those after it
  values.reserve(members);
  for (std::size_t distance = 1; distance < members; distance *= 2) {
    const std::size_t count = std::min(distance, members - distance);
    const MessageHead head{static_cast<std::uint32_t>(where.line), code};
    Buffer message = allocate_message(rank, sizeof(head) + count * sizeof(Value));
    std::memcpy(message.data(), &head, sizeof(head));
    std::memcpy(message.data() + sizeof(head), values.data(), count * sizeof(Value));
    const int to = static_cast<int>((self + members - distance) % members);
    send(rank, team.world_rank(to), team.context, sequence, std::move(message));

    const int from = static_cast<int>((self + distance) % members);
    const Buffer answer = receive(rank, team.world_rank(from), team.context, sequence);
    MessageHead its_head{};
    std::memcpy(&its_head, answer.data(), std::min(sizeof(its_head), answer.bytes()));
    if (its_head.values != code) {
      if (Checks* const checks = blocks.checks()) checks->settle();
      fail("rank " + std::to_string(from) + " of the team " + text_of(its_head, rank, team.world_rank(from)) +
           " while this rank " + doing(step) + " at " + place_of(where) +
           ": all members must execute the same sequence of blocks and splits");
    }
    values.resize(values.size() + count);
    std::memcpy(&values[values.size() - count], answer.data() + sizeof(head), count * sizeof(Value));
  }
  leave_block(rank);
  std::rotate(values.begin(), values.end() - static_cast<std::ptrdiff_t>(self), values.end());
  return values;
}

}  // namespace kanor::rt

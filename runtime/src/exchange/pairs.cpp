// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Making teams of two, which overlap in one member: that one names them all.
#include "kanor/abi/pairs.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "exchange/blocks.hpp"
#include "exchange/team_record.hpp"

namespace kanor::rt {
namespace {

/// What the first member tells another one.
struct PairMessage {
  MessageHead head;
  std::uint64_t context;  ///< of their team
};

/// The team of members `first` and `other` of `parent`, of which the caller is one.
team make_pair(Blocks& blocks, const TeamState& parent, int first, int other, std::uint64_t context) {
  return make_team(blocks, {parent.world_rank(first), parent.world_rank(other)}, parent.rank == first ? 0 : 1,
                   context);
}

std::uint64_t receive_context(Blocks& blocks, const TeamState& parent, int first, std::uint64_t sequence,
                              const abi::site& where) {
  const Buffer message = receive(blocks.owner(), parent.world_rank(first), parent.context, sequence);
  PairMessage pair{};
  std::memcpy(&pair, message.data(), std::min(sizeof(pair), message.bytes()));
  if (pair.head.values == MessageHead::pairs && message.bytes() == sizeof(pair)) return pair.context;
  if (Checks* const checks = blocks.checks()) checks->settle();
  fail("rank " + std::to_string(first) + " of the team " +
       text_of(pair.head, blocks.owner(), parent.world_rank(first)) + " while this rank " +
       doing(Step::pairs) + " at " + place_of(where) +
       ": all members must execute the same sequence of blocks and splits");
}

}  // namespace
}  // namespace kanor::rt

namespace kanor::abi {

std::vector<team> pairs(const team& members, int first, const char* file, int line) {
  using namespace rt;
  const site where{file, line, "pairs"};
  Blocks& blocks = Blocks::here();
  if (const Execution* const block = blocks.current())
    blocks.refuse("a function that makes pairs of ranks is called at " + place_of(where), block->block(),
                  "a block's expressions cannot communicate");
  TeamState& state = state_of(blocks, members, "the making of pairs", where);
  enter_block(blocks.owner(), file, line, Step::pairs);
  if (Checks* const checks = blocks.checks()) {
    checks->begin(Step::pairs, where, state, state.sequence);
    checks->concerns("rank " + std::to_string(first));
    checks->announce();
  }
  const std::uint64_t sequence = state.sequence++;
  std::vector<team> made;
  if (state.rank == first) {
    for (int other = 0; other < state.size; ++other) {
      if (other == first) continue;
      const PairMessage pair{{static_cast<std::uint32_t>(line), MessageHead::pairs},
                             team_context(state.world_rank(first), blocks.count_team())};
      send_few(blocks.owner(), state.world_rank(other), state.context, sequence, &pair, sizeof(pair));
      made.push_back(make_pair(blocks, state, first, other, pair.context));
    }
  } else {
    const std::uint64_t context = receive_context(blocks, state, first, sequence, where);
    made.push_back(make_pair(blocks, state, first, state.rank, context));
  }
  leave_block(blocks.owner());
  return made;
}

}  // namespace kanor::abi

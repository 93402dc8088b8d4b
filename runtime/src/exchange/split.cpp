// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Making teams: every member learns the colours and keys of all, and finds its own new team in them.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "exchange/blocks.hpp"
#include "exchange/member_values.hpp"
#include "exchange/team_record.hpp"

namespace kanor::rt {
namespace {

/// One member's arguments to the split.
struct Choice {
  std::int64_t colour;
  std::int64_t key;
  std::uint64_t made;  ///< the number of teams that this member made before: differs for each of its splits
};

/// The numbers of those who chose the same colour as `self`, in the new team's order.
std::vector<int> group_of(std::size_t self, const std::vector<Choice>& choices) {
  std::vector<int> group;
  for (std::size_t i = 0; i < choices.size(); ++i)
    if (choices[i].colour == choices[self].colour) group.push_back(static_cast<int>(i));
  std::stable_sort(group.begin(), group.end(), [&](int a, int b) {
    return choices[static_cast<std::size_t>(a)].key < choices[static_cast<std::size_t>(b)].key;
  });
  return group;
}

}  // namespace
}  // namespace kanor::rt

namespace kanor {

team team::split(long long colour, long long key, const char* file, int line) const {
  using namespace rt;
  const abi::site where{file, line, "split"};
  Blocks& blocks = Blocks::here();
  if (const Execution* const block = blocks.current())
    blocks.refuse("kanor::team::split is called at " + place_of(where), block->block(),
                  "a block's expressions cannot communicate");
  TeamState& state = state_of(blocks, *this, "the call of kanor::team::split", where);
  const Choice own{colour, key, blocks.count_team()};
  const std::vector<Choice> choices = gather_values(blocks, state, own, Step::split, where);

  const std::vector<int> group = group_of(static_cast<std::size_t>(state.rank), choices);
  std::vector<int> members;
  for (const int member : group) members.push_back(state.world_rank(member));
  const int first = group.front();
  const int rank = static_cast<int>(std::find(group.begin(), group.end(), state.rank) - group.begin());
  return make_team(blocks, std::move(members), rank,
                   team_context(state.world_rank(first), choices[static_cast<std::size_t>(first)].made));
}

}  // namespace kanor

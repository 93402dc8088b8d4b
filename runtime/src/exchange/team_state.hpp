// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a rank knows of a team that it is a member of.
#pragma once

#include <cstdint>
#include <memory>

namespace kanor::rt {

/// One rank's view of one team. The rank keeps it for as long as executions of the team's blocks refer to it.
struct TeamState {
  std::uint64_t context = 0;   ///< tells the team's messages from those of others; the world's is 0
  std::uint64_t sequence = 0;  ///< of the team's next block: the same on all members
  int rank = 0;                ///< this rank's number in the team
  int size = 1;
  const int* world_ranks = nullptr;   ///< of each member; null: a member's number is its world rank
  std::shared_ptr<const void> lives;  ///< in checked mode: something that is there as long as the state

  int world_rank(int member) const { return world_ranks ? world_ranks[member] : member; }
};

/// The context of the team whose first member is rank `first` of the world, which has made `made` teams, this
/// one included: no other team of the job has it. Below 2^62 for two million ranks.
constexpr std::uint64_t team_context(int first, std::uint64_t made) {
  return (static_cast<std::uint64_t>(first) + 1) << 40 | made;
}

}  // namespace kanor::rt

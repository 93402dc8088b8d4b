// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a `kanor::team` names.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "exchange/team_state.hpp"
#include "kanor/abi/core.hpp"
#include "kanor/team.hpp"

namespace kanor::abi {

/// One rank's record of a team that a split made. Any thread that shares addresses may hold it and read what
/// does not change; `state.sequence` belongs to the rank.
struct team_record {
  std::atomic<long> users{1};
  int owner = 0;             ///< the world rank whose record it is
  std::vector<int> members;  ///< world ranks in the team's order: state.world_ranks
  rt::TeamState state;

  /// Returns a team that refers to a new record, as its first user.
  static team name(team_record* record) { return team(record); }
  /// The record that a team refers to; null for the world.
  static team_record* of(const team& team) { return team.record_; }
};

}  // namespace kanor::abi

namespace kanor::rt {

class Blocks;

/// A new team of the calling rank: the members' world ranks in the team's order, of which it is number
/// `rank`, and what tells its messages from those of other teams.
team make_team(Blocks& blocks, std::vector<int> members, int rank, std::uint64_t context);

/// The team as text: "team of 2 ranks (0 and 3 of the world)".
std::string text_of(const team& team);

/// The rank's own state of a team that executes something at `where`; lasts as long as the team or a copy
/// does. Ends the job if the rank is no member, or has the team from another rank; `what` names what is
/// executed: "the block".
TeamState& state_of(Blocks& blocks, const team& team, const char* what, const abi::site& where);

}  // namespace kanor::rt

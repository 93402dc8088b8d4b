// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checked mode: do the members of a team mean the same?
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "exchange/block_record.hpp"
#include "exchange/team_state.hpp"
#include "kanor/abi/core.hpp"
#include "transport/rank.hpp"

namespace kanor::rt {

/// A rank's part in comparing the records of all its teams' blocks. Belongs to the rank.
///
/// Each member sends its records to the next one, the last to the first: if any two members differ, two
/// neighbours do. Nobody waits for records, because a team's members may reach its blocks at any time (they
/// may have blocks of other teams to do first); they are compared whenever the rank waits for something, and
/// before its next block. What is left is compared when the rank's main has ended.
class Checks {
 public:
  Checks(Rank& rank, const TeamState& world);
  Checks(const Checks&) = delete;
  Checks& operator=(const Checks&) = delete;

  /// Adds a new team of which the rank is a member. `team.lives` tells when it no longer is.
  void join(const TeamState& team);

  // The block that is being evaluated, or the split that is about to be made.
  void begin(Step step, const abi::site& where, const TeamState& team, std::uint64_t position);
  /// Notes what the step is about, which the members must agree on.
  void concerns(std::string what) { open_.concerns = std::move(what); }
  void statement(const abi::statement_site& where, bool uniform);
  void binding(int receiver, int sender, const abi::named_value* names, int name_count) {
    open_.statements.back().add(receiver, sender, names, name_count);
  }
  /// `type` is abi::value_text() of the value.
  void type(const char* type) { open_.statements.back().type = type; }
  /// Sends the record, which is complete, and compares what can be compared.
  void announce();

  /// Waits until everything has been compared; the rank will execute no more blocks.
  void finish();

  /// Gives the records time to arrive, when an exchange shows that some members differ: they say more of it.
  void settle();

  /// Compares what has arrived. A difference ends the job. Sends nothing.
  void look();

 private:
  /// One team's records that still have no counterpart, as far as this rank knows them.
  struct Ring {
    int member = 0, previous = 0;  ///< numbers in the team
    int previous_in_world = 0, next_in_world = 0;
    bool joined = false;  ///< false while only the member before this one has been in the team
    bool is_world = false;
    std::weak_ptr<const void> lives;
    std::uint64_t position = 0;  ///< of the next record
    bool ended = false;          ///< this rank's last record has been sent
    std::map<std::uint64_t, BlockRecord> own, theirs;
  };

  void end_those(bool all);
  void send_record(Ring& ring, BlockRecord record);
  /// Compares what has arrived; returns true if nothing more will come of this team.
  bool compare(Ring& ring);
  std::string member_text(const Ring& ring, int member, int in_world) const;

  Rank& rank_;
  BlockRecord open_;
  Ring* open_ring_ = nullptr;            ///< null where nobody is there to compare with
  std::map<std::uint64_t, Ring> rings_;  ///< by the team's context
};

}  // namespace kanor::rt

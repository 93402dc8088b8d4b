// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kanor/team.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "exchange/blocks.hpp"
#include "exchange/team_record.hpp"

namespace kanor {

namespace abi {

void hold(team_record* record) noexcept { record->users.fetch_add(1, std::memory_order_relaxed); }

void drop(team_record* record) noexcept {
  // What others did with the record comes before its end.
  if (record->users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete record;
}

}  // namespace abi

int team::size() const {
  return record_ ? record_->state.size : rt::team_size(rt::here("kanor::team::size() was called"));
}

int team::rank() const {
  const int self = rt::rank_number(rt::here("kanor::team::rank() was called"));
  if (!record_) return self;
  if (record_->owner == self) return record_->state.rank;
  const auto member = std::find(record_->members.begin(), record_->members.end(), self);
  if (member == record_->members.end())
    rt::fail("kanor::team::rank() was called by a rank that is not a member of the " + rt::text_of(*this));
  return static_cast<int>(member - record_->members.begin());
}

int team::world_rank(int i) const {
  const int ranks = size();
  if (i < 0 || i >= ranks)
    rt::fail("kanor::team::world_rank(" + std::to_string(i) + ") in a team of " + std::to_string(ranks) +
             " ranks");
  return record_ ? record_->state.world_rank(i) : i;
}

}  // namespace kanor

namespace kanor::rt {

team make_team(Blocks& blocks, std::vector<int> members, int rank, std::uint64_t context) {
  auto record = std::make_unique<abi::team_record>();
  record->owner = blocks.world().rank;
  record->members = std::move(members);
  record->state.context = context;
  record->state.rank = rank;
  record->state.size = static_cast<int>(record->members.size());
  record->state.world_ranks = record->members.data();
  if (Checks* const checks = blocks.checks()) {
    record->state.lives = std::make_shared<char>();
    checks->join(record->state);
  }
  return abi::team_record::name(record.release());
}

std::string text_of(const team& team) {
  const abi::team_record* const record = abi::team_record::of(team);
  const int ranks = team.size();
  std::string text = "team of " + std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks");
  if (!record) return text;
  constexpr int most_shown = 8;
  text += " (";
  for (int i = 0; i < std::min(ranks, most_shown); ++i)
    text += (i == 0           ? ""
             : i + 1 == ranks ? " and "
                              : ", ") +
            std::to_string(record->members[static_cast<std::size_t>(i)]);
  return text + (ranks > most_shown ? ", ... of the world)" : " of the world)");
}

TeamState& state_of(Blocks& blocks, const team& team, const char* what, const abi::site& where) {
  abi::team_record* const record = abi::team_record::of(team);
  if (!record) return blocks.world();
  const int self = blocks.world().rank;
  if (record->owner == self) return record->state;
  const bool is_member =
      std::find(record->members.begin(), record->members.end(), self) != record->members.end();
  fail(std::string(what) + " at " + place_of(where) +
       (is_member ? " is executed by this rank with the object of rank " + std::to_string(record->owner) +
                        " for this team: every member must use the team that its own call of split returned"
                  : " is executed by this rank, which is not a member of its " + text_of(team)));
}

}  // namespace kanor::rt

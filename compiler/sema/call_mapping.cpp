// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sema/call_mapping.hpp"

#include <algorithm>

namespace kanor::sema {

using flow::Team;
using Level = Agreement::Level;

int team_in(const Instance& instance, const TeamNames& names, int variable) {
  const int root = names.root(variable);
  const auto found = instance.circumstances.same_teams.find(root);
  return found == instance.circumstances.same_teams.end() ? root : found->second;
}

CallMapping::CallMapping(const Sides& sides, const Instance& caller, const flow::Event& call)
    : sides_(sides), call_(call), callee_(sides.graph.functions[static_cast<std::size_t>(call.callee)]) {
  // What a lambda sees of the function around it means there what it means here.
  for (const auto& [root, same] : caller.circumstances.same_teams)
    if (sides_.effects.is_shared(root) && (same == TeamNames::world || sides_.effects.is_shared(same)))
      same_teams_[root] = same;
  for (std::size_t at = 0; at < call.arguments.size(); ++at) {
    const Team& team = call.arguments[at].team;
    const int parameter = callee_.parameters[at];
    if (team.kind == Team::Kind::other || !sides_.names.is_steady(parameter)) continue;
    const int outside =
        team.kind == Team::Kind::world ? TeamNames::world : team_in(caller, sides_.names, team.variable);
    const auto same =
        std::find_if(passed_.begin(), passed_.end(), [&](const auto& pair) { return pair.first == outside; });
    if (outside == TeamNames::world)
      same_teams_[parameter] = TeamNames::world;
    else if (same != passed_.end())
      same_teams_[parameter] = same->second;
    else
      passed_.emplace_back(outside, parameter);
  }
}

Agreement CallMapping::inwards(Agreement value) {
  if (value.level != Level::team) return value;
  for (const auto& [outside, inside] : passed_)
    if (value.team == outside) {
      value.team = inside;
      return value;
    }
  if (value.team >= 0 && sides_.effects.is_shared(value.team)) return value;
  auto found = std::find(unnamed_teams_.begin(), unnamed_teams_.end(), value.team);
  if (found == unnamed_teams_.end()) found = unnamed_teams_.insert(found, value.team);
  value.team = unnamed_team(static_cast<int>(found - unnamed_teams_.begin()));
  return value;
}

Agreement CallMapping::argument(std::size_t at, Agreement value) {
  if (value.holds()) return value;
  const int parameter = callee_.parameters[at];
  const auto& uses = call_.arguments[at].uses;
  origins_.arguments[parameter] = sides_.reasons.add(
      {Cause::argument, parameter, uses.empty() ? call_.at : uses.front().at, value.reason});
  value = inwards(value);
  value.reason = sides_.reasons.add({Cause::argument, parameter, {}, -1});
  return value;
}

Agreement CallMapping::control(Agreement value) {
  if (value.holds()) return value;
  origins_.called = sides_.reasons.add({Cause::called, -1, call_.at, value.reason});
  value = inwards(value);
  value.reason = sides_.reasons.add({Cause::called, -1, {}, -1});
  return value;
}

Agreement CallMapping::outwards(Agreement value) const {
  if (value.holds()) return value;
  value.reason = sides_.reasons.rebased(value.reason, origins_);
  if (value.level != Level::team) return value;
  if (value.team < 0) {
    const std::size_t number = unnamed_team_number(value.team);
    if (number >= unnamed_teams_.size()) return {Level::none, -1, value.reason};
    value.team = unnamed_teams_[number];
    return value;
  }
  for (const auto& [outside, inside] : passed_)
    if (value.team == inside) {
      value.team = outside;
      return value;
    }
  if (!sides_.effects.is_shared(value.team)) value = {Level::none, -1, value.reason};
  return value;
}

Circumstances CallMapping::circumstances(int caller) const {
  return {caller, same_teams_, unnamed_teams_, origins_};
}

}  // namespace kanor::sema

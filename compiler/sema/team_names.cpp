// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sema/team_names.hpp"

#include "sema/index.hpp"

namespace kanor::sema {
namespace {

using flow::Event;
using flow::EventKind;
using flow::Team;

}  // namespace

TeamNames::TeamNames(const flow::FlowGraph& graph)
    : namings_(graph.variables.size()), means_(graph.variables.size(), Team{Team::Kind::other, -1}) {
  const auto name = [&](int variable, const Team& team) {
    if (graph.variables[index(variable)].kind != flow::VariableKind::team) return;
    ++namings_[index(variable)];
    means_[index(variable)] = team;
  };
  const Team other{Team::Kind::other, -1};
  for (const auto& function : graph.functions)
    for (const auto& node : function.nodes)
      for (const Event& event : node.events) {
        flow::for_each_changed(event, [&](int variable) {
          name(variable, event.kind == EventKind::overwrite ? event.team : other);
        });
        for (const int result : event.results) name(result, other);
        for (const auto& argument : event.arguments)
          for (const int target : argument.variables) name(target, other);
      }
  for (std::size_t at = 0; at < graph.variables.size(); ++at)
    if (graph.variables[at].other_files) ++namings_[at], means_[at] = other;
}

int TeamNames::root(int variable) const {
  // Each step leads to another variable; should they lead in a circle, none of them says anything.
  for (std::size_t steps = 0; steps < means_.size(); ++steps) {
    const Team& team = means_[index(variable)];
    if (namings_[index(variable)] != 1 || team.kind == Team::Kind::other) return variable;
    if (team.kind == Team::Kind::world) return world;
    // Another name for what is named anew now and then is none for one team.
    if (namings_[index(team.variable)] > 1) return variable;
    variable = team.variable;
  }
  return variable;
}

}  // namespace kanor::sema

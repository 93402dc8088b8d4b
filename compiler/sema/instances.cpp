// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sema/instances.hpp"

#include <tuple>
#include <utility>

namespace kanor::sema {
namespace {

/// The number of instances of one function from which on further patterns are merged into the last.
constexpr std::size_t most_instances = 16;

auto pattern_of(const std::vector<Agreement>& arrivals, const Agreement& control,
                const std::map<int, int>& same_teams) {
  std::vector<std::pair<Agreement::Level, int>> levels{{control.level, control.team}};
  for (const auto& one : arrivals) levels.emplace_back(one.level, one.team);
  return std::pair(std::move(levels), same_teams);
}

/// The agreement for callers with other unnamed teams.
Agreement without_unnamed_teams(const Agreement& value) {
  const bool is_strange = value.level == Agreement::Level::team && value.team < 0;
  return is_strange ? Agreement{Agreement::Level::none, -1, value.reason} : value;
}

/// Keeps the pairs that are in both maps. Returns true if `teams` changed.
bool keep_common(std::map<int, int>& teams, const std::map<int, int>& others) {
  return std::erase_if(teams, [&](const auto& pair) {
           const auto found = others.find(pair.first);
           return found == others.end() || found->second != pair.second;
         }) > 0;
}

}  // namespace

int Instances::find(int function, const std::vector<Agreement>& arrivals, const Agreement& control,
                    Circumstances circumstances, bool& changed) {
  auto& known = by_function_[function];
  const auto wanted = pattern_of(arrivals, control, circumstances.same_teams);
  for (const int at : known) {
    const Instance& instance = (*this)[at];
    if (pattern_of(instance.arrivals, instance.control, instance.circumstances.same_teams) == wanted)
      return at;
  }
  if (known.size() < most_instances) {
    changed = true;
    known.push_back(count());
    const flow::Function& of = graph_.functions[static_cast<std::size_t>(function)];
    Instance& instance = all_.emplace_back();
    instance.function = function;
    instance.arrivals = arrivals;
    instance.control = control;
    instance.circumstances = std::move(circumstances);
    instance.branches.resize(of.nodes.size());
    instance.departures.resize(of.parameters.size());
    instance.results.resize(of.results.size());
    return known.back();
  }
  Instance& last = (*this)[known.back()];
  for (std::size_t at = 0; at < arrivals.size(); ++at) {
    changed |= weaken(last.arrivals[at], without_unnamed_teams(arrivals[at]));
    changed |= weaken(last.arrivals[at], without_unnamed_teams(last.arrivals[at]));
  }
  changed |= weaken(last.control, without_unnamed_teams(control));
  changed |= weaken(last.control, without_unnamed_teams(last.control));
  changed |= keep_common(last.circumstances.same_teams, circumstances.same_teams);
  // Where a parameter agrees for the first caller, a later one has the reason why it does not for all.
  for (const auto& [parameter, reason] : circumstances.origins.arguments)
    last.circumstances.origins.arguments.emplace(parameter, reason);
  return known.back();
}

}  // namespace kanor::sema

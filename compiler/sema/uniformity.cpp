// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sema/uniformity.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "flow/solver.hpp"
#include "sema/call_mapping.hpp"
#include "sema/effects.hpp"
#include "sema/index.hpp"
#include "sema/instances.hpp"
#include "sema/merged_blocks.hpp"
#include "sema/team_names.hpp"

namespace kanor::sema {
namespace {

using flow::Event;
using flow::EventKind;
using flow::FlowGraph;
using flow::Function;
using flow::Location;
using flow::Unknown;
using flow::Use;
using flow::Uses;
using flow::VariableKind;
using Level = Agreement::Level;
/// Agreements by variable. Variables that agree everywhere are left out, and those that the function does not
/// name any more, which would only be copied from node to node.
using State = std::map<int, Agreement>;

class Analysis {
 public:
  explicit Analysis(const FlowGraph& graph)
      : graph_(graph), effects_(graph), names_(graph), instances_(graph), summary_(graph.variables.size()) {}

  Uniformity run() {
    for (const Function& function : graph_.functions)
      for (const auto& node : function.nodes)
        for (const Event& event : node.events)
          if (event.kind == EventKind::receive) received_.insert(event.variable);
    for (std::size_t at = 0; at < graph_.variables.size(); ++at)
      if (graph_.variables[at].other_files)
        shrink(summary_[at], {Level::none, -1, reason(Cause::other_file, static_cast<int>(at))});
    add_roots();
    do {
      changed_ = false;
      for (int at = 0; at < instances_.count(); ++at) solve(at);
    } while (changed_);
    judging_ = true;
    for (int at = 0; at < instances_.count(); ++at) solve(at);
    return {reasons_.take(), merged_.take(), std::move(received_)};
  }

 private:
  friend struct Problem;

  const flow::Variable& variable(int at) const { return graph_.variables[index(at)]; }

  int reason(Cause cause, int variable, Location at = {}, int because = -1) {
    return reasons_.add({cause, variable, at, because});
  }

  void shrink(Agreement& into, const Agreement& by) { changed_ |= weaken(into, by); }

  // ---- who calls what with which arguments

  /// Adds an instance for each function without a visible caller, with arguments that agree, and for each
  /// that unseen code may call.
  void add_roots() {
    std::vector<bool> called(graph_.functions.size());
    for (const Function& function : graph_.functions)
      for (const auto& node : function.nodes)
        for (const Event& event : node.events)
          if (event.callee >= 0) called[index(event.callee)] = true;
    for (std::size_t at = 0; at < graph_.functions.size(); ++at) {
      const Function& function = graph_.functions[at];
      std::vector<Agreement> arrivals(function.parameters.size());
      const bool is_called_unseen = function.other_callers != flow::OtherCallers::none;
      if (is_called_unseen)
        for (std::size_t parameter = 0; parameter < arrivals.size(); ++parameter)
          if (const int which = function.parameters[parameter]; !is_exempt(which))
            arrivals[parameter] = {Level::none, -1, reason(Cause::other_caller, which)};
      if (is_called_unseen || !called[at]) instances_.find(static_cast<int>(at), arrivals, {}, {}, changed_);
    }
  }

  bool is_exempt(int which) const {
    return variable(which).is_uniform || variable(which).kind == VariableKind::team;
  }

  // ---- one function

  struct Problem {
    Analysis& analysis;
    int at;

    State entry() { return analysis.entry(at); }
    void transfer(int node, State& state) {
      analysis.transfer(at, node, state);
      const int function = analysis.instances_[at].function;
      std::erase_if(state, [&](const auto& one) {
        return !analysis.effects_.is_needed_behind(function, node, one.first);
      });
    }
    bool merge(State& into, const State& from) {
      bool changed = false;
      for (const auto& [variable, agreement] : from) changed |= weaken(into[variable], agreement);
      return changed;
    }
  };

  State entry(int at) {
    const Instance& instance = instances_[at];
    const Function& function = graph_.functions[index(instance.function)];
    State state;
    for (std::size_t parameter = 0; parameter < function.parameters.size(); ++parameter) {
      const int which = function.parameters[parameter];
      if (!instance.arrivals[parameter].holds()) state[which] = instance.arrivals[parameter];
      if (effects_.is_shared(which)) share(at, which, instance.arrivals[parameter]);
    }
    for (const int which : effects_.named(instance.function))
      if (effects_.is_shared(which) && !summary_[index(which)].holds() &&
          variable(which).function != instance.function)
        state[which] = summary_[index(which)];
    return state;
  }

  void solve(int at) {
    const Function& function = graph_.functions[index(instances_[at].function)];
    Problem problem{*this, at};
    std::vector<std::optional<State>> states;
    for (bool again = true; again;) {
      again = false;
      const bool judging = judging_;
      judging_ = false;
      states = flow::solve_forward<State>(function, problem);
      judging_ = judging;
      for (std::size_t node = 0; node < states.size(); ++node) {
        if (!states[node]) continue;
        State end = *states[node];
        transfer(at, static_cast<int>(node), end);
        if (function.nodes[node].successors.size() > 1)
          again |= weaken(instances_[at].branches[node], agreement(at, function.nodes[node].condition, end));
      }
      changed_ |= again;
    }
    const auto& last = states[index(function.exit)];
    if (!last) return;
    State end = *last;
    judging_ ? void() : transfer(at, function.exit, end);
    Instance& instance = instances_[at];
    for (std::size_t parameter = 0; parameter < function.parameters.size(); ++parameter)
      shrink(instance.departures[parameter], of(function.parameters[parameter], end));
    for (std::size_t result = 0; result < function.results.size(); ++result)
      shrink(instance.results[result], function.is_uniform ? Agreement{} : of(function.results[result], end));
  }

  /// The agreement of the ranks of the instance's callers on whether the node is reached.
  Agreement reached(int at, int node) {
    const Instance& instance = instances_[at];
    Agreement result = instance.control;
    for (std::size_t branch = 0; branch < instance.branches.size(); ++branch) {
      if (instance.branches[branch].holds()) continue;
      const auto& nodes = effects_.influence(instance.function, static_cast<int>(branch)).nodes;
      if (!std::binary_search(nodes.begin(), nodes.end(), node)) continue;
      weaken(result, behind_branch(instance, static_cast<int>(branch), -1));
    }
    return result;
  }

  Agreement behind_branch(const Instance& instance, int branch, int variable) {
    Agreement result = instance.branches[index(branch)];
    const auto& node = graph_.functions[index(instance.function)].nodes[index(branch)];
    result.reason = reason(Cause::branch, variable, node.condition_at, result.reason);
    return result;
  }

  void transfer(int at, int node, State& state) {
    const int function_index = instances_[at].function;
    const Function& function = graph_.functions[index(function_index)];
    for (std::size_t branch = 0; branch < instances_[at].branches.size(); ++branch) {
      if (instances_[at].branches[branch].holds()) continue;
      const auto& joins = effects_.influence(function_index, static_cast<int>(branch)).joins;
      if (!std::binary_search(joins.begin(), joins.end(), node)) continue;
      for (const int variable : effects_.assigned_under(function_index, static_cast<int>(branch)))
        meet(at, node, variable, static_cast<int>(branch), state);
    }
    const auto& events = function.nodes[index(node)].events;
    for (const Event& event : events) {
      switch (event.kind) {
        case EventKind::overwrite:
        case EventKind::receive:
          change(at, event, Cause::assigned, true, state);
          break;
        case EventKind::write:
          change(at, event, Cause::written, false, state);
          break;
        case EventKind::call:
          event.callee < 0 ? call_unseen(function_index, event.at, state) : call(at, node, event, state);
          break;
        case EventKind::block:
        case EventKind::split:
          if (judging_) judge(at, node, event, state);
          break;
      }
    }
  }

  /// Joins, behind a branch, ranks that have assigned the variable with others that have not.
  void meet(int at, int node, int variable, int branch, State& state) {
    if (this->variable(variable).is_uniform) return;
    const bool is_named = effects_.is_named(instances_[at].function, variable);
    if (is_worst(variable) && (!is_named || differs(variable, state))) return;
    const Agreement value = behind_branch(instances_[at], branch, variable);
    if (is_named) weaken(state[variable], value);
    if (effects_.is_shared(variable) && !effects_.is_gone(instances_[at].function, variable, node))
      share(at, variable, value);
  }

  void change(int at, const Event& event, Cause cause, bool whole, State& state) {
    const Agreement value = agreement(at, event.uses, state);
    flow::for_each_changed(event, [&](int variable) {
      if (this->variable(variable).kind == VariableKind::team && names_.is_alias(variable)) return;
      if (!whole && says_nothing_new(value, variable, state)) return;
      Agreement explained = value;
      if (!value.holds()) explained.reason = reason(cause, variable, event.at, value.reason);
      assign(at, variable, explained, whole, state);
    });
  }

  // Reasons are many, and each is looked up: none is made where it would explain nothing.

  bool differs(int variable, const State& state) const {
    const auto found = state.find(variable);
    return found != state.end() && found->second.level == Level::none;
  }

  /// Returns true if no other function touches the variable, or its summary is at the bottom already.
  bool is_worst(int variable) const {
    return !effects_.is_shared(variable) || summary_[index(variable)].level == Level::none;
  }

  /// Returns true if a partial write of the variable cannot lower its agreement or improve the reason.
  bool says_nothing_new(const Agreement& value, int variable, const State& state) const {
    if (value.holds() || !is_worst(variable) || !differs(variable, state)) return false;
    return this->variable(variable).kind != VariableKind::local ||
           reasons_[value.reason].cause != Cause::call;
  }

  void assign(int at, int variable, const Agreement& value, bool whole, State& state) {
    if (this->variable(variable).is_uniform) return;
    if (this->variable(variable).kind == VariableKind::team) return rename_team(variable, value, state);
    if (effects_.is_shared(variable)) {
      share(at, variable, value);
      // All objects' members are one variable: no assignment reaches all of it.
      if (this->variable(variable).kind == VariableKind::member) whole = false;
    }
    if (whole || is_made_by_unseen(variable, value))
      state[variable] = value;
    else
      weaken(state[variable], value);
  }

  /// Returns true if unseen code makes the value of a local object: that is a better reason than what other
  /// objects of its class hold.
  bool is_made_by_unseen(int variable, const Agreement& value) const {
    if (value.level != Level::none || this->variable(variable).kind != VariableKind::local) return false;
    const int because = reasons_[value.reason].because;
    return because >= 0 && reasons_[because].cause == Cause::call;
  }

  /// Adds the value to the summary of a shared variable, which other functions see.
  void share(int at, int variable, Agreement value) {
    if (value.holds()) return;
    if (value.team < TeamNames::world) value = {Level::none, -1, value.reason};
    value.reason = concrete(value.reason, at);
    shrink(summary_[index(variable)], value);
  }

  /// Drops the agreements within the team that a variable denoted, as it denotes another one now.
  void rename_team(int team, const Agreement& value, State& state) {
    const int why = reason(Cause::team_size, team, variable(team).declared, value.reason);
    for (auto& [variable, agreement] : state)
      if (agreement.level == Level::team && agreement.team == team) agreement = {Level::none, -1, why};
  }

  void call_unseen(int function, const Location& here, State& state) {
    for (const int at : effects_.named(function)) {
      const auto& variable = this->variable(at);
      if (differs(at, state)) continue;
      if (effects_.called_back().contains(at)) weaken(state[at], summary_[index(at)]);
      if ((variable.other_files || variable.escapes) && !variable.is_uniform)
        weaken(state[at], {Level::none, -1, reason(Cause::written, at, here, reason(Cause::call, -1, here))});
    }
  }

  void call(int caller, int node, const Event& event, State& state) {
    const Function& callee = graph_.functions[index(event.callee)];
    CallMapping mapping(sides_, instances_[caller], event);
    std::vector<Agreement> arrivals;
    for (std::size_t at = 0; at < event.arguments.size(); ++at)
      arrivals.push_back(is_exempt(callee.parameters[at])
                             ? Agreement{}
                             : mapping.argument(at, agreement(caller, event.arguments[at].uses, state)));
    const bool matters = effects_.has_blocks(event.callee);
    const Agreement control = matters ? mapping.control(reached(caller, node)) : Agreement{};
    const int at = instances_.find(event.callee, arrivals, control, mapping.circumstances(caller), changed_);
    if (!control.holds()) prefer_seen_callers(at, mapping.circumstances(caller));
    const int function = instances_[caller].function;
    for (const int named : effects_.named(function))
      if (effects_.changes(event.callee).contains(named)) weaken(state[named], summary_[index(named)]);
    if (effects_.calls_unseen(event.callee)) call_unseen(function, event.at, state);
    for (std::size_t argument = 0; argument < event.arguments.size(); ++argument) {
      if (event.arguments[argument].variables.empty()) continue;
      const Agreement departure = mapping.outwards(instances_[at].departures[argument]);
      const bool is_all = is_replaced(event, argument);
      for (const int target : event.arguments[argument].variables) {
        if (!is_all && says_nothing_new(departure, target, state)) continue;
        Agreement after = departure;
        if (!after.holds()) after.reason = reason(Cause::written, target, event.at, after.reason);
        assign(caller, target, after, is_all, state);
      }
    }
    for (std::size_t result = 0; result < event.results.size(); ++result) {
      Agreement value = mapping.outwards(instances_[at].results[result]);
      if (!value.holds())
        value.reason = reason(Cause::returned, event.results[result], event.at, value.reason);
      assign(caller, event.results[result], value, true, state);
    }
  }

  /// Of an instance that some ranks may not reach, a caller that is seen to be reached by some ranks only
  /// says more than one of which nothing is known.
  void prefer_seen_callers(int at, Circumstances other) {
    Circumstances& known = instances_[at].circumstances;
    if (known.caller == other.caller || known.same_teams != other.same_teams) return;
    if (!has_unseen_callers(known) || has_unseen_callers(other)) return;
    // The callers of callers end.
    for (int caller = other.caller; caller >= 0; caller = instances_[caller].circumstances.caller)
      if (caller == at) return;
    known = std::move(other);
  }

  bool has_unseen_callers(const Circumstances& here) {
    if (here.origins.called < 0) return true;
    return reasons_.first(concrete(here.origins.called, here.caller)).cause == Cause::other_caller;
  }

  /// Returns true if the parameter alone decides the object's value after the call: it stands for all of it,
  /// and the function reaches it in no other way.
  bool is_replaced(const Event& call, std::size_t argument) const {
    const auto& given = call.arguments[argument];
    if (!given.is_whole || effects_.is_shared(given.variables.front())) return false;
    const auto refers_to_it = [&](const flow::Argument& other) {
      const auto& all = other.variables;
      return std::find(all.begin(), all.end(), given.variables.front()) != all.end();
    };
    return std::count_if(call.arguments.begin(), call.arguments.end(), refers_to_it) == 1;
  }

  // ---- what is said outside of the function

  /// The reason extended by those behind the function's call, if its chain ends at the function's entry.
  int concrete(int reason, int at) {
    const Circumstances& here = instances_[at].circumstances;
    const Reason& first = reasons_.first(reason);
    if (first.at.source != nullptr || here.caller < 0) return reason;
    Origins origins;
    if (const auto found = here.origins.arguments.find(first.variable);
        first.cause == Cause::argument && found != here.origins.arguments.end())
      origins.arguments[first.variable] = concrete(found->second, here.caller);
    if (first.cause == Cause::called && here.origins.called >= 0)
      origins.called = concrete(here.origins.called, here.caller);
    return reasons_.rebased(reason, origins);
  }

  Agreement for_the_reader(Agreement value, int at) {
    if (value.holds()) return value;
    value.reason = concrete(value.reason, at);
    while (value.level == Level::team && value.team < TeamNames::world) {
      const Circumstances& here = instances_[at].circumstances;
      const std::size_t number = unnamed_team_number(value.team);
      if (number >= here.unnamed_teams.size()) return {Level::none, -1, value.reason};
      value.team = here.unnamed_teams[number];
      at = here.caller;
    }
    return value;
  }

  void judge(int at, int node, const Event& event, const State& state) {
    std::optional<int> team;
    if (event.team.kind == flow::Team::Kind::world) team = TeamNames::world;
    if (event.team.kind == flow::Team::Kind::variable)
      team = team_in(instances_[at], names_, event.team.variable);
    merged_.add(event, {reached(at, node), team, [&](const Use& use) { return agreement(at, use, state); },
                        [&](const Agreement& value) { return for_the_reader(value, at); }});
  }

  // ---- values

  Agreement of(int which, const State& state) const {
    if (variable(which).is_uniform || variable(which).kind == VariableKind::team) return {};
    Agreement result;
    if (const auto found = state.find(which); found != state.end()) result = found->second;
    if (variable(which).kind == VariableKind::member) weaken(result, summary_[index(which)]);
    return result;
  }

  /// Returns true if code that is not seen may have made what a parameter or another file's variable holds.
  bool is_made_unseen(const Agreement& value) const {
    const Cause cause = reasons_.first(value.reason).cause;
    return cause == Cause::other_caller || cause == Cause::other_file;
  }

  Agreement agreement(int at, const Use& use, const State& state) {
    switch (use.unknown) {
      case Unknown::no:
        break;
      case Unknown::rank:
        return {Level::none, -1, reason(Cause::rank, -1, use.at)};
      case Unknown::team_size:
        if (const int team = team_in(instances_[at], names_, use.variable); team != TeamNames::world)
          return {Level::team, team, reason(Cause::team_size, use.variable, use.at)};
        return {};
      case Unknown::address:
        return {Level::none, -1, reason(Cause::address, -1, use.at)};
      case Unknown::call:
        return {Level::none, -1, reason(Cause::call, -1, use.at)};
      case Unknown::memory:
        return {Level::none, -1, reason(Cause::memory, -1, use.at)};
      case Unknown::received:
        return {Level::none, -1, reason(Cause::received, -1, use.at)};
      case Unknown::exception:
        return {Level::none, -1, reason(Cause::exception, -1, use.at)};
      case Unknown::undefined:
        return {Level::none, -1, reason(Cause::undefined, -1, use.at)};
    }
    const Agreement first = of(use.variable, state);
    if (use.also < 0) return first;
    const Agreement second = of(use.also, state);
    if (!second.holds() && is_made_unseen(second)) return second;
    if (first.level != second.level) return first.level < second.level ? first : second;
    // What code that is not seen makes of this very object is no guess about its class.
    if (!first.holds() && !second.holds() && reasons_.first(second.reason).cause == Cause::call)
      return second;
    // What happens to an object that a block replaces says more than what does to some object of its class.
    return received_.contains(use.also) ? second : first;
  }

  Agreement agreement(int at, const Uses& uses, const State& state) {
    Agreement result;
    for (const Use& use : uses) {
      weaken(result, agreement(at, use, state));
      if (result.level == Level::none) break;  // nothing is worse
    }
    return result;
  }

  const FlowGraph& graph_;
  Effects effects_;
  TeamNames names_;
  Instances instances_;
  MergedBlocks merged_;
  Reasons reasons_;
  const CallMapping::Sides sides_{graph_, effects_, names_, reasons_};
  std::set<int> received_;          ///< see Uniformity
  std::vector<Agreement> summary_;  ///< of shared variables: all that is ever assigned
  bool changed_ = false, judging_ = false;
};

}  // namespace

Uniformity find_uniformity(const FlowGraph& graph) { return Analysis(graph).run(); }

}  // namespace kanor::sema

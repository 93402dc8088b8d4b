#include "sema/uniformity.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "flow/shape.hpp"
#include "flow/solver.hpp"

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
using State = std::map<int, Agreement>;  ///< by variable; those that agree everywhere are left out

std::size_t index(int at) { return static_cast<std::size_t>(at); }

/// Every reason once.
class Reasons {
 public:
  int add(const Reason& reason) {
    const auto key = std::tuple(reason.cause, reason.variable, reason.at.source, reason.at.span.begin,
                                reason.at.span.end, reason.because);
    const auto [found, is_new] = known_.try_emplace(key, static_cast<int>(all_.size()));
    if (is_new) all_.push_back(reason);
    return found->second;
  }
  std::vector<Reason> take() { return std::move(all_); }

 private:
  std::vector<Reason> all_;
  std::map<std::tuple<Cause, int, const text::Source*, std::uint32_t, std::uint32_t, int>, int> known_;
};

/// Both at once; the first one's reason stays unless the second is worse. True if `into` changed.
bool weaken(Agreement& into, const Agreement& by) {
  if (by.level == Level::all || into.level == Level::none) return false;
  if (into.level == Level::team && by.level == Level::team) {
    if (into.team == by.team) return false;
    into = {Level::none, -1, by.reason};
    return true;
  }
  if (by.level <= into.level) return false;
  into = by;
  return true;
}

/// What follows from a function's text, whoever calls it.
struct Body {
  flow::Edges edges;
  std::vector<int> post_dominators;
  std::map<int, flow::Influence> influences;  ///< by branch, once asked for
  std::map<int, std::vector<int>> assigned;   ///< what is assigned under the influence of a branch
  std::set<int> changes;                      ///< shared variables that it or what it calls may write
  bool calls_unseen = false;                  ///< it, or what it calls
};

/// A function with one pattern of arguments.
struct Instance {
  int function = 0;
  std::vector<Agreement> arrivals;  ///< of its parameters
  Agreement control;                ///< whether all ranks call it
  std::vector<Agreement> branches;  ///< conditions, by node
  std::vector<Agreement> departures, results;
};

class Analysis {
 public:
  explicit Analysis(const FlowGraph& graph)
      : graph_(graph), shared_(graph.variables.size()), summary_(graph.variables.size()) {}

  Uniformity run() {
    find_shared();
    for (const Function& function : graph_.functions) bodies_.push_back(body_of(function));
    find_changes();
    for (std::size_t at = 0; at < graph_.variables.size(); ++at)
      if (graph_.variables[at].other_files)
        shrink(summary_[at], {Level::none, -1, reason(Cause::other_file, static_cast<int>(at))});
    add_roots();
    do {
      changed_ = false;
      for (std::size_t at = 0; at < instances_.size(); ++at) solve(static_cast<int>(at));
    } while (changed_);
    judging_ = true;
    for (std::size_t at = 0; at < instances_.size(); ++at) solve(static_cast<int>(at));
    in_order_of_text();
    result_.reasons = reasons_.take();
    return std::move(result_);
  }

 private:
  friend struct Problem;
  static constexpr std::size_t most_instances = 8;  ///< of one function, before patterns are thrown together

  const flow::Variable& variable(int at) const { return graph_.variables[index(at)]; }

  int reason(Cause cause, int variable, Location at = {}, int because = -1) {
    return reasons_.add({cause, variable, at, because});
  }

  void shrink(Agreement& into, const Agreement& by) { changed_ |= weaken(into, by); }

  void in_order_of_text() {
    std::vector<const text::Source*> sources;
    for (const JudgedBlock& block : result_.blocks)
      if (std::find(sources.begin(), sources.end(), block.at.source) == sources.end())
        sources.push_back(block.at.source);
    const auto place = [&](const JudgedBlock& block) {
      return std::pair(std::find(sources.begin(), sources.end(), block.at.source), block.at.span.begin);
    };
    std::stable_sort(result_.blocks.begin(), result_.blocks.end(),
                     [&](const JudgedBlock& a, const JudgedBlock& b) { return place(a) < place(b); });
  }

  // ---- what functions share

  void find_shared() {
    std::vector<int> owner(graph_.variables.size(), -1);
    const auto touch = [&](int variable, int function) {
      if (variable < 0) return;
      int& of = owner[index(variable)];
      if (of >= 0 && of != function) shared_[index(variable)] = true;
      of = function;
    };
    for (std::size_t at = 0; at < graph_.functions.size(); ++at) {
      const auto uses = [&](const Uses& all) {
        for (const Use& use : all)
          touch(use.variable, static_cast<int>(at)), touch(use.also, static_cast<int>(at));
      };
      for (const auto& node : graph_.functions[at].nodes) {
        uses(node.condition);
        for (const Event& event : node.events) {
          touch(event.variable, static_cast<int>(at));
          uses(event.uses);
          for (const auto& argument : event.arguments) {
            uses(argument.uses);
            for (const int target : argument.variables) touch(target, static_cast<int>(at));
          }
          for (const auto& judged : event.judged) uses(judged.uses);
        }
      }
    }
    for (std::size_t at = 0; at < graph_.variables.size(); ++at) {
      const auto kind = graph_.variables[at].kind;
      if (kind == VariableKind::global || kind == VariableKind::member) shared_[at] = true;
    }
  }

  Body body_of(const Function& function) const {
    Body body;
    body.edges = flow::successors(function);
    body.post_dominators = flow::immediate_dominators(flow::reversed(body.edges), function.exit);
    for (const auto& node : function.nodes)
      for (const Event& event : node.events) {
        if (event.kind == EventKind::call && event.callee < 0) body.calls_unseen = true;
        for_each_changed(event, [&](int variable) {
          if (shared_[index(variable)]) body.changes.insert(variable);
        });
      }
    return body;
  }

  template <typename Do>
  static void for_each_changed(const Event& event, Do&& act) {
    if (event.kind != EventKind::block && event.kind != EventKind::call) act(event.variable);
    for (const int result : event.results) act(result);
    for (const auto& argument : event.arguments)
      for (const int target : argument.variables) act(target);
  }

  /// Code that is not seen may call back what it has been given.
  void find_changes() {
    for (bool grows = true; grows;) {
      grows = false;
      std::set<int> unseen;
      for (std::size_t at = 0; at < bodies_.size(); ++at)
        if (graph_.functions[at].called_elsewhere)
          unseen.insert(bodies_[at].changes.begin(), bodies_[at].changes.end());
      for (std::size_t at = 0; at < bodies_.size(); ++at) {
        Body& body = bodies_[at];
        const auto before = body.changes.size() + (body.calls_unseen ? 1 : 0);
        for (const auto& node : graph_.functions[at].nodes)
          for (const Event& event : node.events) {
            if (event.kind != EventKind::call) continue;
            if (event.callee >= 0) {
              const Body& callee = bodies_[index(event.callee)];
              body.changes.insert(callee.changes.begin(), callee.changes.end());
              body.calls_unseen |= callee.calls_unseen;
            } else {
              body.changes.insert(unseen.begin(), unseen.end());
            }
          }
        grows |= before != body.changes.size() + (body.calls_unseen ? 1 : 0);
      }
      called_back_ = std::move(unseen);
    }
  }

  // ---- who calls what with which arguments

  /// Functions that nobody is seen to call are looked at too, with arguments that agree.
  void add_roots() {
    std::vector<bool> called(graph_.functions.size());
    for (const Function& function : graph_.functions)
      for (const auto& node : function.nodes)
        for (const Event& event : node.events)
          if (event.callee >= 0) called[index(event.callee)] = true;
    for (std::size_t at = 0; at < graph_.functions.size(); ++at) {
      const Function& function = graph_.functions[at];
      std::vector<Agreement> arrivals(function.parameters.size());
      if (function.called_elsewhere)
        for (std::size_t parameter = 0; parameter < arrivals.size(); ++parameter)
          if (const int which = function.parameters[parameter]; !is_exempt(which))
            arrivals[parameter] = {Level::none, -1, reason(Cause::other_caller, which)};
      if (function.called_elsewhere || !called[at]) instance_of(static_cast<int>(at), arrivals, {});
    }
  }

  bool is_exempt(int which) const {
    return variable(which).is_uniform || variable(which).kind == VariableKind::team;
  }

  int instance_of(int function, const std::vector<Agreement>& arrivals, const Agreement& control) {
    const auto pattern_of = [](const std::vector<Agreement>& all, const Agreement& reached) {
      std::vector<std::pair<Level, int>> pattern{{reached.level, reached.team}};
      for (const auto& one : all) pattern.emplace_back(one.level, one.team);
      return pattern;
    };
    auto& known = by_function_[function];
    const auto wanted = pattern_of(arrivals, control);
    for (const int at : known) {
      const Instance& instance = instances_[index(at)];
      if (pattern_of(instance.arrivals, instance.control) == wanted) return at;
    }
    if (known.size() < most_instances) {
      changed_ = true;
      known.push_back(static_cast<int>(instances_.size()));
      Instance instance;
      instance.function = function;
      instance.arrivals = arrivals;
      instance.control = control;
      const Function& of = graph_.functions[index(function)];
      instance.branches.resize(of.nodes.size());
      instance.departures.resize(of.parameters.size());
      instance.results.resize(of.results.size());
      instances_.push_back(std::move(instance));
      return known.back();
    }
    Instance& last = instances_[index(known.back())];
    for (std::size_t at = 0; at < arrivals.size(); ++at) shrink(last.arrivals[at], arrivals[at]);
    shrink(last.control, control);
    return known.back();
  }

  // ---- one function

  const flow::Influence& influence_of(Body& body, int branch) const {
    auto found = body.influences.find(branch);
    if (found == body.influences.end())
      found =
          body.influences.emplace(branch, flow::influence(body.edges, branch, body.post_dominators)).first;
    return found->second;
  }

  const std::vector<int>& assigned_under(const Function& function, Body& body, int branch) const {
    auto [found, is_new] = body.assigned.try_emplace(branch);
    if (is_new) {
      std::set<int> all;
      for (const int at : influence_of(body, branch).nodes)
        for (const Event& event : function.nodes[index(at)].events) {
          for_each_changed(event, [&](int variable) { all.insert(variable); });
          if (event.kind == EventKind::call && event.callee >= 0) {
            const auto& changes = bodies_[index(event.callee)].changes;
            all.insert(changes.begin(), changes.end());
          }
        }
      found->second.assign(all.begin(), all.end());
    }
    return found->second;
  }

  struct Problem {
    Analysis& analysis;
    int at;

    State entry() { return analysis.entry(at); }
    void transfer(int node, State& state) { analysis.transfer(at, node, state); }
    bool merge(State& into, const State& from) {
      bool changed = false;
      for (const auto& [variable, agreement] : from) changed |= weaken(into[variable], agreement);
      return changed;
    }
  };

  State entry(int at) {
    const Instance& instance = instances_[index(at)];
    const Function& function = graph_.functions[index(instance.function)];
    State state;
    for (std::size_t parameter = 0; parameter < function.parameters.size(); ++parameter) {
      const int which = function.parameters[parameter];
      if (!instance.arrivals[parameter].holds()) state[which] = instance.arrivals[parameter];
      if (shared_[index(which)]) shrink(summary_[index(which)], instance.arrivals[parameter]);
    }
    for (std::size_t which = 0; which < shared_.size(); ++which)
      if (shared_[which] && !summary_[which].holds() && graph_.variables[which].function != instance.function)
        state[static_cast<int>(which)] = summary_[which];
    return state;
  }

  void solve(int at) {
    const Function& function = graph_.functions[index(instances_[index(at)].function)];
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
          again |=
              weaken(instances_[index(at)].branches[node], agreement(function.nodes[node].condition, end));
      }
      changed_ |= again;
    }
    const auto& last = states[index(function.exit)];
    if (!last) return;
    State end = *last;
    judging_ ? void() : transfer(at, function.exit, end);
    Instance& instance = instances_[index(at)];
    for (std::size_t parameter = 0; parameter < function.parameters.size(); ++parameter)
      shrink(instance.departures[parameter], of(function.parameters[parameter], end));
    for (std::size_t result = 0; result < function.results.size(); ++result)
      shrink(instance.results[result], function.is_uniform ? Agreement{} : of(function.results[result], end));
  }

  /// Whether all ranks of the instance's callers reach the node.
  Agreement reached(int at, int node) {
    const Instance& instance = instances_[index(at)];
    Body& body = bodies_[index(instance.function)];
    Agreement result = instance.control;
    for (std::size_t branch = 0; branch < instance.branches.size(); ++branch) {
      if (instance.branches[branch].holds()) continue;
      const auto& nodes = influence_of(body, static_cast<int>(branch)).nodes;
      if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) continue;
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
    const int function_index = instances_[index(at)].function;
    const Function& function = graph_.functions[index(function_index)];
    Body& body = bodies_[index(function_index)];
    for (std::size_t branch = 0; branch < instances_[index(at)].branches.size(); ++branch) {
      if (instances_[index(at)].branches[branch].holds()) continue;
      const auto& joins = influence_of(body, static_cast<int>(branch)).joins;
      if (std::find(joins.begin(), joins.end(), node) == joins.end()) continue;
      for (const int variable : assigned_under(function, body, static_cast<int>(branch)))
        if (!this->variable(variable).is_uniform)
          weaken(state[variable], behind_branch(instances_[index(at)], static_cast<int>(branch), variable));
    }
    const auto& events = function.nodes[index(node)].events;
    if (events.empty()) return;
    const Agreement control = reached(at, node);
    for (const Event& event : events) {
      switch (event.kind) {
        case EventKind::overwrite:
        case EventKind::receive:
          assign(event.variable, explained(event, agreement(event.uses, state), Cause::assigned), true,
                 control, state);
          break;
        case EventKind::write:
          assign(event.variable, explained(event, agreement(event.uses, state), Cause::written), false,
                 control, state);
          break;
        case EventKind::call:
          call(event, control, state);
          break;
        case EventKind::block:
          if (judging_) judge(event, control, state);
          break;
      }
    }
  }

  Agreement explained(const Event& event, Agreement value, Cause cause) {
    if (!value.holds()) value.reason = reason(cause, event.variable, event.at, value.reason);
    return value;
  }

  void assign(int variable, Agreement value, bool whole, const Agreement& control, State& state) {
    if (this->variable(variable).is_uniform) return;
    if (this->variable(variable).kind == VariableKind::team) return rename_team(variable, value, state);
    if (shared_[index(variable)]) {
      shrink(summary_[index(variable)], value);
      if (!control.holds()) shrink(summary_[index(variable)], control);
      // All objects' members are one variable: no assignment reaches all of it.
      if (this->variable(variable).kind == VariableKind::member) whole = false;
    }
    if (whole)
      state[variable] = value;
    else
      weaken(state[variable], value);
  }

  /// What was said within the team that a variable named says nothing of the next one.
  void rename_team(int team, const Agreement& value, State& state) {
    const int why = reason(Cause::team_size, team, variable(team).declared, value.reason);
    for (auto& [variable, agreement] : state)
      if (agreement.level == Level::team && agreement.team == team) agreement = {Level::none, -1, why};
  }

  void call(const Event& event, const Agreement& control, State& state) {
    if (event.callee < 0) {
      for (auto& [variable, agreement] : state)
        if (called_back_.contains(variable)) weaken(agreement, summary_[index(variable)]);
      for (std::size_t which = 0; which < graph_.variables.size(); ++which) {
        const auto& variable = graph_.variables[which];
        const int at = static_cast<int>(which);
        if (called_back_.contains(at)) weaken(state[at], summary_[which]);
        if ((variable.other_files || variable.escapes) && !variable.is_uniform)
          weaken(state[at],
                 {Level::none, -1, reason(Cause::written, at, event.at, reason(Cause::call, -1, event.at))});
      }
      return;
    }
    const Function& callee = graph_.functions[index(event.callee)];
    const auto teams = passed_teams(event, callee);
    std::vector<Agreement> arrivals;
    for (std::size_t at = 0; at < event.arguments.size(); ++at) {
      const int parameter = callee.parameters[at];
      Agreement arrival = is_exempt(parameter) ? Agreement{} : agreement(event.arguments[at].uses, state);
      if (!arrival.holds()) {
        const auto& uses = event.arguments[at].uses;
        arrival.reason =
            reason(Cause::argument, parameter, uses.empty() ? event.at : uses.front().at, arrival.reason);
      }
      arrivals.push_back(translated(arrival, teams, false));
    }
    Agreement called = translated(control, teams, false);
    if (!called.holds()) called.reason = reason(Cause::called, -1, event.at, called.reason);
    const int at = instance_of(event.callee, arrivals, called);
    for (const int changed : bodies_[index(event.callee)].changes)
      weaken(state[changed], summary_[index(changed)]);
    if (bodies_[index(event.callee)].calls_unseen) {
      Event unseen;
      unseen.kind = EventKind::call;
      unseen.at = event.at;
      call(unseen, control, state);
    }
    for (std::size_t argument = 0; argument < event.arguments.size(); ++argument)
      for (const int target : event.arguments[argument].variables) {
        Agreement after = translated(instances_[index(at)].departures[argument], teams, true);
        if (!after.holds()) after.reason = reason(Cause::written, target, event.at, after.reason);
        assign(target, after, false, control, state);
      }
    for (std::size_t result = 0; result < event.results.size(); ++result) {
      Agreement value = translated(instances_[index(at)].results[result], teams, true);
      if (!value.holds())
        value.reason = reason(Cause::returned, event.results[result], event.at, value.reason);
      assign(event.results[result], value, true, control, state);
    }
  }

  using Teams = std::vector<std::pair<int, int>>;  ///< outside, inside

  Teams passed_teams(const Event& event, const Function& callee) const {
    Teams teams;
    for (std::size_t at = 0; at < event.arguments.size(); ++at)
      for (const Use& use : event.arguments[at].uses)
        if (use.unknown == Unknown::team_size && variable(callee.parameters[at]).kind == VariableKind::team)
          teams.emplace_back(use.variable, callee.parameters[at]);
    return teams;
  }

  Agreement translated(Agreement agreement, const Teams& teams, bool outwards) const {
    if (agreement.level != Level::team) return agreement;
    for (const auto& [outside, inside] : teams)
      if (agreement.team == (outwards ? inside : outside)) {
        agreement.team = outwards ? outside : inside;
        return agreement;
      }
    if (!shared_[index(agreement.team)]) agreement.level = Level::none;
    return agreement;
  }

  // ---- values

  Agreement of(int which, const State& state) const {
    if (variable(which).is_uniform || variable(which).kind == VariableKind::team) return {};
    Agreement result;
    if (const auto found = state.find(which); found != state.end()) result = found->second;
    if (variable(which).kind == VariableKind::member) weaken(result, summary_[index(which)]);
    return result;
  }

  Agreement agreement(const Use& use, const State& state) {
    switch (use.unknown) {
      case Unknown::no:
        break;
      case Unknown::rank:
        return {Level::none, -1, reason(Cause::rank, -1, use.at)};
      case Unknown::team_size:
        return {Level::team, use.variable, reason(Cause::team_size, use.variable, use.at)};
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
    }
    const Agreement first = of(use.variable, state);
    if (use.also < 0 || first.holds()) return first;
    const Agreement second = of(use.also, state);
    return second.level < first.level ? second : first;
  }

  Agreement agreement(const Uses& uses, const State& state) {
    Agreement result;
    for (const Use& use : uses) weaken(result, agreement(use, state));
    return result;
  }

  // ---- blocks

  JudgedBlock& block_of(const Event& event) {
    for (JudgedBlock& block : result_.blocks)
      if (block.at == event.at) return block;
    JudgedBlock& block = result_.blocks.emplace_back();
    block.at = event.at;
    block.block = event.block;
    block.has_team = event.has_team;
    for (const auto& judged : event.judged)
      block.expressions.push_back({judged.role, judged.statement, judged.at, {}});
    return block;
  }

  void judge(const Event& event, const Agreement& control, const State& state) {
    JudgedBlock& block = block_of(event);
    weaken(block.reached, control);
    for (std::size_t at = 0; at < event.judged.size() && at < block.expressions.size(); ++at)
      for (const Use& use : event.judged[at].uses) {
        const Agreement found = agreement(use, state);
        if (found.holds() ||
            (found.level == Level::team && event.has_team && (event.team < 0 || found.team == event.team)))
          continue;
        auto& findings = block.expressions[at].findings;
        const bool known = std::any_of(findings.begin(), findings.end(),
                                       [&](const Finding& other) { return other.at == use.at; });
        if (!known) findings.push_back({use.at, use.unknown == Unknown::no ? use.variable : -1, found});
      }
  }

  const FlowGraph& graph_;
  std::vector<bool> shared_;
  std::vector<Agreement> summary_;  ///< of shared variables: all that is ever assigned
  std::set<int> called_back_;       ///< shared variables that code which is not seen may change
  std::vector<Body> bodies_;
  std::vector<Instance> instances_;
  std::map<int, std::vector<int>> by_function_;
  Reasons reasons_;
  Uniformity result_;
  bool changed_ = false, judging_ = false;
};

}  // namespace

Uniformity find_uniformity(const FlowGraph& graph) { return Analysis(graph).run(); }

}  // namespace kanor::sema

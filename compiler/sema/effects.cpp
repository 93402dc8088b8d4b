// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sema/effects.hpp"

#include <algorithm>

#include "sema/index.hpp"

namespace kanor::sema {
namespace {

using flow::Event;
using flow::EventKind;
using flow::Function;
using flow::Use;
using flow::Uses;
using flow::VariableKind;

template <typename Do>
void for_each_written(const Event& event, Do&& act) {
  flow::for_each_changed(event, act);
  for (const int result : event.results) act(result);
  for (const auto& argument : event.arguments)
    for (const int target : argument.variables) act(target);
}

/// Calls `act` for every variable that the node reads or changes, except its calls' results.
template <typename Do>
void for_each_touched(const flow::Node& node, Do&& act) {
  const auto touch = [&](int variable) {
    if (variable >= 0) act(variable);
  };
  const auto uses = [&](const Uses& all) {
    for (const Use& use : all) touch(use.variable), touch(use.also);
  };
  uses(node.condition);
  for (const Event& event : node.events) {
    flow::for_each_changed(event, touch);
    uses(event.uses);
    for (const auto& argument : event.arguments) {
      uses(argument.uses);
      for (const int target : argument.variables) touch(target);
    }
    for (const auto& judged : event.judged) uses(judged.uses);
  }
}

template <typename Do>
void for_each_touched(const Function& function, Do&& act) {
  for (const auto& node : function.nodes) for_each_touched(node, act);
}

template <typename Do>
void for_each_named(const flow::Node& node, Do&& act) {
  for_each_touched(node, act);
  for (const Event& event : node.events)
    for (const int result : event.results) act(result);
}

std::vector<int> named_in(const Function& function) {
  std::vector<int> all = function.parameters;
  all.insert(all.end(), function.results.begin(), function.results.end());
  for (const auto& node : function.nodes)
    for_each_named(node, [&](int variable) { all.push_back(variable); });
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace

Effects::Effects(const flow::FlowGraph& graph) : graph_(graph), shared_(graph.variables.size()) {
  find_shared();
  for (const Function& function : graph_.functions) bodies_.push_back(body_of(function));
  find_changes();
}

void Effects::find_shared() {
  std::vector<int> owner(graph_.variables.size(), -1);
  for (std::size_t at = 0; at < graph_.functions.size(); ++at)
    for_each_touched(graph_.functions[at], [&](int variable) {
      int& of = owner[index(variable)];
      if (of >= 0 && of != static_cast<int>(at)) shared_[index(variable)] = true;
      of = static_cast<int>(at);
    });
  for (std::size_t at = 0; at < graph_.variables.size(); ++at) {
    const auto kind = graph_.variables[at].kind;
    if (kind == VariableKind::global || kind == VariableKind::member) shared_[at] = true;
  }
}

Effects::Body Effects::body_of(const Function& function) const {
  Body body;
  body.named = named_in(function);
  body.edges = flow::successors(function);
  body.dominators = flow::immediate_dominators(body.edges, function.entry);
  body.post_dominators = flow::immediate_dominators(flow::reversed(body.edges), function.exit);
  for (const auto& node : function.nodes)
    for (const Event& event : node.events) {
      if (event.kind == EventKind::call && event.callee < 0) body.calls_unseen = true;
      if (event.kind == EventKind::block || event.kind == EventKind::split) body.has_blocks = true;
      for_each_written(event, [&](int variable) {
        if (shared_[index(variable)]) body.changes.insert(variable);
      });
    }
  return body;
}

bool Effects::is_named(int function, int variable) const {
  const auto& all = named(function);
  return std::binary_search(all.begin(), all.end(), variable);
}

/// Computes which shared variables each function may change. Unseen code may call the functions passed to it.
void Effects::find_changes() {
  for (bool grows = true; grows;) {
    grows = false;
    std::set<int> unseen;
    for (std::size_t at = 0; at < bodies_.size(); ++at)
      if (graph_.functions[at].other_callers != flow::OtherCallers::none)
        unseen.insert(bodies_[at].changes.begin(), bodies_[at].changes.end());
    for (std::size_t at = 0; at < bodies_.size(); ++at) {
      Body& body = bodies_[at];
      const auto known = [&] {
        return body.changes.size() + (body.calls_unseen ? 1 : 0) + (body.has_blocks ? 1 : 0);
      };
      const auto before = known();
      for (const auto& node : graph_.functions[at].nodes)
        for (const Event& event : node.events) {
          if (event.kind != EventKind::call) continue;
          if (event.callee >= 0) {
            const Body& callee = bodies_[index(event.callee)];
            body.changes.insert(callee.changes.begin(), callee.changes.end());
            body.calls_unseen |= callee.calls_unseen;
            body.has_blocks |= callee.has_blocks;
          } else {
            body.changes.insert(unseen.begin(), unseen.end());
          }
        }
      grows |= before != known();
    }
    called_back_ = std::move(unseen);
  }
}

const flow::Influence& Effects::influence(int function, int branch) {
  Body& body = bodies_[index(function)];
  auto found = body.influences.find(branch);
  if (found == body.influences.end())
    found = body.influences.emplace(branch, flow::influence(body.edges, branch, body.post_dominators)).first;
  return found->second;
}

const std::vector<int>& Effects::assigned_under(int function, int branch) {
  auto [found, is_new] = bodies_[index(function)].assigned.try_emplace(branch);
  if (is_new) {
    std::set<int> all;
    const auto& nodes = graph_.functions[index(function)].nodes;
    std::vector<int> under = influence(function, branch).nodes;
    // Whoever catches an exception has assigned only some of what the others have.
    const auto& interrupted = nodes[index(branch)].interrupted;
    under.insert(under.end(), interrupted.begin(), interrupted.end());
    for (const int at : under)
      for (const Event& event : nodes[index(at)].events) {
        for_each_written(event, [&](int variable) { all.insert(variable); });
        if (event.kind == EventKind::call && event.callee >= 0)
          all.insert(changes(event.callee).begin(), changes(event.callee).end());
      }
    found->second.assign(all.begin(), all.end());
  }
  return found->second;
}

void Effects::find_needed(int function) {
  Body& body = bodies_[index(function)];
  const Function& of = graph_.functions[index(function)];
  const auto position = [&](int variable) {
    return index(static_cast<int>(std::lower_bound(body.named.begin(), body.named.end(), variable) -
                                  body.named.begin()));
  };
  std::vector<std::vector<bool>> needed(of.nodes.size(), std::vector<bool>(body.named.size()));
  body.needed_behind = needed;
  for (std::size_t node = 0; node < of.nodes.size(); ++node)
    for_each_named(of.nodes[node], [&](int variable) { needed[node][position(variable)] = true; });
  for (const auto* seen : {&of.parameters, &of.results})
    for (const int variable : *seen) needed[index(of.exit)][position(variable)] = true;
  auto order = flow::reverse_postorder(body.edges, of.entry);
  std::reverse(order.begin(), order.end());
  for (bool grows = true; grows;) {
    grows = false;
    for (const int node : order) {
      auto &behind = body.needed_behind[index(node)], &from = needed[index(node)];
      for (const int next : body.edges[index(node)])
        for (std::size_t at = 0; at < behind.size(); ++at) {
          if (!needed[index(next)][at]) continue;
          behind[at] = true;
          grows |= !from[at];
          from[at] = true;
        }
    }
  }
}

bool Effects::is_needed_behind(int function, int node, int variable) {
  Body& body = bodies_[index(function)];
  if (body.needed_behind.empty()) find_needed(function);
  const auto at = std::lower_bound(body.named.begin(), body.named.end(), variable);
  return at != body.named.end() && *at == variable &&
         body.needed_behind[index(node)][index(static_cast<int>(at - body.named.begin()))];
}

bool Effects::dominates(int function, int node, int other) const {
  const auto& dominators = of(function).dominators;
  while (other >= 0 && other != node) other = dominators[index(other)];
  return other == node;
}

/// The node of a local variable's declaration: the first event that writes it, which C++ puts ahead of every
/// use.
int Effects::find_declaration(int function, int variable) const {
  std::vector<int> writers;
  const auto& nodes = graph_.functions[index(function)].nodes;
  for (std::size_t at = 0; at < nodes.size(); ++at)
    for (const Event& event : nodes[at].events)
      if (event.kind == EventKind::overwrite && event.variable == variable &&
          (writers.empty() || writers.back() != static_cast<int>(at)))
        writers.push_back(static_cast<int>(at));
  for (const int first : writers)
    if (std::all_of(writers.begin(), writers.end(),
                    [&](int other) { return dominates(function, first, other); }))
      return first;
  return -1;
}

bool Effects::is_gone(int function, int variable, int node) {
  const auto& of = graph_.variables[index(variable)];
  if (of.function != function || of.kind != VariableKind::local) return false;
  const auto [found, is_new] = bodies_[index(function)].declared.try_emplace(variable, -1);
  if (is_new) found->second = find_declaration(function, variable);
  return found->second >= 0 && !dominates(function, found->second, node);
}

}  // namespace kanor::sema

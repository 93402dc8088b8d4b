// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/agreement.hpp"

#include <algorithm>

namespace kanor::analysis {
namespace {

class Group {
 public:
  Group(const flow::FlowGraph& graph, std::vector<SharingDecision*> decisions)
      : graph_(graph), decisions_(std::move(decisions)) {}

  void agree() {
    if (candidate_of(graph_, *decisions_.front()).moves_only) return agree_on_handovers();
    const auto refused =
        std::find_if(decisions_.begin(), decisions_.end(),
                     [](const SharingDecision* decision) { return !decision->is_globalised; });
    if (refused != decisions_.end()) {
      for (SharingDecision* decision : decisions_) {
        if (decision->is_globalised) decision->reasons = (*refused)->reasons;
        decision->is_globalised = false;
        decision->insertions.clear();
        decision->handovers.clear();
      }
      return;
    }
    std::vector<std::vector<Insertion>> insertions;
    for (const SharingDecision* decision : decisions_) insertions.push_back(common_insertions(*decision));
    for (std::size_t at = 0; at < decisions_.size(); ++at)
      decisions_[at]->insertions = std::move(insertions[at]);
    agree_on_handovers();
  }

 private:
  void agree_on_handovers() {
    std::vector<std::vector<Handover>> handovers;
    for (const SharingDecision* decision : decisions_) handovers.push_back(common_handovers(*decision));
    for (std::size_t at = 0; at < decisions_.size(); ++at)
      decisions_[at]->handovers = std::move(handovers[at]);
  }
  const flow::Function& function(const SharingDecision& decision) const {
    return graph_.functions[static_cast<std::size_t>(decision.function)];
  }
  const flow::Location& at(const SharingDecision& decision, int statement) const {
    return function(decision).statements[static_cast<std::size_t>(statement)].at;
  }
  bool has(const SharingDecision& decision, const flow::Location& place) const {
    const auto& statements = function(decision).statements;
    return std::any_of(statements.begin(), statements.end(),
                       [&](const flow::Statement& statement) { return statement.at == place; });
  }
  const Insertion* insertion(const SharingDecision& decision, const flow::Location& place, bool after) const {
    for (const Insertion& insertion : decision.insertions)
      if (insertion.after == after && at(decision, insertion.statement) == place) return &insertion;
    return nullptr;
  }
  bool sends(const SharingDecision& decision, const flow::Location& place) const {
    const int variable = candidate_of(graph_, decision).variable;
    for (const flow::Node& node : function(decision).nodes)
      for (const flow::Access& access : node.accesses)
        if (access.kind == flow::AccessKind::send && access.variable == variable && access.at == place)
          return true;
    return false;
  }

  std::vector<Insertion> common_insertions(const SharingDecision& decision) const {
    std::vector<Insertion> found;
    for (std::size_t index = 0; index < function(decision).statements.size(); ++index) {
      const int statement = static_cast<int>(index);
      const flow::Location& place = at(decision, statement);
      const bool is_taken = std::any_of(
          decisions_.begin(), decisions_.end(),
          [&](const SharingDecision* other) { return insertion(*other, place, false) != nullptr; });
      const bool is_renewed =
          std::all_of(decisions_.begin(), decisions_.end(), [&](const SharingDecision* other) {
            const Insertion* there = insertion(*other, place, false);
            return there == nullptr ? !has(*other, place) : there->action == Action::overwrite;
          });
      const bool is_released =
          std::all_of(decisions_.begin(), decisions_.end(), [&](const SharingDecision* other) {
            return insertion(*other, place, true) != nullptr || !has(*other, place);
          });
      if (is_taken) found.push_back({statement, false, is_renewed ? Action::overwrite : Action::acquire});
      if (is_released) found.push_back({statement, true, Action::release});
    }
    return found;
  }

  std::vector<Handover> common_handovers(const SharingDecision& decision) const {
    std::vector<Handover> found;
    for (const Handover& handover : decision.handovers)
      if (std::all_of(decisions_.begin(), decisions_.end(), [&](const SharingDecision* other) {
            return !sends(*other, handover.at) ||
                   std::any_of(other->handovers.begin(), other->handovers.end(),
                               [&](const Handover& there) { return there.at == handover.at; });
          }))
        found.push_back(handover);
    return found;
  }

  const flow::FlowGraph& graph_;
  std::vector<SharingDecision*> decisions_;
};

}  // namespace

void agree(const flow::FlowGraph& graph, SharingDecisions& decisions) {
  const auto declaration = [&](const SharingDecision& decision) -> const flow::Location& {
    return candidate_of(graph, decision).declaration;
  };
  std::vector<bool> is_done(decisions.size());
  for (std::size_t first = 0; first < is_done.size(); ++first) {
    if (is_done[first] || declaration(decisions[first]).source == nullptr) continue;
    std::vector<SharingDecision*> group;
    for (std::size_t other = first; other < is_done.size(); ++other) {
      if (declaration(decisions[other]) != declaration(decisions[first])) continue;
      group.push_back(&decisions[other]);
      is_done[other] = true;
    }
    if (group.size() > 1) Group(graph, std::move(group)).agree();
  }
}

}  // namespace kanor::analysis

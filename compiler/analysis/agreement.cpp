// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/agreement.hpp"

#include <algorithm>

namespace kanor::analysis {
namespace {

class Group {
 public:
  Group(const flow::FlowGraph& graph, std::vector<Verdict*> verdicts)
      : graph_(graph), verdicts_(std::move(verdicts)) {}

  void agree() {
    if (candidate(*verdicts_.front()).moves_only) return agree_on_handovers();
    const auto refused = std::find_if(verdicts_.begin(), verdicts_.end(),
                                      [](const Verdict* verdict) { return !verdict->is_globalised; });
    if (refused != verdicts_.end()) {
      for (Verdict* verdict : verdicts_) {
        if (verdict->is_globalised) verdict->reasons = (*refused)->reasons;
        verdict->is_globalised = false;
        verdict->insertions.clear();
        verdict->handovers.clear();
      }
      return;
    }
    std::vector<std::vector<Insertion>> insertions;
    for (const Verdict* verdict : verdicts_) insertions.push_back(common_insertions(*verdict));
    for (std::size_t at = 0; at < verdicts_.size(); ++at)
      verdicts_[at]->insertions = std::move(insertions[at]);
    agree_on_handovers();
  }

 private:
  void agree_on_handovers() {
    std::vector<std::vector<Handover>> handovers;
    for (const Verdict* verdict : verdicts_) handovers.push_back(common_handovers(*verdict));
    for (std::size_t at = 0; at < verdicts_.size(); ++at) verdicts_[at]->handovers = std::move(handovers[at]);
  }
  const flow::Candidate& candidate(const Verdict& verdict) const {
    return function(verdict).candidates[static_cast<std::size_t>(verdict.candidate)];
  }
  const flow::Function& function(const Verdict& verdict) const {
    return graph_.functions[static_cast<std::size_t>(verdict.function)];
  }
  const flow::Location& at(const Verdict& verdict, int statement) const {
    return function(verdict).statements[static_cast<std::size_t>(statement)].at;
  }
  bool has(const Verdict& verdict, const flow::Location& place) const {
    const auto& statements = function(verdict).statements;
    return std::any_of(statements.begin(), statements.end(),
                       [&](const flow::Statement& statement) { return statement.at == place; });
  }
  const Insertion* insertion(const Verdict& verdict, const flow::Location& place, bool after) const {
    for (const Insertion& insertion : verdict.insertions)
      if (insertion.after == after && at(verdict, insertion.statement) == place) return &insertion;
    return nullptr;
  }
  bool sends(const Verdict& verdict, const flow::Location& place) const {
    const int variable = candidate(verdict).variable;
    for (const flow::Node& node : function(verdict).nodes)
      for (const flow::Access& access : node.accesses)
        if (access.kind == flow::AccessKind::send && access.variable == variable && access.at == place)
          return true;
    return false;
  }

  std::vector<Insertion> common_insertions(const Verdict& verdict) const {
    std::vector<Insertion> found;
    for (std::size_t index = 0; index < function(verdict).statements.size(); ++index) {
      const int statement = static_cast<int>(index);
      const flow::Location& place = at(verdict, statement);
      const bool is_taken = std::any_of(verdicts_.begin(), verdicts_.end(), [&](const Verdict* other) {
        return insertion(*other, place, false) != nullptr;
      });
      const bool is_renewed = std::all_of(verdicts_.begin(), verdicts_.end(), [&](const Verdict* other) {
        const Insertion* there = insertion(*other, place, false);
        return there == nullptr ? !has(*other, place) : there->action == Action::overwrite;
      });
      const bool is_released = std::all_of(verdicts_.begin(), verdicts_.end(), [&](const Verdict* other) {
        return insertion(*other, place, true) != nullptr || !has(*other, place);
      });
      if (is_taken) found.push_back({statement, false, is_renewed ? Action::overwrite : Action::acquire});
      if (is_released) found.push_back({statement, true, Action::release});
    }
    return found;
  }

  std::vector<Handover> common_handovers(const Verdict& verdict) const {
    std::vector<Handover> found;
    for (const Handover& handover : verdict.handovers)
      if (std::all_of(verdicts_.begin(), verdicts_.end(), [&](const Verdict* other) {
            return !sends(*other, handover.at) ||
                   std::any_of(other->handovers.begin(), other->handovers.end(),
                               [&](const Handover& there) { return there.at == handover.at; });
          }))
        found.push_back(handover);
    return found;
  }

  const flow::FlowGraph& graph_;
  std::vector<Verdict*> verdicts_;
};

}  // namespace

void agree(const flow::FlowGraph& graph, Verdicts& verdicts) {
  const auto declaration = [&](const Verdict& verdict) -> const flow::Location& {
    return graph.functions[static_cast<std::size_t>(verdict.function)]
        .candidates[static_cast<std::size_t>(verdict.candidate)]
        .declaration;
  };
  std::vector<bool> is_done(verdicts.all.size());
  for (std::size_t first = 0; first < is_done.size(); ++first) {
    if (is_done[first] || declaration(verdicts.all[first]).source == nullptr) continue;
    std::vector<Verdict*> group;
    for (std::size_t other = first; other < is_done.size(); ++other) {
      if (declaration(verdicts.all[other]) != declaration(verdicts.all[first])) continue;
      group.push_back(&verdicts.all[other]);
      is_done[other] = true;
    }
    if (group.size() > 1) Group(graph, std::move(group)).agree();
  }
}

}  // namespace kanor::analysis

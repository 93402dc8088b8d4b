// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/sharing_decisions.hpp"

#include <algorithm>

#include "analysis/agreement.hpp"
#include "analysis/calls.hpp"
#include "analysis/liveness.hpp"
#include "analysis/locking_set.hpp"
#include "analysis/placement.hpp"
#include "analysis/profit.hpp"
#include "analysis/statement_boundaries.hpp"
#include "analysis/steps.hpp"
#include "flow/shape.hpp"

namespace kanor::analysis {
namespace {

using flow::Candidate;

/// The reasons why a candidate cannot be shared, whether or not it would pay.
std::vector<Reason> why_impossible(const Steps& steps, const Options& options) {
  const Candidate& candidate = steps.candidate();
  std::vector<Reason> reasons;
  if (!options.globalize || candidate.asked == Candidate::Asked::local)
    reasons.push_back({Reason::Kind::not_asked, candidate.declaration, {}, 0});
  for (const auto* all : {&candidate.obstacles, &candidate.text_obstacles})
    for (const auto& [why, at] : *all) reasons.push_back({Reason::Kind::obstacle, at, why, 0});
  for (const flow::Access* escape : steps.escapes)
    reasons.push_back(
        {Reason::Kind::escapes, escape->at,
         escape->reason.empty() ? "it is passed to a function that may keep it" : escape->reason, 0});
  bool is_communicated = false;
  for (std::size_t at = 0; at < steps.all.size(); ++at) {
    const StepKind kind = steps.all[at].kind;
    is_communicated =
        is_communicated || (steps.is_reached[at] && (kind == StepKind::send || kind == StepKind::receive));
  }
  if (!is_communicated) reasons.push_back({Reason::Kind::never_sent, candidate.declaration, {}, 0});
  // Statements and levels go by natural loops.
  if (reasons.empty() && !flow::is_reducible(steps.function()))
    reasons.push_back(
        {Reason::Kind::obstacle, candidate.declaration, "its function has an irreducible loop", 0});
  return reasons;
}

std::vector<Handover> handovers(const Steps& steps, const std::vector<int>& given) {
  std::vector<Handover> found;
  for (const int send : given) {
    const flow::Access& access = *steps[send].access;
    found.push_back({access.block, access.block_statement, access.at});
  }
  return found;
}

void decide(const Steps& steps, bool is_called_in_loop, const Options& options, SharingDecision& decision) {
  if (steps.candidate().moves_only) {
    decision.reasons = why_impossible(steps, options);
    if (decision.reasons.empty())
      decision.handovers = handovers(steps, dead_sends(steps, live_before(steps)));
    return;
  }
  LockingSet locking = locking_set(steps);
  decision.locking_set = std::move(locking.nodes);
  decision.components = std::move(locking.components);
  decision.reasons = why_impossible(steps, options);
  if (decision.reasons.empty() && options.least_bytes > 0 &&
      steps.candidate().asked != Candidate::Asked::globalize)
    decision.reasons = why_not_worth(steps, is_called_in_loop, options.least_bytes);
  if (!decision.reasons.empty()) return;
  const StatementBoundaries boundaries(steps);
  const auto live = live_before(steps);
  const auto given = dead_sends(steps, live);
  Placement placement = place(steps, boundaries, live, releases(steps, boundaries, live, given));
  if (placement.not_exclusive != nullptr) {
    decision.reasons.push_back({Reason::Kind::not_exclusive, placement.not_exclusive->at, {}, 0});
    return;
  }
  decision.is_globalised = true;
  decision.insertions = std::move(placement.insertions);
  decision.handovers = handovers(steps, given);
}

bool is_pipelined(const Pipelines& pipelines, const SharingDecision& decision) {
  return std::any_of(pipelines.begin(), pipelines.end(), [&](const Pipeline& one) {
    return one.is_pipelined() && one.function == decision.function &&
           (one.value == decision.candidate || one.place == decision.candidate);
  });
}

}  // namespace

SharingDecisions decide_sharing(const flow::FlowGraph& graph, const Options& options,
                                const Pipelines& pipelines) {
  const Calls calls(graph);
  const auto is_called_in_loop = called_in_loops(graph);
  SharingDecisions found;
  for (std::size_t function = 0; function < graph.functions.size(); ++function)
    for (std::size_t candidate = 0; candidate < graph.functions[function].candidates.size(); ++candidate) {
      SharingDecision& decision = found.emplace_back();
      decision.function = static_cast<int>(function);
      decision.candidate = static_cast<int>(candidate);
      const Steps steps(graph.functions[function], graph.functions[function].candidates[candidate], calls);
      if (is_pipelined(pipelines, decision))
        decision.reasons = {{Reason::Kind::obstacle, steps.candidate().declaration,
                             "a block that communicates it is pipelined with loops", 0}};
      else
        decide(steps, is_called_in_loop[function], options, decision);
    }
  agree(graph, found);
  return found;
}

}  // namespace kanor::analysis

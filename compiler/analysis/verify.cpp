// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <stdexcept>
#include <string>

#include "analysis/placement.hpp"
#include "analysis/sharing_decisions.hpp"
#include "analysis/statement_boundaries.hpp"
#include "analysis/steps.hpp"
#include "flow/solver.hpp"

namespace kanor::analysis {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(std::string("sharing decisions: ") + what);
}

/// The possible state of a rank's region, joined over paths.
struct Region {
  bool shared = false;  ///< others may hold it, or it is gone
  bool lost = false;    ///< the value that a read expects is gone
};

/// Checks each access by a forward analysis of the steps with a decision's insertions and hand-overs.
/// Independent of liveness and of how the insertions were found.
class Walk {
 public:
  Walk(const Steps& steps, const SharingDecision& decision)
      : steps_(steps), boundaries_(steps), covered_(steps.all.size()), given_(steps.all.size()) {
    std::vector<int> released;
    for (const Insertion& insertion : decision.insertions) {
      require(insertion.statement >= 0 &&
                  static_cast<std::size_t>(insertion.statement) < steps.function().statements.size(),
              "an insertion at no statement");
      require(insertion.after == (insertion.action == Action::release), "an insertion on the wrong side");
      if (insertion.after) released.push_back(insertion.statement);
    }
    for (const Insertion& insertion : decision.insertions)
      insertion.after ? release(insertion.statement) : take(insertion, released);
    for (const Handover& handover : decision.handovers) give(handover);
    for (auto* edges : {&lost_, &released_}) std::sort(edges->begin(), edges->end());
  }

  void check() {
    // A function of one step per node, so that the solver goes along them.
    flow::Function steps;
    steps.entry = steps_.first[static_cast<std::size_t>(steps_.function().entry)];
    for (const auto& next : steps_.next) steps.nodes.emplace_back().successors = next;
    const auto states = flow::solve_forward<State>(steps, *this);
    for (std::size_t at = 0; at < states.size(); ++at) {
      if (!states[at]) continue;
      const Region region = before(static_cast<int>(at), *states[at]);
      const StepKind kind = steps_.all[at].kind;
      const bool is_read = kind == StepKind::read || kind == StepKind::send;
      const bool is_write =
          steps_.all[at].access != nullptr && (kind == StepKind::write || kind == StepKind::renewal);
      require(!is_read || !region.lost, "a value is read after it was let go of");
      require(!is_write || !region.shared || steps_.candidate().moves_only, "a write without exclusive use");
      require(kind != StepKind::write || !steps_.candidate().is_vector || !region.lost,
              "a vector is written after its length was let go of");
    }
  }

  /// The regions on entry to a step, by predecessor.
  using State = std::vector<std::pair<int, Region>>;

  State entry() const { return {}; }
  void transfer(int step, State& state) const { state = {{step, after(step, before(step, state))}}; }
  bool merge(State& into, const State& from) const {
    bool changed = false;
    for (const auto& [step, region] : from) {
      const auto there =
          std::find_if(into.begin(), into.end(), [&, at = step](const auto& one) { return one.first == at; });
      if (there == into.end()) {
        into.emplace_back(step, region);
        changed = true;
        continue;
      }
      changed = changed || (region.shared && !there->second.shared) || (region.lost && !there->second.lost);
      there->second.shared = there->second.shared || region.shared;
      there->second.lost = there->second.lost || region.lost;
    }
    return changed;
  }

 private:
  void take(const Insertion& insertion, const std::vector<int>& released) {
    if (keeps_exclusive(steps_, boundaries_, insertion.statement, released)) cover(insertion.statement);
    if (insertion.action != Action::overwrite) return;
    require(boundaries_.are_known(insertion.statement), "all is overwritten at an unknown place");
    for (const auto& edge : boundaries_.entries(insertion.statement)) lost_.push_back(edge);
  }

  void cover(int statement) {
    for (std::size_t step = 0; step < covered_.size(); ++step)
      if (steps_.all[step].access != nullptr &&
          is_within(steps_.function(), steps_.statement(static_cast<int>(step)), statement))
        covered_[step] = true;
  }

  void release(int statement) {
    require(boundaries_.are_known(statement), "a release at an unknown place");
    for (const auto& edge : boundaries_.exits(statement)) released_.push_back(edge);
  }

  void give(const Handover& handover) {
    bool is_sent = false;
    for (std::size_t step = 0; step < given_.size(); ++step) {
      const flow::Access* access = steps_.all[step].access;
      if (steps_.all[step].kind != StepKind::send || access->block != handover.block ||
          access->block_statement != handover.block_statement)
        continue;
      given_[step] = is_sent = true;
    }
    require(is_sent, "a hand-over of what is not sent");
  }

  /// The region's state just before a step, after the insertions before it.
  Region before(int step, const State& state) const {
    Region region;
    for (const auto& [from, left] : state) {
      const std::pair edge(from, step);
      const bool is_released = std::binary_search(released_.begin(), released_.end(), edge);
      region.shared = region.shared || left.shared || is_released;
      region.lost =
          region.lost || left.lost || is_released || std::binary_search(lost_.begin(), lost_.end(), edge);
    }
    if (covered_[static_cast<std::size_t>(step)]) region.shared = false;
    return region;
  }

  Region after(int step, Region region) const {
    const StepKind kind = steps_[step].kind;
    if (kind == StepKind::send || kind == StepKind::receive) region.shared = true;
    if (kind == StepKind::birth) region.shared = false;
    if (steps_[step].ends_value) region.lost = false;
    if (given_[static_cast<std::size_t>(step)] && !steps_[step].access->is_replaced) region.lost = true;
    return region;
  }

  const Steps& steps_;
  const StatementBoundaries boundaries_;
  std::vector<bool> covered_, given_;
  std::vector<std::pair<int, int>> lost_, released_;
};

}  // namespace

void verify(const flow::FlowGraph& graph, const SharingDecisions& decisions) {
  const Calls calls(graph);
  for (const SharingDecision& decision : decisions) {
    require(decision.function >= 0 && static_cast<std::size_t>(decision.function) < graph.functions.size(),
            "there is no such function");
    const flow::Function& function = graph.functions[static_cast<std::size_t>(decision.function)];
    require(
        decision.candidate >= 0 && static_cast<std::size_t>(decision.candidate) < function.candidates.size(),
        "there is no such candidate");
    const flow::Candidate& candidate = function.candidates[static_cast<std::size_t>(decision.candidate)];
    require(
        candidate.moves_only ? !decision.is_globalised : decision.is_globalised == decision.reasons.empty(),
        "a reason without refusal, or the reverse");
    require(decision.is_globalised || decision.insertions.empty(), "insertions for what is not globalised");
    if (!decision.reasons.empty()) {
      require(decision.handovers.empty(), "a hand-over of what is refused");
      continue;
    }
    const Steps steps(function, candidate, calls);
    require(steps.escapes.empty(), "what escapes is globalised");
    Walk(steps, decision).check();
  }
}

}  // namespace kanor::analysis

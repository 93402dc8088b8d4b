// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/profit.hpp"

#include <algorithm>

namespace kanor::analysis {
namespace {

bool communicates(const Step& step) { return step.kind == StepKind::send || step.kind == StepKind::receive; }

bool is_followed(const flow::Access& access) {
  return !access.subscripts.empty() &&
         std::all_of(access.subscripts.begin(), access.subscripts.end(),
                     [](const auto& subscript) { return subscript.has_value(); });
}

bool chooses(const flow::Access& access, int loop) {
  for (const auto& subscript : access.subscripts)
    for (const auto& [counter, coefficient] : subscript->terms)
      if (counter == loop) return true;
  return false;
}

}  // namespace

std::vector<bool> called_in_loops(const flow::FlowGraph& graph) {
  std::vector<bool> found(graph.functions.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t caller = 0; caller < found.size(); ++caller)
      for (const flow::Node& node : graph.functions[caller].nodes)
        for (const flow::Event& event : node.events) {
          if (event.kind != flow::EventKind::call || event.callee < 0) continue;
          const auto callee = static_cast<std::size_t>(event.callee);
          if (found[callee] || (node.level == 0 && !found[caller])) continue;
          found[callee] = changed = true;
        }
  }
  return found;
}

std::vector<Reason> why_not_worth(const Steps& steps, bool is_called_in_loop, long long least_bytes) {
  std::vector<Reason> reasons;
  const flow::Candidate& candidate = steps.candidate();
  if (candidate.bytes >= 0 && candidate.bytes < least_bytes)
    reasons.push_back({Reason::Kind::too_small, candidate.declaration, {}, candidate.bytes});

  const Step* first = nullptr;
  bool in_loop = is_called_in_loop || candidate.bytes >= bytes_worth_sharing_once;
  for (std::size_t at = 0; at < steps.all.size(); ++at) {
    const Step& step = steps.all[at];
    if (!communicates(step) || !steps.is_reached[at]) continue;
    if (first == nullptr) first = &step;
    in_loop = in_loop || !steps.loops[static_cast<std::size_t>(step.node)].empty();
  }
  if (first != nullptr && !in_loop) reasons.push_back({Reason::Kind::not_in_loop, first->access->at, {}, 0});

  const auto is_communicated_in = [&](int loop) {
    return std::any_of(steps.all.begin(), steps.all.end(), [&](const Step& step) {
      return communicates(step) && steps.is_in_loop(step.node, loop);
    });
  };
  for (const Step& step : steps.all) {
    if (step.access == nullptr || communicates(step) || !is_followed(*step.access)) continue;
    const auto& loops = steps.loops[static_cast<std::size_t>(step.node)];
    const auto again = std::count_if(loops.begin(), loops.end(), [&](int loop) {
      return !is_communicated_in(loop) && !chooses(*step.access, loop);
    });
    if (again < 2) continue;
    reasons.push_back({Reason::Kind::much_reuse, step.access->at, {}, 0});
    break;
  }
  return reasons;
}

}  // namespace kanor::analysis

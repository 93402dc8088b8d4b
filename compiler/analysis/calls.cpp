// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/calls.hpp"

namespace kanor::analysis {

Calls::Calls(const flow::FlowGraph& graph) {
  for (std::size_t function = 0; function < graph.functions.size(); ++function)
    for (std::size_t at = 0; at < graph.functions[function].parameters.size(); ++at)
      summaries_[{static_cast<int>(function), static_cast<int>(at)}] = {};
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t function = 0; function < graph.functions.size(); ++function) {
      const auto& parameters = graph.functions[function].parameters;
      for (std::size_t at = 0; at < parameters.size(); ++at) {
        Summary& summary = summaries_[{static_cast<int>(function), static_cast<int>(at)}];
        const Summary before = summary;
        for (const flow::Node& node : graph.functions[function].nodes)
          for (const flow::Access& access : node.accesses)
            if (access.variable == parameters[at]) merge(summary, access);
        changed = changed || summary != before;
      }
    }
  }
}

Summary Calls::of(const flow::Access& call) const {
  const auto found = summaries_.find({call.callee, call.parameter});
  if (found != summaries_.end()) return found->second;
  return {true, true, true, "a function that is not seen gets it"};
}

void Calls::merge(Summary& into, const flow::Access& access) const {
  Summary added;
  switch (access.kind) {
    case flow::AccessKind::read:
    case flow::AccessKind::send:
      added.reads = true;
      break;
    case flow::AccessKind::write:
    case flow::AccessKind::overwrite:
    case flow::AccessKind::receive:
      added.writes = true;
      break;
    case flow::AccessKind::call:
      added = of(access);
      break;
    case flow::AccessKind::escape:
      added.keeps = true;
      added.reason = access.reason;
      break;
  }
  into.reads = into.reads || added.reads;
  into.writes = into.writes || added.writes;
  if (added.keeps && !into.keeps) into.reason = added.reason;
  into.keeps = into.keeps || added.keeps;
}

}  // namespace kanor::analysis

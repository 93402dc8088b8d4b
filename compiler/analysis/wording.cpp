// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/wording.hpp"

namespace kanor::analysis {

std::string why(const Reason& reason) {
  switch (reason.kind) {
    case Reason::Kind::not_asked:
      return "sharing is switched off ('--no-globalize', or [[kanor::local]] on the variable)";
    case Reason::Kind::obstacle:
    case Reason::Kind::escapes:
      return reason.text;
    case Reason::Kind::not_exclusive:
      return "it is written in the same statement in which a block communicates it";
    case Reason::Kind::too_small:
      return "its " + std::to_string(reason.number) + " bytes are sent faster as a copy";
    case Reason::Kind::not_in_loop:
      return "no loop communicates it";
    case Reason::Kind::much_reuse:
      return "the rank uses it many times between two exchanges";
    case Reason::Kind::never_sent:
      break;
  }
  return "no block that is executed has the whole variable as its place or value";
}

std::vector<PipelineReason> why_not_pipelined(const Pipeline* pipeline) {
  if (pipeline == nullptr)
    return {
        {"only a block with one assignment of a whole local array or vector to another, and no other "
         "modifier, can be",
         {}}};
  if (pipeline->is_pipelined()) return {};
  if (!pipeline->reason.empty()) return {{pipeline->reason, pipeline->at}};
  std::vector<PipelineReason> found;
  for (const Strips* strips : {&pipeline->producer, &pipeline->consumer})
    if (!strips->reason.empty()) found.push_back({strips->reason, strips->at});
  return found;
}

void report_pipeline(const Pipeline* pipeline, const text::Source& source, text::Span delta,
                     text::Diagnostics& diagnostics) {
  const auto reasons = why_not_pipelined(pipeline);
  if (reasons.empty()) return;
  text::Diagnostic diagnostic{text::Kind::not_pipelined,
                              &source,
                              delta,
                              "this block is not pipelined with loops: it runs as an ordinary block",
                              {}};
  for (const PipelineReason& reason : reasons)
    diagnostic.notes.push_back({reason.at.source, reason.at.span, reason.text});
  diagnostics.report(std::move(diagnostic));
}

void report_impossible(const flow::FlowGraph& graph, const SharingDecisions& decisions,
                       text::Diagnostics& diagnostics) {
  for (const SharingDecision& decision : decisions) {
    const auto& candidate = candidate_of(graph, decision);
    if (decision.is_globalised || candidate.asked != flow::Candidate::Asked::globalize) continue;
    bool is_switched_off = false;
    text::Diagnostic diagnostic{
        text::Kind::cannot_globalize,
        candidate.declaration.source,
        candidate.declaration.span,
        "'" + graph.variables[static_cast<std::size_t>(candidate.variable)].name +
            "' is marked [[kanor::globalize]], but its memory cannot be shared between ranks",
        {}};
    for (const Reason& reason : decision.reasons) {
      is_switched_off = is_switched_off || reason.kind == Reason::Kind::not_asked;
      diagnostic.notes.push_back({reason.at.source, reason.at.span, why(reason)});
    }
    if (!is_switched_off) diagnostics.report(std::move(diagnostic));
  }
  for (const auto& [at, reason] : graph.unshareable)
    diagnostics.report(
        {text::Kind::cannot_globalize,
         at.source,
         at.span,
         "this declaration is marked [[kanor::globalize]], but its memory cannot be shared between ranks",
         {{nullptr, {}, reason}}});
}

}  // namespace kanor::analysis

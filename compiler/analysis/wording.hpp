// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "analysis/pipelining.hpp"
#include "analysis/sharing_decisions.hpp"
#include "text/diagnostic.hpp"

namespace kanor::analysis {

/// The reason as a clause that follows "because" or a colon: "it is passed to ...".
std::string why(const Reason& reason);

/// An error for each variable that is marked [[kanor::globalize]] and cannot be shared, with all reasons.
void report_impossible(const flow::FlowGraph& graph, const SharingDecisions& decisions,
                       text::Diagnostics& diagnostics);

/// The sentences on a block that is to be pipelined: why it is not, if it is not. `pipeline`: null if it is
/// none that could be.
struct PipelineReason {
  std::string text;
  flow::Location at;  ///< without a source: the block
};
std::vector<PipelineReason> why_not_pipelined(const Pipeline* pipeline);

/// A warning for a block that is to be pipelined with loops, at `delta`, and is not.
void report_pipeline(const Pipeline* pipeline, const text::Source& source, text::Span delta,
                     text::Diagnostics& diagnostics);

}  // namespace kanor::analysis

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "analysis/sharing_decisions.hpp"
#include "text/diagnostic.hpp"

namespace kanor::analysis {

/// The reason as a clause that follows "because" or a colon: "it is passed to ...".
std::string why(const Reason& reason);

/// An error for each variable that is marked [[kanor::globalize]] and cannot be shared, with all reasons.
void report_impossible(const flow::FlowGraph& graph, const SharingDecisions& decisions,
                       text::Diagnostics& diagnostics);

}  // namespace kanor::analysis

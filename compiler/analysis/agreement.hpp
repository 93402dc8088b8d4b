// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "analysis/sharing_decisions.hpp"

namespace kanor::analysis {

/// Merges the decisions on a template's instantiations, which have one text. Candidates that are declared at
/// the same place are all globalised or none, then with the reasons of the first that is not. The insertions
/// are correct for each: an acquire where any needs exclusive use (it never does harm), an overwrite where
/// all that have anything there overwrite, releases and hand-overs where all that have the statement or the
/// block agree.
void agree(const flow::FlowGraph& graph, SharingDecisions& decisions);

}  // namespace kanor::analysis

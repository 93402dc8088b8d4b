// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "analysis/verdicts.hpp"

namespace kanor::analysis {

/// Makes the verdicts of a template's instantiations one, since its text is written once. Candidates that are
/// declared at the same place are all globalised or none, then with the reasons of the first that is not.
/// What is put into their text is what is right for each: an acquire where any needs exclusive use (it never
/// does harm), an overwrite where all that have anything there overwrite, releases and hand-overs where all
/// that have the statement or the block agree.
void agree(const flow::FlowGraph& graph, Verdicts& verdicts);

}  // namespace kanor::analysis

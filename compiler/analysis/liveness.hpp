// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "analysis/sharing_decisions.hpp"
#include "analysis/statement_boundaries.hpp"
#include "analysis/steps.hpp"

namespace kanor::analysis {

/// Liveness before each step: true if the candidate's value may be read before all of it is overwritten. A
/// backward analysis of whole values: only a renewal, a birth, or a receive on all ranks makes what was there
/// before dead. A partial write neither reads nor ends a value; of a vector it reads the length.
std::vector<bool> live_before(const Steps& steps);

/// The sends after which the value is dead on every path: nothing reads them in or after the block before
/// they are overwritten, the same block's own receive on all ranks counted. Of several sends in one block,
/// the last one alone can be. And those whose statement replaces what it takes.
std::vector<int> dead_sends(const Steps& steps, const std::vector<bool>& live);

/// The statements after which the value is dead though it was live in them: the innermost ones, and those
/// around them where a way through them passes no release. Left out where the value would go soon enough
/// anyway, since no block, call or loop follows before all is overwritten or out of scope. `given`: the sends
/// that hand it over.
std::vector<int> releases(const Steps& steps, const StatementBoundaries& boundaries,
                          const std::vector<bool>& live, const std::vector<int>& given);

}  // namespace kanor::analysis

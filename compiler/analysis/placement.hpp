// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "analysis/sharing_decisions.hpp"
#include "analysis/statement_boundaries.hpp"
#include "analysis/steps.hpp"

namespace kanor::analysis {

/// True for steps before which this rank has exclusive use of the candidate on every path. A birth gives it,
/// and so does an acquire or overwrite before a statement, for all of the statement (which communicates
/// nothing, and releases nothing inside). A send takes it away, as the receivers hold the region from then
/// on, a receive, as the sender may, and a release after a statement.
std::vector<bool> exclusive_before(const Steps& steps, const StatementBoundaries& boundaries,
                                   const std::vector<Insertion>& insertions);

/// Returns true if exclusive use that is taken before a statement lasts until its end.
bool keeps_exclusive(const Steps& steps, const StatementBoundaries& boundaries, int statement,
                     const std::vector<int>& released);

struct Placement {
  std::vector<Insertion> insertions;            ///< releases among them
  const flow::Access* not_exclusive = nullptr;  ///< a write before which no statement can be put
};

/// Puts an acquire or overwrite before each write that needs one: before the write's own statement, or the
/// outermost loop around it that is reached without leaving another kind of statement, communicates nothing,
/// and has the declaration outside. An overwrite where all is overwritten before anything is read: before
/// the statement that assigns the whole, or the loop nest that does. Releases inside a statement that must
/// keep exclusive use are dropped.
Placement place(const Steps& steps, const StatementBoundaries& boundaries, const std::vector<bool>& live,
                const std::vector<int>& released);

}  // namespace kanor::analysis

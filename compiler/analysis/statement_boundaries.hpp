// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <utility>
#include <vector>

#include "analysis/steps.hpp"

namespace kanor::analysis {

/// The entries and exits of statements among a candidate's steps.
///
/// The known steps of a statement are its accesses, the ends of nodes whose conditions are in its text, all
/// steps of its own loops, and those between these. They are not all of its steps, but all that matter: a
/// step of the candidate is always known, and so is a branch. So nothing is done to the candidate between the
/// statement's beginning and the first known step that is reached, or between the last one and its end; what
/// holds on all edges into the known steps holds before the statement, and what holds on all edges out of
/// them holds after it.
class StatementBoundaries {
 public:
  explicit StatementBoundaries(const Steps& steps);

  /// True for each step that is known to be the statement's.
  const std::vector<bool>& known(int statement) const { return known_[static_cast<std::size_t>(statement)]; }
  /// Edges from outside into the statement's known steps, and from them to the outside.
  std::vector<std::pair<int, int>> entries(int statement) const { return edges(statement, true); }
  std::vector<std::pair<int, int>> exits(int statement) const { return edges(statement, false); }
  /// Returns true if the statement's known steps have the property above. A branch without text, as from
  /// macros, may belong to any statement; then only loops have it, whose steps are known by the loop.
  /// (Branches without a condition are inside blocks, which have one entry and one exit.)
  bool are_known(int statement) const;

 private:
  std::vector<std::pair<int, int>> edges(int statement, bool inwards) const;

  const Steps& steps_;
  std::vector<std::vector<bool>> known_;
  std::vector<bool> is_loop_;
  bool has_unknown_branch_ = false;
};

}  // namespace kanor::analysis

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <utility>
#include <vector>

#include "analysis/steps.hpp"

namespace kanor::analysis {

/// Where statements begin and end among a candidate's steps.
///
/// Of a statement those steps are known that its accesses are, the ends of the nodes whose conditions stand
/// in its text, all of the loops that are its own, and what lies between these. They are not all of it, but
/// all that matters: a step of the candidate is always known, and so is a branch. So nothing is done to the
/// candidate between the statement's beginning and the first known step that is come to, or between the last
/// one and its end; what holds on all edges into the known steps holds before the statement, and what holds
/// on all edges out of them holds after it.
class Positions {
 public:
  explicit Positions(const Steps& steps);

  /// Whether each step is known to be the statement's.
  const std::vector<bool>& known(int statement) const { return known_[static_cast<std::size_t>(statement)]; }
  /// Edges from outside into the statement's known steps, and from them to the outside.
  std::vector<std::pair<int, int>> entries(int statement) const;
  std::vector<std::pair<int, int>> exits(int statement) const;
  /// Whether what is said above holds of the statement. A branch without text, as macros make them, may be
  /// any statement's; then it holds of loops, whose steps are known by the loop. (Branches that decide by
  /// nothing are those inside of blocks, which have one beginning and one end.)
  bool are_known(int statement) const;

 private:
  const Steps& steps_;
  std::vector<std::vector<bool>> known_;
  std::vector<bool> is_loop_;
  bool has_unknown_branch_ = false;
};

}  // namespace kanor::analysis

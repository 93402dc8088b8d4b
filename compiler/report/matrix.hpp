// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace kanor::report {

/// The communication matrix of a statement in a team of a given size.
struct Matrix {
  int ranks = 0;
  std::vector<int> values;  ///< [sender * ranks + receiver]: how many, as far as names in the ranks tell
  std::string unknown;      ///< the expression that is not known; empty if all are
  bool is_partial = false;  ///< filters that are not known may leave some out
};

/// Evaluates a statement's symbolic form. Cells stay empty where a set or a rank depends on what only the
/// running program knows.
Matrix communication_matrix(const plan::StatementPlan& statement, int ranks);

}  // namespace kanor::report

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace kanor::report {

/// How much a statement sends in a team of P ranks, as formulas.
struct Volume {
  bool is_bound = false;  ///< the formulas are upper bounds
  std::string messages;   ///< of all ranks together; a value that stays on its rank is none
  std::string per_rank;   ///< that one rank sends or receives at most
  std::string values;     ///< in all of them, `|k|` being the number of members of k's set; empty: not known
  std::uint64_t value_bytes = 0;  ///< size of one value; 0 if its type does not tell

  /// The bytes of all messages; empty if the values' number or length is not known.
  std::string bytes() const;
};

Volume volume(const plan::StatementPlan& statement);

}  // namespace kanor::report

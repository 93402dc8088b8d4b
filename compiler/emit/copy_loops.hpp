// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/decisions.hpp"
#include "emit/small_edit.hpp"
#include "plan/plan.hpp"

namespace kanor::emit {

/// What becomes of a user's file where blocks do the work of loops beside them.
struct SpelledCopyLoops {
  std::vector<SmallEdit> edits;  ///< objects that stand for the loops, and conditions around these
  /// Functions that are called with a place or a value of a block, by its offset.
  std::map<std::uint32_t, std::string> functions;
};

SpelledCopyLoops spell_copy_loops(const analysis::Sharing& sharing, const plan::FilePlan& file);

}  // namespace kanor::emit

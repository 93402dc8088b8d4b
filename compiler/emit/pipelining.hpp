// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/decisions.hpp"
#include "emit/small_edit.hpp"
#include "flow/flow_graph.hpp"

namespace kanor::emit {

/// What a loop that is cut into strips says beside its body.
struct StripWords {
  std::string declarations;  ///< of the counter's end of a strip
  std::string end;           ///< its name
  std::string after;         ///< behind each strip
};

/// Insertions that turn `for (A; B; step) body` into
/// `for (A; B; ) { declarations { for (; counter < end; step) body } after if (counter < end) break; }`.
/// Compilers warn of statements that stand directly behind a loop's body, in its last line. `at`: the loop,
/// which has a spelling.
void cut_loop(const flow::Loop& loop, const flow::Location& at, const StripWords& words,
              std::vector<SmallEdit>& edits);

/// What becomes of a user's file where blocks are pipelined with the loops around them, or are split.
struct PipelinedLoops {
  std::vector<SmallEdit> edits;  ///< cut loops into strips, and complete exchanges; in order of writing
  /// The blocks that start before a statement: by its offset.
  std::multimap<std::uint32_t, int> starts;
};

PipelinedLoops spell_pipelines(const analysis::Sharing& sharing, const text::Source& source);

/// The name of the object that emitted code has for the pipelined block with this number.
std::string name_of_delta(int block);
/// The same for a split block.
std::string name_of_pending(int block);

}  // namespace kanor::emit

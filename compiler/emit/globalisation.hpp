// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/verdicts.hpp"
#include "emit/small_edit.hpp"
#include "flow/flow_graph.hpp"

namespace kanor::emit {

/// What changes in a user's file so that its globalised variables are handles.
struct Globalised {
  /// Their declarations, every place where they are named, and what is put between statements. In the order
  /// of the text; what stands at one offset comes in the order in which it is written.
  std::vector<SmallEdit> edits;
  std::set<std::uint32_t> handles;         ///< where blocks have one as a place or value: the handle
  std::map<int, std::string> after_block;  ///< words that follow a block's exchange, by the block's number
};

/// `attributes` are spans that the host compiler must not see.
Globalised spell_globalised(const flow::FlowGraph& graph, const analysis::Verdicts& verdicts,
                            const text::Source& source, const std::vector<text::Span>& attributes);

}  // namespace kanor::emit

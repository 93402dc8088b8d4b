// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/sharing_decisions.hpp"
#include "emit/small_edit.hpp"
#include "flow/flow_graph.hpp"

namespace kanor::emit {

/// The edits of a user's file that turn its globalised variables into handles.
struct Globalised {
  /// Edits of declarations, of every mention, and insertions between statements. In the order of the text;
  /// those at one offset in the order of writing.
  std::vector<SmallEdit> edits;
  std::set<std::uint32_t> handles;         ///< offsets of blocks' places and values that are handles
  std::map<int, std::string> after_block;  ///< words that follow a block's exchange, by the block's number
};

/// `attributes` are spans that the host compiler must not see.
Globalised spell_globalised(const flow::FlowGraph& graph, const analysis::SharingDecisions& decisions,
                            const text::Source& source, const std::vector<text::Span>& attributes);

}  // namespace kanor::emit

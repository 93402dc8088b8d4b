// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "analysis/own_messages.hpp"
#include "emit/small_edit.hpp"
#include "flow/flow_graph.hpp"
#include "text/source.hpp"

namespace kanor::emit {

/// The changes of an MPI program's source that put calls of kanor/abi/own_messages.h in place of those that
/// pass their buffers' ownership, in no order.
std::vector<SmallEdit> spell_own_messages(const text::Source& source, const flow::FlowGraph& graph,
                                          const analysis::OwnMessages& decisions);

}  // namespace kanor::emit

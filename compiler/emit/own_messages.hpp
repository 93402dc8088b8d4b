// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "analysis/own_messages.hpp"
#include "flow/flow_graph.hpp"
#include "text/source.hpp"

namespace kanor::emit {

/// The text of an MPI program's source with calls of kanor/abi/own_messages.h in place of those that pass
/// their buffers' ownership. All other text stays as it is, on its lines. `renumberings` are the file's.
std::string emit_own_messages(const text::Source& source, const std::vector<text::Renumbering>& renumberings,
                              const flow::FlowGraph& graph, const analysis::OwnMessages& decisions);

}  // namespace kanor::emit

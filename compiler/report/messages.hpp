// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <iosfwd>
#include <vector>

#include "analysis/message_pipelining.hpp"
#include "analysis/own_messages.hpp"

namespace kanor::report {

/// Explains the messages of an MPI program's unit, as a compiler prints remarks: which pass their buffers'
/// ownership, which are pipelined, and why the others are not. Messages without a decision are left out.
void explain_messages(const flow::FlowGraph& graph, const analysis::OwnMessages& decisions,
                      const std::vector<analysis::MessagePipeline>& pipelines, std::ostream& out);

}  // namespace kanor::report

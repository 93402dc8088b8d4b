// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "analysis/message_pipelining.hpp"
#include "analysis/own_messages.hpp"
#include "flow/flow_graph.hpp"
#include "text/source.hpp"

namespace kanor::emit {

/// The text of an MPI program's source in which messages pass their buffers' ownership, or are pipelined. All
/// other text stays as it is, on its lines. `renumberings` are the file's.
std::string emit_mpi_program(const text::Source& source, const std::vector<text::Renumbering>& renumberings,
                             const flow::FlowGraph& graph, const analysis::OwnMessages& passed,
                             const std::vector<analysis::MessagePipeline>& pipelines);

}  // namespace kanor::emit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <vector>

#include "analysis/message_pipelining.hpp"
#include "emit/small_edit.hpp"
#include "flow/flow_graph.hpp"
#include "text/source.hpp"

namespace kanor::emit {

/// The changes of an MPI program's source, C or C++, that divide the calls of pipelined messages and cut
/// their loops into strips, by the macros of kanor/abi/pipelined_messages.h. Changes at one offset are in
/// their order. `shown_line`: the number that the host compiler has for a line of the file.
std::vector<SmallEdit> spell_message_pipelines(const text::Source& source, const flow::FlowGraph& graph,
                                               const std::vector<analysis::MessagePipeline>& pipelines,
                                               const std::function<unsigned(unsigned)>& shown_line);

}  // namespace kanor::emit

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "flow/flow_graph.hpp"

namespace kanor::host {

struct ParsedUnit;

/// Builds the flow graph of an MPI program's unit, C or C++: the nodes of its functions, their accesses to
/// buffers of messages, the messages. There are no events. `whole_program`: no other file can name this one's
/// functions and variables. `divides_calls`: also how the loops are written and what the statements do, to
/// pipeline messages with loops.
flow::FlowGraph build_message_flow(const ParsedUnit& unit, bool whole_program, bool divides_calls);

}  // namespace kanor::host

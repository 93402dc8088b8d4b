// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "flow/flow_graph.hpp"

namespace kanor::host {

struct ParsedUnit;

/// What the functions of user files do, those that blocks stand in and those around them, instantiations
/// each for itself: Clang's control-flow graphs with the expressions in them taken apart into events. Empty
/// for a unit without blocks. `whole_program`: no other file can name this one's functions and variables.
/// Linear in the size of the user files.
flow::FlowGraph build_flow_graph(const ParsedUnit& unit, bool whole_program);

}  // namespace kanor::host

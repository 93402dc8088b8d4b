// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "flow/flow_graph.hpp"

namespace kanor::host {

struct ParsedUnit;

struct FlowOptions {
  bool whole_program = false;     ///< no other file can name this one's functions and variables
  bool pipelines_blocks = false;  ///< also those without the modifier `delta`
  bool replaces_loops = true;     ///< finds loops beside blocks whose work the blocks can do
};

/// Builds the flow graph of the functions in user files, each instantiation by itself: Clang's control-flow
/// graphs with their expressions lowered to events. Empty for a unit with neither blocks nor team splits.
/// Linear in the size of the user files.
flow::FlowGraph build_flow_graph(const ParsedUnit& unit, const FlowOptions& options);

}  // namespace kanor::host

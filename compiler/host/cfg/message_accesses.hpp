// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/Analysis/CFG.h>

#include <functional>

#include "host/cfg/functions.hpp"
#include "host/cfg/message_buffers.hpp"
#include "host/cfg/steady_numbers.hpp"
#include "host/cfg/variables.hpp"

namespace kanor::host {

/// The parts of a unit that all of its functions' message flow is built from.
struct MessageContext {
  const ParsedUnit& unit;
  Variables& variables;
  Functions& functions;
  const Places& places;
  const MessageBuffers& buffers;
  const LeastValues& least;
  bool divides_calls;  ///< what is needed to pipeline messages with loops is wanted too
};

/// Adds to a function of the flow graph its buffers and their accesses, what its pointer parameters are used
/// for, its messages, statements and loops. The function's nodes must exist already.
void add_message_accesses(const MessageContext& context, int function, const clang::FunctionDecl* declaration,
                          const clang::CFG& cfg, const std::function<int(const clang::CFGBlock*)>& node_of);

}  // namespace kanor::host

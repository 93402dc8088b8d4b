// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <iosfwd>

#include "analysis/own_messages.hpp"

namespace kanor::report {

/// Explains the messages of an MPI program's unit, as a compiler prints remarks: which pass their buffers'
/// ownership, and why the others copy.
void explain_messages(const flow::FlowGraph& graph, const analysis::OwnMessages& decisions,
                      std::ostream& out);

}  // namespace kanor::report

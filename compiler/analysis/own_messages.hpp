// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/message_matching.hpp"
#include "flow/flow_graph.hpp"

/// Which of an MPI program's messages pass their buffers' ownership instead of copying: the conditions of
/// "Ownership Passing" (Friedley, Hoefler, Bronevetsky, Lumsdaine, Ma, PPoPP 2013, section 4), as
/// docs/internals/own-messages.md states them.
namespace kanor::analysis {

/// A buffer of constant length with fewer bytes is copied faster than it changes hands.
inline constexpr long long least_passed_bytes = 4096;

struct MessageDecision {
  int function = 0;
  int message = 0;
  std::string reason;    ///< why its buffer is copied; empty: it is passed
  flow::Location where;  ///< what the reason is about; without a source: the message itself
};

/// The decisions on one unit.
struct OwnMessages {
  std::vector<MessageDecision> messages;  ///< all of them, by function
  /// The buffers that some message passes: function and candidate.
  std::vector<std::pair<int, int>> buffers;

  bool any() const { return !buffers.empty(); }
};

/// Decides on all messages of a program's units. `unseen`: why other messages than these may match them;
/// empty if none may. One result for each unit. Quadratic in the number of messages.
std::vector<OwnMessages> pass_ownership(const Units& units, const std::string& unseen);

}  // namespace kanor::analysis

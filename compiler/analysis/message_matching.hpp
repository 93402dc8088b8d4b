// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "flow/flow_graph.hpp"

namespace kanor::analysis {

/// One end of messages, in one of several units.
struct MessageEnd {
  int unit = 0;
  int function = 0;
  int message = 0;

  bool operator==(const MessageEnd&) const = default;
};

using Units = std::vector<const flow::FlowGraph*>;

const flow::Message& message_at(const Units& units, const MessageEnd& end);

/// Returns true unless something shows that the receive never takes a message of the send: both communicators
/// or both tags are constants, and different, or one of the two is with MPI_PROC_NULL.
bool may_match(const flow::Message& send, const flow::Message& receive);

/// The ends that may match, directly or by way of others, together; each end is in one group.
std::vector<std::vector<MessageEnd>> groups_of_messages(const Units& units);

/// Returns true if both are known to be the same number: as a constant, or by equal words of one function.
bool is_same_number(const Units& units, const MessageEnd& one, const MessageEnd& other);

}  // namespace kanor::analysis

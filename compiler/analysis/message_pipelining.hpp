// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "analysis/own_messages.hpp"
#include "analysis/pipelined_loops.hpp"
#include "flow/flow_graph.hpp"

/// Which of an MPI program's sends begin before the loop that computes their elements, and which of its
/// receives end behind the loop that uses them (Bao, Ding, Gao, Archambault: "Delta Send-Recv for Dynamic
/// Pipelining in MPI Programs", CCGrid 2012).
///
///     for (k …) B[k] = …;           begin to send B; for (k …; ) { for (k …, a strip) B[k] = …; send them; }
///     MPI_Send(B, …);        ==>    send the rest
///     MPI_Recv(A, …);               begin to receive A
///     for (k …) sum += A[k];        for (k …; ) { wait for A[k]; for (k …, a strip) sum += A[k]; } complete
namespace kanor::analysis {

/// What is decided on one message.
struct MessagePipeline {
  int function = 0;
  int message = 0;
  Strips strips;
  long long element_bytes = 0;  ///< of the buffer's first dimension
  int choice = -1;     ///< the statement in a branch of which the call is, if the loop is beside that
  std::string reason;  ///< why it is not pipelined; empty: it is
  flow::Location at;   ///< what the reason is about; without a source: the message itself
};

/// The decisions on all messages of a unit, by function. Each side is decided by itself: the other one may be
/// of any kind. Messages whose buffers change hands are left alone. Cost: linear in the functions' accesses
/// for each message.
std::vector<MessagePipeline> pipeline_messages(const flow::FlowGraph& graph, const OwnMessages& passed);

/// Returns true if some message is pipelined.
bool any(const std::vector<MessagePipeline>& pipelines);

}  // namespace kanor::analysis

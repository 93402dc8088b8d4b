// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "analysis/pipelining.hpp"
#include "analysis/sharing_decisions.hpp"
#include "flow/flow_graph.hpp"

/// Which blocks start before they stand, or are complete later, so that the rank computes while messages
/// travel and other ranks catch up (software pipelining, where the block stands in a loop: its completion may
/// be in the next iteration).
///
///     for (t …) {                      pending p;
///       inner(A);                      for (t …) { inner(A);    // does not use G
///       use(A, G);               ==>     complete p; use(A, G);
///       @communicate {                   p = start { G@next <<= A[n]@i }; }
///         G@next <<= A[n]@i } }        complete p;
namespace kanor::analysis {

/// What is decided on one block.
struct SplitPhase {
  const text::Source* source = nullptr;
  int block = -1;  ///< counts the blocks of its file
  text::Span keyword;
  int function = -1;
  int first = -1;      ///< the statement before which it starts; -1: it starts where it stands
  int last = -1;       ///< the statement after which it is complete; -1: it is complete where it stands
  int loop = -1;       ///< the loop around it, if `last` stands before it: of the next iteration
  std::string reason;  ///< why it is complete where it starts; empty: it is not
  flow::Location at;

  bool is_split() const { return reason.empty(); }
};

using SplitPhases = std::vector<SplitPhase>;

/// A block: by its file and its number there.
using IsPairwise = std::function<bool(const text::Source& source, int block)>;

/// One decision for each exchange of the graph. A block is not split if it is pipelined, if a variable of it
/// is shared or changes hands, or if it is not `pairwise`: collective algorithms need all ranks at once. What
/// is not proved makes a block stay whole. Cost: linear in the function's accesses for each statement beside
/// the block.
SplitPhases split_phases(const flow::FlowGraph& graph, const SharingDecisions& decisions,
                         const Pipelines& pipelines, const IsPairwise& is_pairwise);

/// The last part of the golden format of `kanorc --dump=analysis`.
void print(const flow::FlowGraph& graph, const SplitPhases& splits, std::ostream& out);

}  // namespace kanor::analysis

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "analysis/pipelining.hpp"
#include "analysis/sharing_decisions.hpp"
#include "analysis/split_phase.hpp"
#include "flow/flow_graph.hpp"

/// Which loops beside a block need not run, because the block sends or updates the memory itself that they
/// copy a buffer from or to (the data movement of Schneider, Gerstenberger, Hoefler: "Compiler Optimizations
/// for Non-Contiguous Remote Data Movement", Euro-Par 2013, as far as programs pack by hand).
///
///     for (k …) B[k] = A[s * k];
///     @communicate { C[0:n]@1 <<= B[0:n]@0 }    ==>   @communicate { P[0:n:s]@1 <<= A[0:n:s]@0 }
///     for (k …) P[s * k] = C[k];
///
/// The buffers have other values then: nothing may read them. What depends on numbers is decided when the
/// program runs (kanor/abi/copy_loop.hpp): there, the loop may run after all.
namespace kanor::analysis {

/// What is decided on one loop.
struct ReplacedLoop {
  const text::Source* source = nullptr;
  int block = -1;  ///< counts the blocks of its file
  int function = -1;
  int loop = -1;       ///< of the function's copying loops
  std::string reason;  ///< why it runs as it is written; empty: it doesn't
  flow::Location at;

  bool is_replaced() const { return reason.empty(); }
};

using ReplacedLoops = std::vector<ReplacedLoop>;

inline const flow::CopyLoop& loop_of(const flow::FlowGraph& graph, const ReplacedLoop& decision) {
  return graph.functions[static_cast<std::size_t>(decision.function)]
      .copy_loops[static_cast<std::size_t>(decision.loop)];
}

/// One decision for each copying loop of the graph, in their order. A loop is not replaced if its block is
/// pipelined or split, or a variable of it is shared or changes hands. Cost: linear in the function's
/// accesses for each loop.
ReplacedLoops decide_replaced_loops(const flow::FlowGraph& graph, const SharingDecisions& decisions,
                                    const Pipelines& pipelines, const SplitPhases& splits);

/// A part of the golden format of `kanorc --dump=analysis`.
void print(const flow::FlowGraph& graph, const ReplacedLoops& loops, std::ostream& out);

}  // namespace kanor::analysis

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "analysis/pipelining.hpp"
#include "analysis/replaced_loops.hpp"
#include "analysis/sharing_decisions.hpp"
#include "analysis/split_phase.hpp"

namespace kanor::analysis {

/// The decisions on blocks, variables and loops, and the graph that they refer to.
struct Sharing {
  const flow::FlowGraph& graph;
  const SharingDecisions& decisions;
  const Pipelines& pipelines;
  const SplitPhases& splits;
  const ReplacedLoops& loops;
};

}  // namespace kanor::analysis

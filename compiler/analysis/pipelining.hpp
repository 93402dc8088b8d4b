// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "analysis/pipelined_loops.hpp"
#include "flow/flow_graph.hpp"

/// Which loops a block runs at the same time as: the one before it that computes the value, and the one after
/// it that uses the place (Bao, Ding, Gao, Archambault: "Delta Send-Recv for Dynamic Pipelining in MPI
/// Programs", CCGrid 2012).
///
///     for (k …) B[k] = …;              start; for (k …; ) { for (k …, a strip) B[k] = …; send up to B[k]; }
///     @communicate (delta) {   ==>     reach
///       A@1 <<= B@0 }
///     for (k …) sum += A[k];           for (k …; ) { wait for A[k]; for (k …, a strip) sum += A[k]; }
///     complete
namespace kanor::analysis {

/// What is decided on one block.
struct Pipeline {
  const text::Source* source = nullptr;
  int block = -1;  ///< counts the blocks of its file
  int function = -1;
  int value = -1, place = -1;  ///< candidates of the function
  int statement = -1;          ///< that the block is
  flow::Pipelining wanted = flow::Pipelining::no;
  Strips producer, consumer;
  std::string reason;  ///< why neither loop can be; empty: see theirs
  flow::Location at;

  bool is_pipelined() const { return producer.loop >= 0 || consumer.loop >= 0; }
};

using Pipelines = std::vector<Pipeline>;

/// One for each block that is to be pipelined, has one assignment and no other modifier, and communicates
/// variables whole. What is not proved makes a loop none. Cost: linear in the functions' accesses for each.
Pipelines decide_pipelines(const flow::FlowGraph& graph);

/// The first part of the golden format of `kanorc --dump=analysis`.
void print(const flow::FlowGraph& graph, const Pipelines& pipelines, std::ostream& out);

/// The decision on a block, among decisions with the same members `source` and `block`; null if there is
/// none.
template <class Decisions>
auto find(Decisions& all, const text::Source& source, int block) -> decltype(all.data()) {
  for (auto& one : all)
    if (one.source == &source && one.block == block) return &one;
  return nullptr;
}

}  // namespace kanor::analysis

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/replaced_loops.hpp"

#include <algorithm>
#include <optional>

#include "analysis/steps.hpp"

namespace kanor::analysis {
namespace {

using flow::Access;
using flow::AccessKind;
using flow::CopyLoop;
using flow::Function;
using flow::Location;

class Decision {
 public:
  Decision(const flow::FlowGraph& graph, const Function& function, const CopyLoop& loop)
      : graph_(graph), function_(function), loop_(loop) {}

  /// Why the loop runs as it is written.
  std::optional<WhyNot> why_not() const {
    if (!loop_.obstacle.empty()) return WhyNot{loop_.obstacle, loop_.obstacle_at};
    if (auto no = other_use()) return no;
    if (auto no = escaping_buffer()) return no;
    return loop_.unpacks ? why_not_unpacked() : why_not_packed();
  }

 private:
  std::string name_of(int variable) const {
    return "'" + graph_.variables[static_cast<std::size_t>(variable)].name + "'";
  }
  bool is_in_loop(const Access& access) const {
    return access.statement >= 0 && is_within(function_, access.statement, loop_.statement);
  }
  /// Returns true if the access is part of a place or value of a copying loop's block, or of such a loop.
  bool is_of_copying(const Access& access) const {
    return std::any_of(function_.copy_loops.begin(), function_.copy_loops.end(), [&](const CopyLoop& one) {
      const bool is_operand =
          one.operand.source == access.at.source && one.operand.span.contains(access.at.span);
      return one.buffer == loop_.buffer &&
             (is_operand || (access.statement >= 0 && is_within(function_, access.statement, one.statement)));
    });
  }

  /// A use of the buffer that needs the values that it would have.
  std::optional<WhyNot> other_use() const {
    for (const flow::Node& node : function_.nodes)
      for (const Access& access : node.accesses) {
        if (access.variable != loop_.buffer || access.only_length) continue;
        const bool writes = access.kind == AccessKind::write || access.kind == AccessKind::overwrite;
        if (is_in_loop(access) && writes == loop_.unpacks)
          return WhyNot{name_of(loop_.buffer) + " is also used in the loop", access.at};
        if (!is_of_copying(access) && !writes)
          return WhyNot{name_of(loop_.buffer) + " is also used here", access.at};
      }
    return std::nullopt;
  }

  /// What other loops, or the block, write to may be what this one copies.
  std::optional<WhyNot> escaping_buffer() const {
    for (const flow::Node& node : function_.nodes)
      for (const Access& access : node.accesses) {
        const bool is_kept = access.kind == AccessKind::escape || access.kind == AccessKind::call;
        if (contains(loop_.written, access.variable) && is_kept && !is_of_a_block(access))
          return WhyNot{name_of(access.variable) + " may have another name here", access.at};
      }
    return std::nullopt;
  }
  bool is_of_a_block(const Access& access) const {
    return access.statement >= 0 &&
           is_block(function_.statements[static_cast<std::size_t>(access.statement)]);
  }

  bool is_the_only_one() const {
    return std::count_if(function_.copy_loops.begin(), function_.copy_loops.end(),
                         [&](const CopyLoop& one) { return one.buffer == loop_.buffer; }) == 1;
  }

  // The buffer keeps elements that earlier loops did not write. A block that reads exactly what its loop
  // writes reads none of them. Otherwise, if the elements differ from what the block reads, the loop runs
  // after all; then all elements that it ever left out must be among those that it writes.
  std::optional<WhyNot> why_not_packed() const {
    if (loop_.is_exact) return std::nullopt;
    if (!is_the_only_one()) return WhyNot{"another loop copies " + name_of(loop_.buffer) + " too", loop_.at};
    if (loop_.is_fresh || loop_.is_steady) return std::nullopt;
    return WhyNot{
        "it may copy other elements each time, and " + name_of(loop_.buffer) + " is declared further out",
        loop_.at};
  }

  // A rank that receives nothing copies what the buffer has had before.
  std::optional<WhyNot> why_not_unpacked() const {
    if (loop_.by_all_ranks && (loop_.is_exact || (loop_.is_steady && is_the_only_one()))) return std::nullopt;
    if (loop_.is_fresh && is_the_only_one()) return std::nullopt;
    return WhyNot{"a rank may receive nothing, and " + name_of(loop_.buffer) +
                      (loop_.is_fresh ? " is communicated by another block too" : " is declared further out"),
                  loop_.at};
  }

  const flow::FlowGraph& graph_;
  const Function& function_;
  const CopyLoop& loop_;
};

/// Why other decisions keep the loop as it is written.
std::optional<WhyNot> other_decision(const flow::FlowGraph& graph, const SharingDecisions& decisions,
                                     const Pipelines& pipelines, const SplitPhases& splits,
                                     const ReplacedLoop& made) {
  const Pipeline* const pipeline = find(pipelines, *made.source, made.block);
  if (pipeline != nullptr && pipeline->is_pipelined()) return WhyNot{"the block is pipelined", {}};
  const SplitPhase* const split = find(splits, *made.source, made.block);
  if (split != nullptr && split->is_split()) return WhyNot{"the block is split", {}};
  const CopyLoop& loop = loop_of(graph, made);
  for (const SharingDecision& decision : decisions) {
    const flow::Candidate& candidate = candidate_of(graph, decision);
    const bool is_used = candidate.variable == loop.buffer || contains(loop.operands, candidate.variable);
    if (is_used && (decision.is_globalised || !decision.handovers.empty()))
      return WhyNot{"'" + graph.variables[static_cast<std::size_t>(candidate.variable)].name +
                        "' is shared instead of copied",
                    candidate.declaration};
  }
  return std::nullopt;
}

/// Loops behind a block write in their order: one that runs after the block keeps those after it from being
/// part of the block. The last decision is the one to be made.
std::optional<WhyNot> earlier_loop(const flow::FlowGraph& graph, const ReplacedLoops& all) {
  const ReplacedLoop& made = all.back();
  if (!loop_of(graph, made).unpacks) return std::nullopt;
  for (const ReplacedLoop& one : all)
    if (&one != &made && one.source == made.source && one.block == made.block && !one.is_replaced() &&
        loop_of(graph, one).unpacks)
      return WhyNot{"another loop behind the block runs as it is written", loop_of(graph, one).at};
  return std::nullopt;
}

}  // namespace

ReplacedLoops decide_replaced_loops(const flow::FlowGraph& graph, const SharingDecisions& decisions,
                                    const Pipelines& pipelines, const SplitPhases& splits) {
  ReplacedLoops all;
  for (std::size_t function = 0; function < graph.functions.size(); ++function) {
    const Function& in = graph.functions[function];
    for (std::size_t at = 0; at < in.copy_loops.size(); ++at) {
      const CopyLoop& loop = in.copy_loops[at];
      ReplacedLoop& made = all.emplace_back();
      made.source = loop.operand.source;
      made.block = loop.block;
      made.function = static_cast<int>(function);
      made.loop = static_cast<int>(at);
      auto no = Decision(graph, in, loop).why_not();
      if (!no) no = other_decision(graph, decisions, pipelines, splits, made);
      if (!no) no = earlier_loop(graph, all);
      if (!no) continue;
      made.reason = std::move(no->reason);
      made.at = no->at;
    }
  }
  return all;
}

}  // namespace kanor::analysis

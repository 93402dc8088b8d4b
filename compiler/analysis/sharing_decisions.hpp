// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "analysis/pipelining.hpp"
#include "flow/flow_graph.hpp"

/// Decides which variables ranks share instead of copying them, and where a rank acquires exclusive use of
/// one and releases it (Jiao et al., "Partial Globalization of Partitioned Address Spaces for Zero-copy
/// Communication with Shared Memory", HiPC 2011).
namespace kanor::analysis {

enum class Action {
  acquire,    ///< exclusive use: the old value is kept
  overwrite,  ///< exclusive use: all of the old value is about to be overwritten
  release     ///< the value is not read again
};

/// An action that is inserted before or after a statement of the function.
struct Insertion {
  int statement = -1;
  bool after = false;
  Action action = Action::acquire;

  bool operator==(const Insertion&) const = default;
};

/// One connected component of a locking set, in node numbers of the function.
struct Component {
  std::vector<int> nodes;                    ///< ascending
  std::vector<std::pair<int, int>> entries;  ///< edges into it; (n, n): after a send within n
  std::vector<std::pair<int, int>> exits;    ///< edges out of it; (n, n) likewise
};

/// A block's value that this rank does not need after it is sent: a shared candidate gives its region away,
/// one whose values can only be moved its content.
struct Handover {
  int block = -1, block_statement = -1;
  flow::Location at;

  bool operator==(const Handover&) const = default;
};

struct Reason {
  enum class Kind {
    not_asked,      ///< --no-globalize, or [[kanor::local]]
    obstacle,       ///< from the candidate: `text` says it
    escapes,        ///< `text` says how
    not_exclusive,  ///< it is written where no statement can be put before that
    too_small,      ///< `number` bytes
    not_in_loop,    ///< the blocks that send or receive it are executed once
    much_reuse,     ///< it is used locally much more than it is communicated
    never_sent      ///< or never received: nothing to share
  };
  Kind kind = Kind::obstacle;
  flow::Location at;
  std::string text;
  long long number = 0;
};

/// The decision on one candidate of one function (an instantiation is a function of its own).
struct SharingDecision {
  int function = -1, candidate = -1;
  bool is_globalised = false;
  std::vector<Reason> reasons;   ///< why not; empty if it is
  std::vector<int> locking_set;  ///< nodes, ascending
  std::vector<Component> components;
  std::vector<Insertion> insertions;  ///< if it is
  std::vector<Handover> handovers;    ///< also of one that is not, if its values can be moved
};

using SharingDecisions = std::vector<SharingDecision>;

/// The candidate that the decision is about.
inline const flow::Candidate& candidate_of(const flow::FlowGraph& graph, const SharingDecision& decision) {
  return graph.functions[static_cast<std::size_t>(decision.function)]
      .candidates[static_cast<std::size_t>(decision.candidate)];
}

struct Options {
  bool globalize = true;  ///< false: --no-globalize
  /// Smaller objects travel faster as bytes. 0: whatever can be shared is, whether or not it pays.
  long long least_bytes = 4096;
  /// -fdelta: also blocks without the modifier `delta`, which may then also be split.
  bool pipelines_blocks = false;
  /// --no-copy-loops: false.
  bool replaces_loops = true;
};

/// One decision for each candidate, in their order. A decision holds for all instantiations of a template
/// (functions whose candidates are declared at the same place) or for none. Cost: for each candidate linear
/// in the function for each of its writes at each loop level, and for each statement. What `pipelines`
/// communicate is not shared.
SharingDecisions decide_sharing(const flow::FlowGraph& graph, const Options& options,
                                const Pipelines& pipelines = {});

/// The golden format of `kanorc --dump=analysis`.
void print(const flow::FlowGraph& graph, const SharingDecisions& decisions, std::ostream& out);

/// Throws std::logic_error unless, along every path, each write of a globalised variable follows an acquire
/// or overwrite with no send between, and nothing reads it after a release or a hand-over before it is
/// written.
void verify(const flow::FlowGraph& graph, const SharingDecisions& decisions);

}  // namespace kanor::analysis

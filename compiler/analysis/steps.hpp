// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <vector>

#include "analysis/calls.hpp"
#include "flow/dependence.hpp"
#include "flow/shape.hpp"

namespace kanor::analysis {

enum class StepKind {
  pass,     ///< the beginning of a node, or the branch at its end
  read,     ///< of some of it
  write,    ///< of some of it, or perhaps
  renewal,  ///< all of it is overwritten from here on before anything reads it
  birth,    ///< it is declared: a value of its own, which no other rank has
  send,
  receive
};

/// One access of a function to a candidate, or a node's beginning or branch.
struct Step {
  StepKind kind = StepKind::pass;
  int node = -1;
  const flow::Access* access = nullptr;  ///< none: a pass, or a loop nest is entered that overwrites all
  bool ends_value = false;               ///< the old value is not read after it
};

/// A function's flow graph with one access of the candidate per node. A node of the function becomes a
/// sequence: a pass, its accesses of the candidate in their order, and a pass where it branches (before which
/// another statement may end); calls whose function is seen become reads and writes. Where a loop is entered
/// whose nest overwrites all of the candidate, a renewal stands on each edge into it (and belongs to the node
/// that the edge leaves). Escapes are no steps: a candidate with one is not analysed further.
///
///     node 4: A = f(A); send A          4 pass -> 4 read -> 4 write -> 4 send -> 5 pass
class Steps {
 public:
  Steps(const flow::Function& function, const flow::Candidate& candidate, const Calls& calls);

  const flow::Function& function() const { return *function_; }
  const flow::Candidate& candidate() const { return *candidate_; }

  std::vector<Step> all;
  flow::Edges next, previous;
  std::vector<int> first, last;              ///< step of each node
  std::vector<bool> is_reached;              ///< from the function's entry
  std::vector<std::vector<int>> loops;       ///< around each node, outermost first
  std::vector<const flow::Access*> escapes;  ///< calls that may keep it among them
  /// For the writes of nests that overwrite all: the loop that the nest is; otherwise -1.
  std::vector<int> loop_nest;

  const Step& operator[](int step) const { return all[static_cast<std::size_t>(step)]; }
  /// The statement that a step is part of; -1: none, or not known.
  int statement(int step) const;
  /// Returns true if the node is in the loop.
  bool is_in_loop(int node, int loop) const;

 private:
  int add(StepKind kind, int node, const flow::Access* access, bool ends_value);
  void add_accesses(int node, const Calls& calls);
  void connect();

  const flow::Function* function_;
  const flow::Candidate* candidate_;
};

inline bool contains(const std::vector<int>& all, int one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

/// Returns true if `inner` is `outer` or part of it.
bool is_within(const flow::Function& function, int inner, int outer);

}  // namespace kanor::analysis

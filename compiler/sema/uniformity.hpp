// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <iosfwd>
#include <set>
#include <string>
#include <vector>

#include "flow/flow_graph.hpp"
#include "sema/agreement.hpp"
#include "text/diagnostic.hpp"

/// Which values are the same on all ranks of a team, as far as dataflow proves it. Plain data; worded by
/// report_nonuniform().
namespace kanor::sema {

/// A value that the analysis does not prove to be the same on all ranks.
struct NonuniformValue {
  flow::Location at;  ///< the value in the expression
  int variable = -1;  ///< if it is one
  Agreement agreement;
};

/// The findings on one expression of a block, over all instances of its function.
struct ExpressionUniformity {
  std::string role;
  int statement = 0;
  flow::Location at;
  std::vector<NonuniformValue> nonuniform;  ///< empty: the expression is uniform
};

/// The findings on one block, or on the split of a team, which has no expressions.
struct BlockUniformity {
  flow::Location at;
  bool is_split = false;
  int block = 0;          ///< counts the blocks of its file
  bool has_team = false;  ///< another one than the world, in some instance
  std::vector<ExpressionUniformity> expressions;
  Agreement reached;                ///< on whether it is reached
  std::vector<Agreement> doubtful;  ///< the same for each instance in which it does not hold
};

struct Uniformity {
  std::vector<Reason> reasons;
  std::vector<BlockUniformity> blocks;
  std::set<int> received;  ///< variables that a block replaces somewhere
};

/// Assumes that values agree and takes back what does not hold, through assignments, branches (what ranks do
/// that take different ways disagrees where the ways meet), calls (a function is looked at once for each
/// pattern of arguments that agree) and variables that several functions share. The graph must verify.
Uniformity find_uniformity(const flow::FlowGraph& graph);

/// Warns of expressions that ranks evaluate alike although their values may differ, and of blocks that not
/// all ranks may reach: once for each value and block, with what led there.
void report_nonuniform(const flow::FlowGraph& graph, const Uniformity& uniformity,
                       text::Diagnostics& diagnostics);

/// A line for each block and expression: the part of `kanorc --dump=sema` that says who agrees on what.
void print(const Uniformity& uniformity, std::ostream& out);

}  // namespace kanor::sema

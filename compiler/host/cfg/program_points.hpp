// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/ParentMap.h>
#include <clang/Analysis/CFG.h>

#include <compare>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "host/cfg/variables.hpp"

namespace kanor::host {

/// A point in a function: a node, an element of the node, and a phase that puts reads before writes.
struct ProgramPoint {
  int node = -1;
  int element = 0;
  int phase = 0;
  auto operator<=>(const ProgramPoint&) const = default;
};

/// The program points of a function's statements and blocks in Clang's graph.
class ProgramPoints {
 public:
  ProgramPoints(const Places& places, const clang::CFG& cfg,
                const std::function<int(const clang::CFGBlock*)>& node_of);

  /// The point of the innermost element of the graph that contains the statement.
  std::optional<ProgramPoint> of(const clang::Stmt* statement, const clang::ParentMap& parents) const;
  /// Returns true if the statement itself is an element of the graph, not just part of one.
  bool is_known(const clang::Stmt* statement) const { return elements_.contains(statement); }
  /// The point of a communicate block, with a statement that stands for the block; null if it is not in the
  /// function.
  const std::pair<const clang::Stmt*, ProgramPoint>* of_block(const FileMap::Entry* file, int block) const;

 private:
  void add(const clang::CFGBlock& block, int node);

  const Places& places_;
  std::map<const clang::Stmt*, ProgramPoint> elements_;
  std::map<std::pair<const FileMap::Entry*, int>, std::pair<const clang::Stmt*, ProgramPoint>> blocks_;
};

}  // namespace kanor::host

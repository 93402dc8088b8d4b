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

/// Where in a function something happens: node, the element of the node, and reads before writes.
struct ProgramPoint {
  int node = -1;
  int element = 0;
  int phase = 0;
  auto operator<=>(const ProgramPoint&) const = default;
};

/// When the statements and blocks of a function happen, by Clang's graph.
class ProgramPoints {
 public:
  ProgramPoints(const Places& places, const clang::CFG& cfg,
                const std::function<int(const clang::CFGBlock*)>& node_of);

  /// Of the innermost part of the graph that the statement belongs to.
  std::optional<ProgramPoint> of(const clang::Stmt* statement, const clang::ParentMap& parents) const;
  /// Whether the graph has the statement itself, and not only one that it is part of.
  bool is_known(const clang::Stmt* statement) const { return elements_.contains(statement); }
  /// Of a block of the source, with a statement that stands for it; null: it is not in the function.
  const std::pair<const clang::Stmt*, ProgramPoint>* of_block(const FileMap::Entry* file, int block) const;

 private:
  void add(const clang::CFGBlock& block, int node);

  const Places& places_;
  std::map<const clang::Stmt*, ProgramPoint> elements_;
  std::map<std::pair<const FileMap::Entry*, int>, std::pair<const clang::Stmt*, ProgramPoint>> blocks_;
};

}  // namespace kanor::host

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/program_points.hpp"

#include <algorithm>
#include <vector>

namespace kanor::host {

ProgramPoints::ProgramPoints(const Places& places, const clang::CFG& cfg,
                             const std::function<int(const clang::CFGBlock*)>& node_of)
    : places_(places) {
  // In the order of the text, so that a block's point is where it begins.
  std::vector<const clang::CFGBlock*> blocks(cfg.begin(), cfg.end());
  std::sort(blocks.begin(), blocks.end(),
            [&](const auto* a, const auto* b) { return node_of(a) < node_of(b); });
  for (const clang::CFGBlock* block : blocks) add(*block, node_of(block));
  // Of a declaration of several variables Clang's graph has one for each; what it does is dated at the first.
  for (auto one = cfg.synthetic_stmt_begin(); one != cfg.synthetic_stmt_end(); ++one) {
    const auto made = elements_.find(one->first);
    if (made == elements_.end()) continue;
    const auto [original, is_new] = elements_.try_emplace(one->second, made->second);
    if (!is_new) original->second = std::min(original->second, made->second);
  }
}

void ProgramPoints::add(const clang::CFGBlock& block, int node) {
  int at = 0;
  for (const clang::CFGElement& element : block) {
    ++at;
    const auto statement = element.getAs<clang::CFGStmt>();
    if (!statement) continue;
    const FileMap::Entry* file = nullptr;
    const int inside = places_.block_at(statement->getStmt()->getBeginLoc(), file);
    if (inside >= 0)
      blocks_.try_emplace({file, inside}, std::pair(statement->getStmt(), ProgramPoint{node, at, 0}));
    else
      elements_.try_emplace(statement->getStmt(), ProgramPoint{node, at, 0});
  }
  if (const clang::Stmt* condition = block.getTerminatorCondition())
    elements_.try_emplace(condition, ProgramPoint{node, at + 1, 0});
}

std::optional<ProgramPoint> ProgramPoints::of(const clang::Stmt* statement,
                                              const clang::ParentMap& parents) const {
  for (; statement != nullptr; statement = parents.getParent(statement))
    if (const auto found = elements_.find(statement); found != elements_.end()) return found->second;
  return std::nullopt;
}

const std::pair<const clang::Stmt*, ProgramPoint>* ProgramPoints::of_block(const FileMap::Entry* file,
                                                                           int block) const {
  const auto found = blocks_.find({file, block});
  return found == blocks_.end() ? nullptr : &found->second;
}

}  // namespace kanor::host

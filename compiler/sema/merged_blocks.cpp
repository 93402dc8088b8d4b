// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sema/merged_blocks.hpp"

#include <algorithm>

#include "sema/team_names.hpp"

namespace kanor::sema {

using flow::Unknown;
using flow::Use;
using Level = Agreement::Level;

BlockUniformity& MergedBlocks::block_of(const flow::Event& event) {
  for (BlockUniformity& block : blocks_)
    if (block.at == event.at) return block;
  BlockUniformity& block = blocks_.emplace_back();
  block.at = event.at;
  block.is_split = event.kind == flow::EventKind::split;
  block.block = event.block;
  for (const auto& judged : event.judged)
    block.expressions.push_back({judged.role, judged.statement, judged.at, {}});
  return block;
}

void MergedBlocks::add(const flow::Event& event, const Surroundings& here) {
  BlockUniformity& block = block_of(event);
  block.has_team |= here.team != TeamNames::world;
  const Agreement reached = here.for_the_reader(here.reached);
  weaken(block.reached, reached);
  if (!reached.holds()) block.doubtful.push_back(reached);
  for (std::size_t at = 0; at < event.judged.size() && at < block.expressions.size(); ++at)
    for (const Use& use : event.judged[at].uses) {
      const Agreement found = here.agreement(use);
      if (found.holds() || (found.level == Level::team && (!here.team || found.team == *here.team))) continue;
      auto& nonuniform = block.expressions[at].nonuniform;
      const bool known = std::any_of(nonuniform.begin(), nonuniform.end(),
                                     [&](const NonuniformValue& other) { return other.at == use.at; });
      if (!known)
        nonuniform.push_back(
            {use.at, use.unknown == Unknown::no ? use.variable : -1, here.for_the_reader(found)});
    }
}

std::vector<BlockUniformity> MergedBlocks::take() {
  std::vector<const text::Source*> sources;
  for (const BlockUniformity& block : blocks_)
    if (std::find(sources.begin(), sources.end(), block.at.source) == sources.end())
      sources.push_back(block.at.source);
  const auto place = [&](const BlockUniformity& block) {
    return std::pair(std::find(sources.begin(), sources.end(), block.at.source), block.at.span.begin);
  };
  std::stable_sort(blocks_.begin(), blocks_.end(),
                   [&](const BlockUniformity& a, const BlockUniformity& b) { return place(a) < place(b); });
  return std::move(blocks_);
}

}  // namespace kanor::sema

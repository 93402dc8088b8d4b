// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "flow/flow_graph.hpp"
#include "sema/uniformity.hpp"

namespace kanor::sema {

/// Merges the findings on a block over all instances of its function.
class MergedBlocks {
 public:
  struct Surroundings {
    Agreement reached;        ///< on whether the block is reached
    std::optional<int> team;  ///< the block's, as agreements name it; nothing if any may be meant
    std::function<Agreement(const flow::Use&)> agreement;
    std::function<Agreement(const Agreement&)> for_the_reader;  ///< in terms that hold everywhere
  };

  /// `event` is a block's.
  void add(const flow::Event& event, const Surroundings& here);
  /// In the order of the text.
  std::vector<BlockUniformity> take();

 private:
  BlockUniformity& block_of(const flow::Event& event);

  std::vector<BlockUniformity> blocks_;
};

}  // namespace kanor::sema

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lists of indices that a block's sections have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "exchange/block_state.hpp"

namespace kanor::rt {

/// Holds the list that is being made, and finds lists that are equal to it. Its memory is used again by the
/// next list. Belongs to one rank.
class IndexLists {
 public:
  /// Returns room for `count` indices, with those that have been written. The caller must write the rest.
  long long* room(std::size_t count) {
    if (list_.size() < count) list_.resize(count);
    return list_.data();
  }
  /// Returns the list of `count` indices that has been written, in `memory`: an equal one if that is kept
  /// already, else a copy. Costs time proportional to `count`.
  const long long* keep(std::size_t count, Kept& memory);
  /// Returns the first index that the list of `count` indices has twice; null if there is none.
  const long long* listed_twice(std::size_t count) const;
  /// Forgets what is kept. The memory is the caller's.
  void clear() {
    if (!kept_.empty()) kept_.clear();
  }

 private:
  std::vector<long long> list_;
  std::unordered_multimap<std::uint64_t, std::pair<const long long*, std::size_t>> kept_;  ///< by hash
};

}  // namespace kanor::rt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of a reduction's updates have the same place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "exchange/ends.hpp"

namespace kanor::rt {

/// The updates of one statement, grouped by place, in time proportional to their number. Contributions to a
/// place lie side by side, in the order of the updates:
///
///     updates        0:x  1:y  2:x  3:x  4:y          last of its group: 3 (x), 4 (y)
///     contributions  0 2 3 | 1 4                      positions 0 to 2 are those of x
///
/// Keeps its memory for the next statement: fresh memory would take longer than the grouping.
class PlaceGroups {
 public:
  /// Groups these updates, instead of those before. Two places are the same if their addresses are, or
  /// `proxy_bytes` bytes (unless 0) at their addresses.
  void group(const Update* updates, std::size_t count, std::size_t proxy_bytes);

  /// The position of update `i`'s contribution. To be called once for each update, in their order.
  std::size_t next_position(std::size_t i) { return groups_[group_of_[i]].filled++; }
  /// Returns true if no later update has this update's place.
  bool is_last(std::size_t i) const { return groups_[group_of_[i]].last == i; }
  /// The positions of this update's group: the first, and the one behind the last.
  std::pair<std::size_t, std::size_t> positions(std::size_t i) const {
    const Group& group = groups_[group_of_[i]];
    return {group.first, group.first + group.count};
  }

 private:
  struct Group {
    std::size_t first = 0, count = 0, filled = 0, last = 0;
  };
  std::vector<std::uint32_t> group_of_;  ///< of each update
  std::vector<Group> groups_;
  std::vector<std::uint32_t> table_;  ///< by the places' hashes: numbers of groups
};

}  // namespace kanor::rt

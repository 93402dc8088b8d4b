// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between blocks with gaps and contiguous memory that another core uses as well: a message.
#pragma once

#include <cstddef>
#include <cstdint>

#include "layout/block_row.hpp"

namespace kanor::rt {

/// Which of two ways of doing the same took less time, of late: the direct one, or the detour. Tries both now
/// and then, since ranks may move to other cores. Not thread-safe.
class Detour {
 public:
  /// Counts a copy. Returns true if it is to be done in halves, one in each way.
  bool is_tried_now();
  /// The way to take otherwise.
  bool is_faster() const { return is_faster_; }
  /// Notes the times of two halves, in any unit.
  void note(std::uint64_t direct, std::uint64_t detour);
  /// The half that is done first is to be another one each time.
  bool begins() const { return trials_ % 2 == 0; }

 private:
  static constexpr unsigned first_trials = 8, copies_between = 64;

  double direct_ = 0, detour_ = 0;  ///< times; older ones count less
  unsigned trials_ = 0, copies_ = 0;
  bool is_faster_ = false;
};

/// Copies the first `count` blocks of `from` to those of `to`, of which one side has no gaps. Messages are
/// written by one core and read by another. A core waits for each line that another one has, with small moves
/// more than with a long memcpy(). Where that takes longer than to copy twice, blocks are gathered in memory
/// of this core, and copied to a message from there; and the reverse.
void copy_to_or_from_message(const BlockRow& to, const BlockRow& from, std::size_t count);

/// The two ways. For tests too.
void copy_directly(const BlockRow& to, const BlockRow& from, std::size_t count);
void copy_by_detour(BlockRow to, BlockRow from, std::size_t count);

}  // namespace kanor::rt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of one length with gaps between them, and copying them to other such blocks: the inner loops of
// all copies of data with gaps.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kanor::rt {

/// Blocks of the same length, at a stride or at listed offsets. Addresses are numbers: of elements with
/// absolute addresses the first one is at none. Owns nothing.
struct BlockRow {
  std::uintptr_t at = 0;                    ///< the first block, or what the offsets count from
  std::ptrdiff_t stride = 0;                ///< from one block to the next
  const std::ptrdiff_t* offsets = nullptr;  ///< one for each block; null: they are at a stride
  std::size_t count = 0;
  std::size_t bytes = 0;  ///< of each block

  bool is_dense() const { return !offsets && stride == static_cast<std::ptrdiff_t>(bytes); }
  std::uintptr_t first() const { return offsets ? at + static_cast<std::uintptr_t>(*offsets) : at; }
  /// Leaves out the first `blocks` blocks.
  void pass(std::size_t blocks) {
    if (offsets)
      offsets += blocks;
    else
      at += static_cast<std::uintptr_t>(stride) * blocks;
    count -= blocks;
  }
};

/// Copies the first `count` blocks of `from` to those of `to`, in their order. The two sides have blocks of
/// the same length, and do not overlap. Blocks of less than 128 bytes are moved by loops without calls.
void copy_blocks(const BlockRow& to, const BlockRow& from, std::size_t count);

}  // namespace kanor::rt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runs of a nest, as rows of equal blocks in the order in which they are packed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "layout/block_row.hpp"
#include "layout/nest.hpp"

namespace kanor::rt {

/// A place among the bytes of nests that follow each other at a stride without end, or of one endless block.
/// Moving on takes a time that grows with the depth of the nest. Takes memory if the nest is deeper than
/// usual. The nest must outlive it.
class BlockWalk {
 public:
  /// Of one block.
  explicit BlockWalk(std::uintptr_t at);
  /// Of nests, the first at this address, from packed byte `begin` on. The nest has bytes.
  BlockWalk(const Nest& nest, std::uintptr_t at, std::ptrdiff_t stride, std::size_t begin);
  BlockWalk(const BlockWalk&) = delete;
  BlockWalk& operator=(const BlockWalk&) = delete;

  /// The blocks from here on until their length, or the rule for their addresses, changes. There is one at
  /// least.
  const BlockRow& blocks() const { return blocks_; }
  /// The bytes of the first block that have been passed.
  std::size_t passed() const { return passed_; }
  /// The address of the next byte, and how many follow it in its block.
  std::uintptr_t at() const { return blocks_.first() + passed_; }
  std::size_t rest() const { return blocks_.bytes - passed_; }

  void pass_blocks(std::size_t count) {
    passed_ = 0;
    blocks_.pass(count);
    if (blocks_.count == 0) find_next();
  }
  /// Passes at most the rest of the block.
  void pass_bytes(std::size_t bytes) {
    passed_ += bytes;
    if (passed_ == blocks_.bytes) pass_blocks(1);
  }

 private:
  /// A nest that is being walked through. Its parts are runs, copies of an inner nest, or nests.
  struct Frame {
    const Nest* nest;
    std::uintptr_t at;
    std::size_t next;  ///< part
  };
  static constexpr std::size_t usual_depth = 6;

  void enter(const Nest& nest, std::uintptr_t at, std::size_t begin);
  void find_next();
  bool take_part(Frame& frame, std::size_t begin);

  BlockRow blocks_;
  std::size_t passed_ = 0;
  const Nest* nest_ = nullptr;  ///< that is repeated without end
  std::uintptr_t nest_at_ = 0;  ///< the next one
  std::ptrdiff_t nest_stride_ = 0;
  std::size_t depth_ = 0;
  std::array<Frame, usual_depth> usual_;
  std::unique_ptr<Frame[]> deep_;
  Frame* frames_ = usual_.data();
};

/// Copies bytes from where one walk is to where the other is. The memory of the two does not overlap.
void copy(BlockWalk& to, BlockWalk& from, std::size_t bytes);

}  // namespace kanor::rt

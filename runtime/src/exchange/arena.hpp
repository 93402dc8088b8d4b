// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that lives until the end of a block.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

namespace kanor::rt {

/// Hands out zeroed memory piece by piece and takes all of it back at once, keeping the first chunk for the
/// next time. Pieces do not move. Belongs to one thread.
class Arena {
 public:
  void* allocate(std::size_t bytes, std::size_t alignment) {
    std::size_t space = static_cast<std::size_t>(end_ - at_);
    void* piece = at_;
    if (at_ == nullptr || std::align(alignment, bytes, piece, space) == nullptr) {
      const std::size_t chunk = std::max(bytes + alignment, chunk_bytes);
      chunks_.push_back(std::make_unique<std::byte[]>(chunk));
      piece = chunks_.back().get();
      end_ = chunks_.back().get() + chunk;
      space = chunk;
      std::align(alignment, bytes, piece, space);
    }
    at_ = static_cast<std::byte*>(piece) + bytes;
    std::memset(piece, 0, bytes);
    return piece;
  }

  void clear() {
    if (chunks_.empty()) return;
    if (chunks_.size() > 1) {
      chunks_.clear();
      at_ = end_ = nullptr;
    } else {
      at_ = chunks_.front().get();
    }
  }

 private:
  static constexpr std::size_t chunk_bytes = 4096;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::byte* at_ = nullptr;
  std::byte* end_ = nullptr;
};

}  // namespace kanor::rt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that lives until the end of a block.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace kanor::rt {

/// Hands out zeroed memory piece by piece and takes all of it back at once, keeping the last chunk for the next
/// time. Pieces do not move, not even when the arena does. Belongs to one thread.
class Arena {
 public:
  Arena() = default;
  Arena(Arena&& other) noexcept { *this = std::move(other); }
  Arena& operator=(Arena&& other) noexcept {
    chunks_ = std::exchange(other.chunks_, {});
    at_ = std::exchange(other.at_, nullptr);
    end_ = std::exchange(other.end_, nullptr);
    return *this;
  }

  void* allocate(std::size_t bytes, std::size_t alignment) {
    std::size_t space = static_cast<std::size_t>(end_ - at_);
    void* piece = at_;
    if (at_ == nullptr || std::align(alignment, bytes, piece, space) == nullptr) {
      const std::size_t chunk = std::max(bytes + alignment, next_chunk_bytes());
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

  /// What has been handed out, and its memory; this arena is empty then.
  Arena take() { return hands_out() ? std::move(*this) : Arena(); }

  void clear() {
    if (chunks_.empty()) return;
    chunks_.erase(chunks_.begin(), chunks_.end() - 1);
    at_ = chunks_.front().get();
  }

 private:
  static constexpr std::size_t first_chunk_bytes = 64;  // few exchanges want more, and many may be pending
  static constexpr std::size_t most_chunk_bytes = 4096;

  bool hands_out() const { return !chunks_.empty() && at_ != chunks_.front().get(); }
  std::size_t next_chunk_bytes() const {
    if (chunks_.empty()) return first_chunk_bytes;
    return std::min(2 * static_cast<std::size_t>(end_ - chunks_.back().get()), most_chunk_bytes);
  }

  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::byte* at_ = nullptr;
  std::byte* end_ = nullptr;
};

}  // namespace kanor::rt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that lives until the end of a block.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace kanor::rt {

/// Hands out zeroed memory piece by piece and takes all of it back at once, keeping the last chunk for the
/// next time. Pieces do not move, not even when the arena does. Belongs to one thread.
class Arena {
 public:
  Arena() = default;
  Arena(Arena&& other) noexcept { swap(other); }
  Arena& operator=(Arena&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Arena() {
    clear();
    ::operator delete(last_);
  }

  void* allocate(std::size_t bytes, std::size_t alignment) {
    std::size_t space = static_cast<std::size_t>(end_ - at_);
    void* piece = at_;
    if (at_ == nullptr || std::align(alignment, bytes, piece, space) == nullptr) {
      add_chunk(bytes + alignment);
      piece = at_;
      space = static_cast<std::size_t>(end_ - at_);
      std::align(alignment, bytes, piece, space);
    }
    at_ = static_cast<std::byte*>(piece) + bytes;
    std::memset(piece, 0, bytes);
    return piece;
  }

  /// Moves the pieces handed out, and their memory, to the arena returned; this one is empty then.
  Arena take() {
    const bool hands_out = last_ && (last_->before || at_ != begin());
    return hands_out ? std::move(*this) : Arena();
  }

  void clear() {
    if (!last_) return;
    while (Chunk* const chunk = last_->before) {
      last_->before = chunk->before;
      ::operator delete(chunk);
    }
    at_ = begin();
  }

 private:
  /// The header of a chunk of memory, which follows it.
  struct Chunk {
    Chunk* before;
  };
  static constexpr std::size_t first_chunk_bytes = 16;  // few exchanges want more, and many may be pending
  static constexpr std::size_t chunk_bytes = 4096;

  std::byte* begin() const { return reinterpret_cast<std::byte*>(last_ + 1); }

  void add_chunk(std::size_t needed_bytes) {
    const std::size_t twice = 2 * static_cast<std::size_t>(last_ ? end_ - begin() : 0);
    const std::size_t bytes = std::max(needed_bytes, std::clamp(twice, first_chunk_bytes, chunk_bytes));
    last_ = ::new (::operator new(sizeof(Chunk) + bytes)) Chunk{last_};
    at_ = begin();
    end_ = at_ + bytes;
  }

  void swap(Arena& other) {
    std::swap(last_, other.last_);
    std::swap(at_, other.at_);
    std::swap(end_, other.end_);
  }

  Chunk* last_ = nullptr;
  std::byte* at_ = nullptr;
  std::byte* end_ = nullptr;
};

}  // namespace kanor::rt

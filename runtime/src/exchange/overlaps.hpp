// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of many pieces of storage meet: checked mode.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace kanor::rt {

/// Finds two pieces of storage that overlap and belong to different owners, numbers that the caller gives.
class Overlaps {
 public:
  void add(std::size_t owner, const void* data, std::size_t bytes, std::size_t count,
           std::size_t stride_bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(data);
    if (count > 1 && stride_bytes == bytes) {
      pieces_.push_back({begin, begin + bytes * count, owner});
      return;
    }
    for (std::size_t i = 0; i < count; ++i)
      pieces_.push_back({begin + i * stride_bytes, begin + i * stride_bytes + bytes, owner});
  }

  /// Returns two owners, the lower one first; nothing if no pieces of different owners overlap. Takes n log n
  /// steps.
  std::optional<std::pair<std::size_t, std::size_t>> find() {
    std::sort(pieces_.begin(), pieces_.end(),
              [](const Piece& a, const Piece& b) { return a.begin < b.begin; });
    // Of those before: the one that reaches farthest, and the one that does so of other owners.
    Piece farthest{0, 0, none}, second{0, 0, none};
    for (const Piece& piece : pieces_) {
      const Piece& other = piece.owner == farthest.owner ? second : farthest;
      if (other.end > piece.begin) return std::minmax(piece.owner, other.owner);
      if (piece.owner == farthest.owner) {
        farthest.end = std::max(farthest.end, piece.end);
      } else if (piece.end > farthest.end) {
        second = farthest;
        farthest = piece;
      } else if (piece.end > second.end) {
        second = piece;
      }
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  struct Piece {
    std::uintptr_t begin, end;
    std::size_t owner;
  };
  std::vector<Piece> pieces_;
};

}  // namespace kanor::rt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the bytes of something lie that is not one block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kanor::rt {

/// A run of consecutive bytes; `offset` counts from the first byte of all.
struct Piece {
  std::size_t offset = 0;
  std::size_t bytes = 0;
  bool operator==(const Piece&) const = default;
};

/// The layout of an element of some type: its pieces, ascending and apart, and the distance to the next
/// element. A value; takes memory for each piece.
class Pieces {
 public:
  static Pieces block(std::size_t bytes);
  /// These pieces, and the distance to the next element, at least to the last one's end.
  static Pieces of(std::vector<Piece> pieces, std::size_t extent_bytes);
  /// `count` elements, each so many bytes behind the one before; at least extent_bytes().
  Pieces repeated(std::size_t count, std::size_t stride_bytes) const;

  std::size_t bytes() const { return bytes_; }                ///< of all pieces
  std::size_t extent_bytes() const { return extent_bytes_; }  ///< from one element to the next
  const std::vector<Piece>& pieces() const { return pieces_; }
  /// Returns true if elements that follow each other are one block.
  bool is_block() const { return bytes_ == extent_bytes_; }

  /// The bytes from the first one of `count` elements to the end of the last.
  std::size_t reach_bytes(std::size_t count) const;
  /// A hash of the places of the bytes of `count` elements: the same for the same places, and hardly ever for
  /// others.
  std::uint64_t signature(std::size_t count) const;

  /// Copies `count` elements to where they follow each other without gaps.
  void pack(std::byte* to, const std::byte* elements, std::size_t count) const;
  /// The reverse, with the first `bytes` bytes of what was packed.
  void unpack(std::byte* elements, const std::byte* from, std::size_t bytes) const;

 private:
  std::vector<Piece> pieces_;
  std::size_t bytes_ = 0, extent_bytes_ = 0;
};

}  // namespace kanor::rt

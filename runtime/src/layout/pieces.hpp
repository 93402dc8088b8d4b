// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the bytes of something lie that is not one block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kanor::rt {

/// Neighbouring bytes, so many behind the first one of all.
struct Piece {
  std::size_t offset = 0;
  std::size_t bytes = 0;
  bool operator==(const Piece&) const = default;
};

/// The pieces of one element of some type, ascending and apart, and how far behind it the next element
/// begins. A value; takes memory for each piece.
class Pieces {
 public:
  static Pieces block(std::size_t bytes);
  /// `count` elements, each so many bytes behind the one before; at least extent_bytes().
  Pieces repeated(std::size_t count, std::size_t stride_bytes) const;

  std::size_t bytes() const { return bytes_; }                ///< of all pieces
  std::size_t extent_bytes() const { return extent_bytes_; }  ///< from one element to the next
  const std::vector<Piece>& pieces() const { return pieces_; }
  /// Whether elements that follow each other are one block.
  bool is_block() const { return bytes_ == extent_bytes_; }

  /// From the first byte of `count` elements to behind their last one.
  std::size_t reach_bytes(std::size_t count) const;
  /// A number that those have in common who have the same bytes at the same places, in `count` elements;
  /// others hardly ever.
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

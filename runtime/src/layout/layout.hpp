// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the bytes of elements lie, in any order and with any distance from one element to the next.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "layout/nest.hpp"
#include "layout/pieces.hpp"

namespace kanor::rt {

/// One end of the elements of a layout, seen from an element's address.
struct Bound {
  std::ptrdiff_t at = 0;
  bool is_given = false;  ///< the program has set it: no other end of a part counts then
};

/// The layout of an element of some type: its runs of bytes, its bounds, whose distance is that to the next
/// element, and its alignment. A value, of which copies share the runs.
class Layout {
 public:
  struct Part {
    std::ptrdiff_t offset;
    const Layout* layout;
  };

  /// A block, at an element's address.
  static Layout block(std::size_t bytes, std::size_t alignment);
  /// No bytes but a bound, which the program has set.
  static Layout lower_marker();
  static Layout upper_marker();

  /// `count` elements, each `stride` bytes behind the one before. This and what follows throws
  /// std::overflow_error where offsets or bytes would be more than any memory has.
  Layout repeated(std::size_t count, std::ptrdiff_t stride) const;
  Layout repeated(std::size_t count) const { return repeated(count, extent()); }
  /// Layouts one after the other, each at its offset. `padded`: the next element keeps the alignment.
  static Layout sequence(std::span<const Part> parts, bool padded);
  /// The same runs with these bounds, which count as set by the program.
  Layout resized(std::ptrdiff_t lower, std::ptrdiff_t extent) const;

  std::size_t bytes() const { return nest_->bytes(); }  ///< of all runs
  std::ptrdiff_t lower() const { return lower_.at; }
  std::ptrdiff_t upper() const { return upper_.at; }
  std::ptrdiff_t extent() const { return upper_.at - lower_.at; }  ///< from one element to the next
  /// The first byte, and the end of the last, of all runs; 0 if there are none.
  std::ptrdiff_t first() const { return first_; }
  std::ptrdiff_t last() const { return last_; }
  /// The same of `count` elements.
  std::ptrdiff_t first_of(std::size_t count) const;
  std::ptrdiff_t last_of(std::size_t count) const;

  /// Returns true if elements that follow each other are one block, which begins at the first one's address.
  bool is_block() const { return is_block_; }
  /// The address of the one block that `count` elements are; null if they are several, or none.
  const void* only_block(const void* elements, std::size_t count) const;
  /// The pieces of an element, whose extent at least reaches to their end; nothing if they do not ascend, or
  /// begin before the element's address, or if `count` elements overlap.
  std::optional<Pieces> pieces(std::size_t count) const;

  /// Copies `count` elements to where they follow each other without gaps.
  void pack(std::byte* to, const std::byte* elements, std::size_t count) const {
    pack(to, elements, 0, count * bytes());
  }
  /// The same with the bytes from `begin` to `end` of what is packed; the first of them goes to `to`.
  void pack(std::byte* to, const std::byte* elements, std::size_t begin, std::size_t end) const {
    nest_->pack(to, elements, extent(), begin, end);
  }
  /// The reverse, with the first `bytes` bytes of what was packed.
  void unpack(std::byte* elements, const std::byte* from, std::size_t bytes) const {
    unpack(elements, from, 0, bytes);
  }
  void unpack(std::byte* elements, const std::byte* from, std::size_t begin, std::size_t end) const {
    nest_->unpack(elements, extent(), from, begin, end);
  }

  /// Copies the bytes from `begin` to `end` of what `from_layout` would pack to where `to_layout` would
  /// unpack them. The two do not overlap.
  friend void copy(const Layout& to_layout, std::byte* to, const Layout& from_layout, const std::byte* from,
                   std::size_t begin, std::size_t end);

 private:
  explicit Layout(Nest::Pointer nest) : nest_(std::move(nest)) {}
  void widen(const Layout& part, std::ptrdiff_t offset);
  void pad();
  void finish();

  Nest::Pointer nest_;
  Bound lower_, upper_;
  std::ptrdiff_t first_ = 0, last_ = 0;
  std::size_t alignment_ = 1;
  bool has_bounds_ = false;  ///< there are bytes or bounds
  bool is_block_ = false;
};

}  // namespace kanor::rt

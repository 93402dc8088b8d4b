// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that messages live in: one piece of memory for all ranks of a machine, handed out in large ones.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memory/footprint.hpp"
#include "platform/mapping.hpp"

namespace kanor::rt {

/// A buddy allocator that lies in front of what it hands out, in memory that all ranks of a machine see at
/// one address. Thread-safe, and safe between processes; a lock guards it, so pools keep what they use often.
///
///     this ->   | lock, heads |
///     notes     |next previous order free| ...          one a unit, apart from it, so that free memory stays
///                                                       untouched
///     units     |256 KiB|256 KiB| ...                   the first on a multiple of alignment_bytes
///     pieces    |0      |1      |2 3 4 5 ...            2^order units each, on a multiple of their size (up
///                                                       to alignment_bytes), so that huge pages fit
class Segment {
 public:
  static constexpr std::size_t unit_bytes = std::size_t{256} << 10;
  static constexpr std::size_t least_bytes = 16 * unit_bytes;
  static constexpr std::size_t alignment_bytes = std::size_t{2} << 20;  ///< of x86-64's huge pages

  /// The size of a segment for so many bytes: whole units, and at least least_bytes.
  static std::size_t rounded(std::size_t bytes);
  /// The memory that a segment of rounded() bytes takes, with itself and at any page's beginning.
  static std::size_t bytes_for(std::size_t bytes);

  /// Must be made at the beginning of bytes_for(bytes) bytes of zeros, which are of a mapping of this kind.
  /// `bytes` is rounded(). Huge pages of `huge_page_bytes` are asked for where they fit; 0: nowhere.
  Segment(Sharing sharing, std::size_t bytes, std::size_t huge_page_bytes);
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  std::size_t bytes() const { return bytes_; }

  /// A piece of at least `bytes` bytes, aligned to their next power of two, from unit_bytes up to
  /// alignment_bytes; null when there is none. Its content is undefined.
  std::byte* allocate(std::size_t bytes);
  /// Gets memory for the first `bytes` bytes of the piece, or of a part of it, which its holder is about to
  /// use. Touches their pages; of alignment_bytes or more, which may stay unused, it asks for huge pages
  /// where the holder has not touched them: as many as it fills, since the rest of the last one would be
  /// wasted.
  void prepare(std::byte* piece, std::size_t bytes) const;
  /// Takes a piece of allocate() back, and gives its pages to the system. `bytes` as it was asked for.
  void release(std::byte* piece, std::size_t bytes);

  /// Returns true if the byte is one of those that are handed out in pieces.
  bool has(const void* byte) const {
    return static_cast<std::size_t>(static_cast<const std::byte*>(byte) - units_) < bytes_;
  }

  /// Bytes handed out at present.
  std::size_t used_bytes() const;

  /// The memory that all pools together have made blocks of; they update it.
  Footprint& footprint() { return footprint_; }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;
  static constexpr int orders = 32;
  struct Note {
    std::uint32_t next, previous;
    std::uint8_t order, free;
  };
  class Guard;

  void push(std::uint32_t unit, int order);
  void remove(std::uint32_t unit, int order);

  const Sharing sharing_;
  const std::size_t huge_page_bytes_;  ///< 0: none
  const int top_order_;
  const std::size_t bytes_;
  Note* const notes_;  // addresses that are good in every process
  std::byte* const units_;
  mutable std::atomic<std::uint32_t> lock_{0};  ///< futex: 0 free, 1 held, 2 held and waited for; see Guard
  std::uint32_t first_[orders];                 ///< free pieces of each order
  std::size_t used_units_ = 0;
  Footprint footprint_;
};

}  // namespace kanor::rt

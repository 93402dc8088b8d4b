// The memory that messages live in: one mapping for all ranks of a machine, handed out in large pieces.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "platform/mapping.hpp"

namespace kanor::rt {

/// A buddy allocator over a mapping. Thread-safe, and safe between processes that were forked after it was
/// made; a lock guards it, so pools keep what they use often.
///
///     pieces    |0      |1      |2 3 4 5 ...            2^order units each, on a multiple of their size
///     units     |256 KiB|256 KiB| ...                   `mapping`
///     notes     |next previous order free| ...          one a unit, in `notes`, so that free memory stays
///     untouched
class Segment {
 public:
  static constexpr std::size_t unit_bytes = std::size_t{256} << 10;

  /// Maps up to `bytes` bytes (rounded down to a power of two, at least 16 units), less if the system has no
  /// room for them. ok() says whether it worked at all.
  Segment(Sharing sharing, std::size_t bytes);
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  bool ok() const { return units_.data() && notes_.data(); }
  std::size_t bytes() const { return units_.bytes(); }
  Sharing sharing() const { return units_.sharing(); }

  /// A piece of at least `bytes` bytes, aligned to unit_bytes; null when there is none. Its content is
  /// undefined.
  std::byte* allocate(std::size_t bytes);
  /// Takes a piece of allocate() back, and gives its pages to the system. `bytes` as it was asked for.
  void release(std::byte* piece, std::size_t bytes);

  /// Bytes handed out at present.
  std::size_t used_bytes() const;

 private:
  static constexpr std::uint32_t none = 0xffffffffu;
  static constexpr int orders = 32;
  struct Note {
    std::uint32_t next, previous;
    std::uint8_t order, free;
  };
  struct Heads {
    std::atomic<std::uint32_t> lock{0};  ///< futex: 0 free, 1 held, 2 held and waited for
    std::uint32_t first[orders];         ///< free pieces of each order
    std::size_t used_units = 0;
  };
  class Guard;

  Note* notes() const;
  void push(std::uint32_t unit, int order);
  void remove(std::uint32_t unit, int order);

  Mapping units_;
  Mapping notes_;
  Heads* heads_ = nullptr;
  int top_order_ = 0;
};

}  // namespace kanor::rt

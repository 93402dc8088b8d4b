// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of bytes in an order, of which regular ones are not enumerated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace kanor::rt {

/// Consecutive bytes; `offset` counts from an element's address, and may be negative.
struct Run {
  std::ptrdiff_t offset = 0;
  std::size_t bytes = 0;
  bool operator==(const Run&) const = default;
};

/// Runs of bytes in the order in which they are packed: a list of runs, a nest that is repeated at a stride,
/// or a list of nests. They may overlap, and need not ascend. Does not change once it is made, so nests share
/// their parts. Takes memory, and copying takes time, for each run and not for each byte; a nest that is
/// repeated takes memory once.
class Nest {
 public:
  using Pointer = std::shared_ptr<const Nest>;
  struct Part {
    std::ptrdiff_t offset;
    Pointer nest;
  };

  static Pointer block(std::size_t bytes);
  /// A nest `count` times, each `stride` bytes behind the one before. This and sequence() throw
  /// std::overflow_error where there would be more bytes than any memory has.
  static Pointer repeated(const Pointer& nest, std::size_t count, std::ptrdiff_t stride);
  /// Nests one after the other, each at its offset.
  static Pointer sequence(std::span<const Part> parts);

  std::size_t bytes() const { return bytes_; }  ///< of all runs
  /// The only run; null if there are several, or none.
  const Run* only_run() const { return shape_ == Shape::runs && runs_.size() == 1 ? runs_.data() : nullptr; }

  /// Copies `count` nests, each `stride` bytes behind the one before, to where they follow each other without
  /// gaps.
  void pack(std::byte* to, const std::byte* from, std::size_t count, std::ptrdiff_t stride) const;
  /// The reverse, with the first `bytes` bytes of what was packed.
  void unpack(std::byte* to, std::ptrdiff_t stride, const std::byte* from, std::size_t bytes) const;

  /// Calls `use(offset, bytes)` for each run, in their order.
  template <class Use>
  void for_each_run(std::ptrdiff_t at, Use& use) const {
    for (const Run& run : runs_) use(at + run.offset, run.bytes);
    for (std::size_t i = 0; i < count_; ++i)
      inner_->for_each_run(at + static_cast<std::ptrdiff_t>(i) * stride_, use);
    for (const Part& part : parts_) part.nest->for_each_run(at + part.offset, use);
  }

 private:
  enum class Shape : unsigned char { runs, repeated, sequence };

  static Pointer of_runs(std::vector<Run> runs);
  void add(std::size_t bytes, std::size_t count);

  // Addresses are numbers here: of elements with absolute addresses the first one is at none.
  std::byte* pack_one(std::byte* to, std::uintptr_t from) const;
  const std::byte* unpack_one(std::uintptr_t to, const std::byte* from) const;
  void unpack_part(std::uintptr_t to, const std::byte*& from, std::size_t& bytes) const;

  Shape shape_ = Shape::runs;
  std::size_t bytes_ = 0;
  std::vector<Run> runs_;
  std::size_t count_ = 0;  ///< of a nest that is repeated
  std::ptrdiff_t stride_ = 0;
  Pointer inner_;
  std::vector<Part> parts_;
};

}  // namespace kanor::rt

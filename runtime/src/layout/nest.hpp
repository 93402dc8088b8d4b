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
  std::size_t before = 0;  ///< bytes that are packed before these, in the same nest
};

/// Runs of bytes in the order in which they are packed: a list of runs, a nest that is repeated at a stride,
/// or a list of nests. They may overlap, and need not ascend. Does not change once it is made, so nests share
/// their parts. Takes memory, and copying takes time, for each run and not for each byte; a nest that is
/// repeated takes memory once. Of runs of the same length only the offsets are kept.
class Nest {
 public:
  using Pointer = std::shared_ptr<const Nest>;
  struct Part {
    std::ptrdiff_t offset;
    Pointer nest;
    std::size_t before = 0;  ///< as Run's
  };

  static Pointer block(std::size_t bytes);
  /// A nest `count` times, each `stride` bytes behind the one before. This and sequence() throw
  /// std::overflow_error where there would be more bytes than any memory has.
  static Pointer repeated(const Pointer& nest, std::size_t count, std::ptrdiff_t stride);
  /// Nests one after the other, each at its offset.
  static Pointer sequence(std::span<const Part> parts);

  std::size_t bytes() const { return bytes_; }  ///< of all runs
  /// The only run; null if there are several, or none.
  const Run* only_run() const { return runs_.size() == 1 ? runs_.data() : nullptr; }

  /// Packs nests, each `stride` bytes behind the one before: copies them to where they follow each other
  /// without gaps. Of what is packed, the bytes from `begin` to `end` alone are copied; the first goes to
  /// `to`. Takes a time that grows with the logarithm of the number of runs, for the first byte, and with
  /// the number of runs from there on.
  void pack(std::byte* to, const std::byte* from, std::ptrdiff_t stride, std::size_t begin,
            std::size_t end) const;
  /// The reverse.
  void unpack(std::byte* to, std::ptrdiff_t stride, const std::byte* from, std::size_t begin,
              std::size_t end) const;

  /// Calls `use(offset, bytes)` for each run, in their order.
  template <class Use>
  void for_each_run(std::ptrdiff_t at, Use& use) const {
    for (const Run& run : runs_) use(at + run.offset, run.bytes);
    for (const std::ptrdiff_t offset : offsets_) use(at + offset, run_bytes_);
    for (std::size_t i = 0; i < count_; ++i)
      inner_->for_each_run(at + static_cast<std::ptrdiff_t>(i) * stride_, use);
    for (const Part& part : parts_) part.nest->for_each_run(at + part.offset, use);
  }

 private:
  friend class BlockWalk;

  static Pointer of_runs(std::vector<Run> runs);
  void add(std::size_t bytes, std::size_t count);

  std::size_t bytes_ = 0;
  std::size_t depth_ = 1;  ///< how many nests are around a run at most, this one included
  // One of these four, or none.
  std::vector<Run> runs_;
  std::vector<std::ptrdiff_t> offsets_;  ///< of several runs of the same length
  Pointer inner_;                        ///< a nest that is repeated
  std::vector<Part> parts_;
  std::size_t run_bytes_ = 0;  ///< of each run whose offset is listed
  std::size_t count_ = 0;      ///< of the one that is repeated
  std::ptrdiff_t stride_ = 0;
};

}  // namespace kanor::rt

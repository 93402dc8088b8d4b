// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long messages travel on this machine.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

namespace kanor::rt {

/// The lengths at which messages with tags (of kanor/mpi.h and kanor/delta.h, and of pipelined blocks) begin
/// to travel in another way. The best ones depend on how large the caches of the cores are, and on how fast a
/// core reads what another one has written. These are the values for a machine that kanor-tune has not
/// measured (docs/performance.md, "Thresholds").
struct Tuning {
  /// The shortest message of one block that is offered: between threads of one process, the receiver copies
  /// it once, from where the sender has it. Of a shorter one the sender copies the bytes while the receiver
  /// copies those of the message before, and neither waits for the other.
  std::size_t least_offered_block = std::size_t{192} << 10;
  /// The same for a message that has gaps at its sender: from the cache of a far core, many short blocks come
  /// more slowly than one long one.
  std::size_t least_offered_with_gaps = std::size_t{192} << 10;
  /// The shortest message of one block that is copied in parts, twice: the sender copies one part while the
  /// receiver copies the part before. A message with gaps is, if it has two parts.
  std::size_t least_block_in_parts = std::size_t{1} << 20;
  /// The shortest and the longest part, each with what stands before its bytes.
  std::size_t least_part_bytes = std::size_t{64} << 10;
  std::size_t most_part_bytes = std::size_t{256} << 10;

  /// With so many bytes before it, a part fits a piece of message memory, whose size is a power of two.
  static constexpr std::size_t before_part = 256;

  std::size_t least_offered(bool has_gaps) const {
    return has_gaps ? least_offered_with_gaps : least_offered_block;
  }
  /// The part of a message of so many bytes, with what stands before it: an eighth, rounded down to a power
  /// of two.
  std::size_t part_bytes(std::size_t bytes) const {
    constexpr std::size_t parts = 8;
    return std::clamp(std::bit_floor(bytes / parts), least_part_bytes, most_part_bytes);
  }
  bool operator==(const Tuning&) const = default;
};

}  // namespace kanor::rt

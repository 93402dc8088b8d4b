// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long messages travel on this machine.
#pragma once

#include <cstddef>

namespace kanor::rt {

/// The lengths at which messages of MPI programs begin to travel in another way. Which are best depends on
/// the machine: how fast its cores read each other's caches, and how large these are. These are the values
/// for a machine that kanor-tune has not measured (docs/performance.md, "Thresholds").
struct Tuning {
  /// The shortest message that is offered: between threads of one process, the receiver copies it once, from
  /// where the sender has it. Of a shorter one the sender copies the bytes while the receiver copies those of
  /// the message before, and neither waits for the other.
  std::size_t least_offered_bytes = std::size_t{192} << 10;
  /// The shortest message of one block that is copied in parts, twice: the sender copies one part while the
  /// receiver copies the part before. Messages with gaps are, if they have two parts.
  std::size_t least_block_in_parts = std::size_t{1} << 20;
  /// The shortest and the longest part. Between them it is an eighth of the message.
  std::size_t least_part_bytes = std::size_t{64} << 10;
  std::size_t most_part_bytes = std::size_t{256} << 10;

  bool operator==(const Tuning&) const = default;
};

}  // namespace kanor::rt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks of one machine in several processes that read and write each other's memory.
#pragma once

#include <cstddef>

#include "transport/rank.hpp"

namespace kanor::rt {

/// Returns true if the rank reads and writes the memory of rank `peer` as far as the kernel permits it:
/// another process of this machine, of the same user. Finds that out when it is first called for that rank,
/// with one system call, and lets it know.
bool reaches(const Rank& rank, int peer);
/// Returns true if rank `peer` has found that it reaches this one. One load.
bool is_reached_by(const Rank& rank, int peer);

/// Copies bytes from the memory of rank `peer`, which reaches() has found. Ends the job if some are no
/// memory. Costs one system call, and less than one copy by way of message memory from some 64 KiB on.
void read_memory(Rank& rank, int peer, void* to, const void* from, std::size_t bytes);
/// The same in the other direction.
void write_memory(Rank& rank, int peer, void* to, const void* from, std::size_t bytes);

}  // namespace kanor::rt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Processes that this one, or its children, fork: what they run first, and their end.
#pragma once

#include <cstdint>

namespace kanor::rt {

/// Does what pthread_atfork() does until the process ends: the C library forgets what that was given by a
/// program whose handlers have run (world/program_end.hpp), although others still run in its process.
void at_forks(void (*prepare)(), void (*parent)(), void (*child)());

/// Makes each descendant whose parent has ended a child of this process, until that ends itself.
void adopt_orphans();

/// Kills all descendants of this process, those of children that have ended among them if they were adopted,
/// and waits for them, but not longer than this. Takes no lock and no memory: other threads may have crashed.
/// If the kernel does not list children (CONFIG_PROC_CHILDREN), it waits for those that end by themselves.
void end_descendants(std::int64_t limit_us);

}  // namespace kanor::rt

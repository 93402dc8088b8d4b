// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the C library's `malloc` does with memory that the program frees.
#pragma once

namespace kanor::rt {

/// Lets `malloc` keep up to 64 MiB of freed memory at the end of each of its heaps, and take blocks of up to
/// 32 MiB from heaps. These are the thresholds that glibc sets itself once a program frees a block of 32 MiB.
/// Before, it gives memory back to the system where a phase frees 128 KiB or more, and the next phase faults
/// for each page. Programs of phases, as those with blocks, do so all the time.
///
/// `apart`: blocks of 32 KiB and more are to have pages of their own instead, so that these can be watched.
///
/// Does nothing where the user has set malloc's thresholds (`MALLOC_TRIM_THRESHOLD_` and the like, or
/// `GLIBC_TUNABLES`). Call it before the process has several threads.
void keep_freed_memory(bool apart);

}  // namespace kanor::rt

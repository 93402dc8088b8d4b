// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Standard output of ranks that are threads: each rank's pieces of a line wait until the line is whole.
#pragma once

#include <pthread.h>

namespace kanor::rt {

/// Makes what this process writes to `stdout` and std::cout go by lines: a piece without an end waits for the
/// rest that its rank writes, and goes out earlier only with a flush, or before the rank reads from `stdin`
/// where the output is a terminal. Called before the rank's main. Lines go out at once, one after the other,
/// where other processes with this lock write to the same file (null: there are none).
void write_whole_lines(pthread_mutex_t* between_processes);

/// Writes what the calling rank's last line has so far, as its end does.
void end_lines();

/// The same for all ranks, when the job ends before they do.
void end_all_lines();

/// Writes what waits at the end of the process, also what handlers write that run there.
[[gnu::destructor(101)]] void end_lines_at_exit();

/// Called in a child of the calling rank: drops what other ranks have written, which is not its to write.
void forget_lines_of_others();

}  // namespace kanor::rt

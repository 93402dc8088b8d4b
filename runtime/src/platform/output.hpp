// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writing out what programs have printed, when something may hold the streams' locks forever.
#pragma once

#include <cstdint>

namespace kanor::rt {

/// On a thread of its own calls `first` and flushes the C and C++ standard streams, and waits for that for at
/// most this long.
void flush_output(std::int64_t timeout_us, void (*first)());

/// Ends the process as std::exit does, with handlers and destructors, on a thread of its own; if that takes
/// longer than this, ends it without. Does not return.
[[noreturn]] void exit_within(int status, std::int64_t timeout_us);

/// Ends the process at once, whatever the program's _exit leads to. Async-signal-safe.
[[noreturn]] void end_process(int status);

}  // namespace kanor::rt

// Writing out what programs have printed, when something may hold the streams' locks forever.
#pragma once

#include <cstdint>

namespace kanor::rt {

/// Flushes the C and C++ standard streams on a thread of its own, and waits for that for at most this long.
void flush_output(std::int64_t timeout_us);

/// Ends the process as std::exit does, with handlers and destructors, on a thread of its own; if that takes
/// longer than this, ends it without. Does not return.
[[noreturn]] void exit_within(int status, std::int64_t timeout_us);

}  // namespace kanor::rt

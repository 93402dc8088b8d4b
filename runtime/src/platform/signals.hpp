// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the process does at signals, where the program's own calls set what a rank does.
#pragma once

#include <signal.h>

namespace kanor::rt {

/// The C library's sigaction, whatever the program's leads to. Async-signal-safe.
int system_sigaction(int signal, const struct sigaction* action, struct sigaction* before);
/// The same; where the process watches pages (page_faults.hpp), what is set for SIGSEGV happens behind them.
int process_sigaction(int signal, const struct sigaction* action, struct sigaction* before);

}  // namespace kanor::rt

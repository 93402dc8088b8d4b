// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the system says of another process of this machine.
#pragma once

#include <string>

namespace kanor::rt {

/// The stopped state of a process, and its debugger.
struct Halt {
  bool is_stopped = false;  ///< by a signal such as SIGSTOP, or by a debugger
  int debugger = 0;         ///< the process that holds it; 0: none
};

/// Reads /proc. A process that does not exist, or cannot be seen, is not stopped.
Halt halt_of(int process);

/// The debugger of a process, which may run under it; 0: none.
int debugger_of(int process);

/// The name of a process's program, of which the system keeps 15 characters; empty: unknown.
std::string program_name(int process);

}  // namespace kanor::rt

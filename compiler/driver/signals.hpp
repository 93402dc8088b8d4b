// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sys/types.h>

/// The handling of SIGINT, SIGTERM and SIGHUP: pass the signal on to the running command and wait for it,
/// remove the temporary directory and the pending output, then end by the same signal. All of it is done in
/// the handler with calls that are safe there, so that it also works while Clang is parsing.
namespace kanor::driver {

/// Installs the handlers. Idempotent. A signal that was ignored stays ignored (nohup).
void handle_ending_signals();

/// Makes a crash of the compiler print this source's name and leave no files. A stack overflow is an error of
/// the source: some expression is too long. The name must stay allocated.
void tell_crashes(const char* source);

/// Set the directory and file to remove when a signal ends kanorc, one of each at a time. The paths must stay
/// allocated until they are set to null again.
void remove_tree_on_signal(const char* directory);
void remove_file_on_signal(const char* path);

/// Sets the running command, to which signals are passed on; 0 for none.
void forward_signals_to(pid_t process);

/// Between these two calls an ending signal waits, so that a new process is known before it can arrive.
void hold_ending_signals();
void release_ending_signals();

/// Removes a directory with everything in it, without following links. Safe in a signal handler.
void remove_tree(const char* directory);

}  // namespace kanor::driver

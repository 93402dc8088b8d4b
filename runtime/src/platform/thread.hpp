// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that are as roomy as a process's first thread.
#pragma once

#include <pthread.h>

#include <cstddef>

namespace kanor::rt {

/// Bytes of stack for a rank thread: the soft limit of the process's stack (at least 256 KiB; if there is
/// none, 4 GiB at most, and 64 MiB where address space is limited) plus the room that all loaded objects'
/// thread-local variables take at the stack's end.
std::size_t rank_stack_bytes();

/// Starts a joinable thread with that stack. Returns 0, or the error number of pthread_create.
int start_thread(pthread_t& thread, std::size_t stack_bytes, void* (*function)(void*), void* argument);

/// Lets this process have as many open files as so many processes have together, within the hard limit.
void make_room_for_files(int processes);

/// A stack for signal handlers of the calling thread, so that a stack overflow can be told; until destroyed.
class SignalStack {
 public:
  SignalStack();
  ~SignalStack();
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  void* memory_;
};

/// Leaves signals from outside to the rank of a process, which is another thread than the first one: its
/// handlers must find the rank's variables. Blocks them for the calling thread and all that it starts, until
/// take_signals(). Those of crashes stay as they are. To be called before other threads start, so that they
/// have it from their parents.
void leave_signals_to_rank();
/// Gives the calling thread the signals that the process began with; does nothing if they were not left.
void take_signals();

/// Sets the name that gdb, top and /proc show for the calling thread: "rank 3".
void name_thread_after_rank(int rank);

}  // namespace kanor::rt

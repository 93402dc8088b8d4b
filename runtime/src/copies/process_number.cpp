// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// getpid in the copies of a program: each rank has another number, by which programs seed generators and name
// files. It is the number of the rank's thread, which the system gives to no other process or thread. System
// calls for processes take it, too, and concern the process or the thread.
#include <sys/syscall.h>
#include <unistd.h>

namespace {

pid_t process = 0;
pid_t rank = 0;

// Priorities below 101 come before those of a program; its shared libraries have them from 2 on.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wprio-ctor-dtor"

/// Called by the rank's thread, before the program's own constructors.
[[gnu::constructor(1)]] void note_numbers() {
  rank = static_cast<pid_t>(::syscall(SYS_gettid));
  process = static_cast<pid_t>(::syscall(SYS_getpid));
}

#pragma GCC diagnostic pop

/// A child's number is its own.
pid_t number_of_rank(long number) { return number == process ? rank : static_cast<pid_t>(number); }

}  // namespace

extern "C" {

pid_t getpid() noexcept { return number_of_rank(::syscall(SYS_getpid)); }

/// In a child, its rank's number.
pid_t getppid() noexcept { return number_of_rank(::syscall(SYS_getppid)); }
}

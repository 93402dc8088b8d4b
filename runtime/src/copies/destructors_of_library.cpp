// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Destructors of a shared library of an MPI program: so the first rank keeps the order that it has in copies,
// whose parts its libraries are. Linked into such a library, with --wrap.
extern "C" {
// The program's (world/program_end.cpp). Null in one that Kanor has not linked.
[[gnu::weak]] int kanor_at_exit(void (*function)(void*), void* argument, void* object);

int __real___cxa_atexit(void (*function)(void*), void* argument, void* object);
[[gnu::visibility("hidden")]] int __wrap___cxa_atexit(void (*function)(void*), void* argument, void* object);
}

int __wrap___cxa_atexit(void (*function)(void*), void* argument, void* object) {
  return (kanor_at_exit ? kanor_at_exit : __real___cxa_atexit)(function, argument, object);
}

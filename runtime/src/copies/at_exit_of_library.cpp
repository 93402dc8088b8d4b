// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a shared library of an MPI program registers for its end is the program's, which calls it where it
// belongs among what is its own: so the first rank keeps the order that it has in copies, whose parts its
// libraries are. Linked into each library, with --wrap.
extern "C" {
// The program's (world/program_end.cpp). Null in one that Kanor has not linked.
[[gnu::weak]] int kanor_at_exit(void (*function)(void*), void* argument, void* object);
[[gnu::weak]] int kanor_on_exit(void (*function)(int, void*), void* argument);

int __real___cxa_atexit(void (*function)(void*), void* argument, void* object);
int __real_on_exit(void (*function)(int, void*), void* argument);
[[gnu::visibility("hidden")]] int __wrap___cxa_atexit(void (*function)(void*), void* argument, void* object);
[[gnu::visibility("hidden")]] int __wrap_on_exit(void (*function)(int, void*), void* argument);
}

int __wrap___cxa_atexit(void (*function)(void*), void* argument, void* object) {
  return (kanor_at_exit ? kanor_at_exit : __real___cxa_atexit)(function, argument, object);
}

int __wrap_on_exit(void (*function)(int, void*), void* argument) {
  return (kanor_on_exit ? kanor_on_exit : __real_on_exit)(function, argument);
}

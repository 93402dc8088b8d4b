// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a shared library registers for its end by atexit() and on_exit() is the program's, which calls it
// where it belongs among what is its own: on the rank that has registered it. Linked into each library, with
// --wrap.
extern "C" {
// The program's (world/program_end.cpp). Null in one that Kanor has not linked.
[[gnu::weak]] int kanor_atexit(void (*function)(), void* object);
[[gnu::weak]] int kanor_on_exit(void (*function)(int, void*), void* argument, void* object);

int __real_atexit(void (*function)());
int __real_on_exit(void (*function)(int, void*), void* argument);
[[gnu::visibility("hidden")]] int __wrap_atexit(void (*function)());
[[gnu::visibility("hidden")]] int __wrap_on_exit(void (*function)(int, void*), void* argument);
extern void* __dso_handle;
}

int __wrap_atexit(void (*function)()) {
  return kanor_atexit ? kanor_atexit(function, &__dso_handle) : __real_atexit(function);
}

int __wrap_on_exit(void (*function)(int, void*), void* argument) {
  return kanor_on_exit ? kanor_on_exit(function, argument, &__dso_handle)
                       : __real_on_exit(function, argument);
}

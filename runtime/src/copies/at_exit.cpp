// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a copy of a program has registered for its end. The C library does not hear of it: it would call it
// when the process ends, on a thread that is no rank.
#include "copies/handlers.hpp"

extern "C" {
// Copies are linked with --wrap for these.
int __wrap_atexit(void (*function)());
int __wrap___cxa_atexit(void (*function)(void*), void* argument, void* object);
int __wrap_on_exit(void (*function)(int, void*), void* argument);
/// The runtime's way to the copy's handlers (world/program_end.cpp).
void kanor_call_handlers(int status);
}

namespace {

constinit kanor::rt::Handlers handlers;

}  // namespace

int __wrap_atexit(void (*function)()) {
  return handlers.add(kanor::rt::Handlers::call_plain, nullptr, reinterpret_cast<void*>(function)) ? 0 : -1;
}

int __wrap___cxa_atexit(void (*function)(void*), void* argument, void*) {
  return handlers.add(function, nullptr, argument) ? 0 : -1;
}

int __wrap_on_exit(void (*function)(int, void*), void* argument) {
  return handlers.add(nullptr, function, argument) ? 0 : -1;
}

void kanor_call_handlers(int status) { handlers.call_all(status); }

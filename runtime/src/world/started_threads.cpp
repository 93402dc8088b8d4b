// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that a rank starts belong to their rank: std::thread, std::async, OpenMP and all else that asks the
// C library for a thread, from the program or a shared library, comes by here.
#include "world/started_threads.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <threads.h>

#include <cerrno>
#include <memory>
#include <new>

#include "c_library/library_state.hpp"
#include "transport/rank_state.hpp"

using ThreadStarter = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

extern "C" {
// What a sanitizer that is linked into the program offers instead; null without one.
[[gnu::weak]] ThreadStarter __interceptor_pthread_create;
// The C library's other name for it in a program without shared libraries; null in others.
[[gnu::weak]] ThreadStarter __pthread_create_2_1;
}

// Without shared libraries nobody asks the C library's archive for its pthread_create, since there is one
// here; C11's threads bring it along.
[[gnu::used]] static auto* const brings_threads = &thrd_create;

namespace kanor::rt {
namespace {

ThreadStarter* next_starter() {
  if (__interceptor_pthread_create) return __interceptor_pthread_create;
  if (__pthread_create_2_1) return __pthread_create_2_1;
  return reinterpret_cast<ThreadStarter*>(::dlsym(RTLD_NEXT, "pthread_create"));
}

struct Started {
  Rank* rank;
  LibraryState* library;
  void* (*function)(void*);
  void* argument;
};

void* run_started(void* given) {
  const Started started = *std::unique_ptr<Started>(static_cast<Started*>(given));
  enter_rank(started.rank);
  enter_library_state(started.library);
  return started.function(started.argument);
}

}  // namespace

void keep_rank_of_started_threads() {}

}  // namespace kanor::rt

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*),
                              void* argument) noexcept {
  using namespace kanor::rt;
  static ThreadStarter* const start = next_starter();
  if (!start) return ENOSYS;
  Rank* const rank = here_or_null();
  if (!rank) return start(thread, attributes, function, argument);
  if (rank->home.switches.pages) {
    // Threads may use the pages of deltas, and then take turns with the rank's own.
    before_call(*rank);
    rank->waits.has_threads.store(true, std::memory_order_relaxed);
    if (attachment(*rank, Attached::paged_deltas)) take_turns(*rank);
  }
  std::unique_ptr<Started> started(new (std::nothrow) Started{rank, own_library_state(), function, argument});
  if (!started) return EAGAIN;
  const int error = start(thread, attributes, run_started, started.get());
  if (error == 0) started.release();  // the thread's from here on
  return error;
}

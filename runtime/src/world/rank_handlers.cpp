// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/rank_handlers.hpp"

#include <cxxabi.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "transport/rank_state.hpp"
#include "world/facts.hpp"
#include "world/rank_main.hpp"

extern "C" int __real_on_exit(void (*function)(int, void*), void* argument);

namespace kanor::rt {
namespace {

/// A handler in the thread's list, and perhaps in that of the process, which then looks at it later.
struct Registered {
  Handlers::Handler handler;
  bool is_of_process;
  Registered* kept_before = nullptr;
};

/// The last of those of the process: all are found from here, so they are no leaks.
constinit std::atomic<Registered*> last_kept{nullptr};

void call_for_process(int status, void* it) { static_cast<Registered*>(it)->handler.call(status); }

void call_for_thread(void* it) {
  auto* const one = static_cast<Registered*>(it);
  const Rank* const rank = here_or_null();
  one->handler.call(rank ? rank->status : 0);
  if (!one->is_of_process) std::free(one);
}

/// kanorc makes private variables thread_local, and these are destroyed first, in every kind of process.
bool has_private_variables() {
  static const bool has = program_facts().has_private_variables;
  return has;
}

/// Returns true if nothing but the calling thread's rank ends with the process.
bool is_only_rank() {
  const Home& home = here().home;
  return home.own_process || home.control.count() == 1;
}

}  // namespace

bool destroys_variables_of_rank() {
  return is_rank_thread() ? !has_own_end() : is_thread_of_rank_process() && has_private_variables();
}

bool is_only_rank_thread() { return is_rank_thread() && !has_own_end() && is_only_rank(); }

int call_at_end_of_rank(Handlers::Function function, Handlers::FunctionWithStatus with_status, void* argument,
                        void* object) {
  void* const memory = std::malloc(sizeof(Registered));
  if (!memory) return -1;
  auto* const handler =
      new (memory) Registered{{nullptr, nullptr, function, with_status, argument}, is_only_rank()};
  if (handler->is_of_process) {
    if (__real_on_exit(call_for_process, handler) != 0) {
      std::free(memory);
      return -1;
    }
    handler->kept_before = last_kept.exchange(handler, std::memory_order_acq_rel);
  }
  return abi::__cxa_thread_atexit(call_for_thread, handler, object);
}

}  // namespace kanor::rt

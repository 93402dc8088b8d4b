// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program wants called when it ends: handlers of atexit() and on_exit(), and destructors of variables
// with static storage, for which C++ compilers call __cxa_atexit(). For the executable and its copies.
#pragma once

#include <atomic>
#include <cstdlib>
#include <new>

namespace kanor::rt {

/// Holds no lock, so that handlers may add handlers, leave by a jump, and run in a child of fork().
class Handlers {
 public:
  using Function = void (*)(void*);
  using FunctionWithStatus = void (*)(int, void*);

  /// One of `function` and `with_status` is null. Never destroyed: the C library may keep its address.
  struct Handler {
    Handler* earlier = nullptr;
    Handler* made_before = nullptr;
    Function function = nullptr;
    FunctionWithStatus with_status = nullptr;
    void* argument = nullptr;
    std::atomic<bool> is_called{false};

    /// Calls it, unless it has been called: several may hold it, and whoever comes first calls.
    void call(int status) {
      if (is_called.exchange(true, std::memory_order_acq_rel)) return;
      if (function)
        function(argument);
      else
        with_status(status, argument);
    }
  };

  /// Calls what atexit() was given, as an argument of a Function.
  static void call_plain(void* function) { reinterpret_cast<void (*)()>(function)(); }

  /// Adds a handler. Returns null if there is no memory for it.
  Handler* add(Function function, FunctionWithStatus with_status, void* argument) {
    void* const memory = std::malloc(sizeof(Handler));
    if (!memory) return nullptr;
    auto* const added = new (memory)
        Handler{latest_.load(std::memory_order_relaxed), nullptr, function, with_status, argument};
    added->made_before = made_.exchange(added, std::memory_order_acq_rel);
    while (!latest_.compare_exchange_weak(added->earlier, added, std::memory_order_acq_rel)) {
    }
    return added;
  }

  /// Calls each handler once, the latest first, those among them that handlers add.
  void call_all(int status) {
    while (Handler* const handler = take_latest()) handler->call(status);
  }

 private:
  Handler* take_latest() {
    Handler* latest = latest_.load(std::memory_order_acquire);
    while (latest && !latest_.compare_exchange_weak(latest, latest->earlier, std::memory_order_acq_rel)) {
    }
    return latest;
  }

  std::atomic<Handler*> latest_{nullptr};
  std::atomic<Handler*> made_{nullptr};  ///< all are found from here: they are no leaks
};

}  // namespace kanor::rt

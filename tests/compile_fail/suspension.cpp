// RUN: %check_diagnostics
// A coroutine cannot be suspended in the middle of an exchange; a lambda in a block may be a coroutine of its own.
#include <kanor/kanor.hpp>

#include <coroutine>

struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    std::suspend_never yield_value(int) { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
struct Ready {
  int value = 0;
  bool await_ready() const { return true; }
  void await_suspend(std::coroutine_handle<>) const {}
  int await_resume() const { return value; }
};

Task waits(int a) {
  @communicate { a@0 <<= co_await Ready{1}@1 }
// CHECK:{{.*}}suspension.cpp:[[@LINE-1]]:26: error: 'co_await' is not allowed in a block: it may happen any number of times, on any rank
// CHECK-NEXT:  @communicate { a@0 <<= co_await Ready{1}@1 }
// CHECK-NEXT:                         ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: do it before the block
  @communicate { a@0 <<= a@1 where k in {0 ... co_await Ready{2}} }
// CHECK:{{.*}}suspension.cpp:[[@LINE-1]]:48: error: 'co_await' is not allowed in a block: it may happen any number of times, on any rank
// CHECK-NEXT:  @communicate { a@0 <<= a@1 where k in {0 ... co_await Ready{2}} }
// CHECK-NEXT:                                               ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: do it before the block
  const int before = co_await Ready{3};
  @communicate { a@0 <<= before + sizeof([]() -> Task { co_await Ready{}; }())@1 }
}

template <class T>
Task waits_for(int a, T b) {
  @communicate { a@0 <<= a@1 where (co_yield 1, co_await b) == 1 }
// CHECK:{{.*}}suspension.cpp:[[@LINE-1]]:37: error: 'co_yield' is not allowed in a block: it may happen any number of times, on any rank
// CHECK-NEXT:  @communicate { a@0 <<= a@1 where (co_yield 1, co_await b) == 1 }
// CHECK-NEXT:                                    ^~~~~~~~~~
// CHECK-NEXT:kanorc: note: do it before the block
// CHECK:{{.*}}suspension.cpp:[[@LINE-5]]:49: error: 'co_await' is not allowed in a block: it may happen any number of times, on any rank
// CHECK-NEXT:  @communicate { a@0 <<= a@1 where (co_yield 1, co_await b) == 1 }
// CHECK-NEXT:                                                ^~~~~~~~~~
// CHECK-NEXT:kanorc: note: do it before the block
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

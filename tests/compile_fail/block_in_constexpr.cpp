// RUN: %check_diagnostics
// The compiler may evaluate these functions, and has no ranks.
#include <kanor/kanor.hpp>

constexpr int constant(int a) {
  @communicate { a@0 <<= 1@0 }
// CHECK:{{.*}}block_in_constexpr.cpp:[[@LINE-1]]:3: error: a block in a constexpr function: there are no ranks while the program is compiled
// CHECK-NEXT:  @communicate { a@0 <<= 1@0 }
// CHECK-NEXT:  ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: leave 'constexpr' out, or put the block into a function without it
  return a;
}

consteval int immediate(int a) {
  KANOR_COMMUNICATE(a@0 <<= 1@0);
// CHECK:{{.*}}block_in_constexpr.cpp:[[@LINE-1]]:3: error: a block in a consteval function: there are no ranks while the program is compiled
// CHECK-NEXT:  KANOR_COMMUNICATE(a@0 <<= 1@0);
// CHECK-NEXT:  ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: leave 'consteval' out, or put the block into a function without it
  return a;
}

template <class T>
constexpr T generic(T a) {
  @communicate { a@0 <<= T(1)@0 }
// CHECK:{{.*}}block_in_constexpr.cpp:[[@LINE-1]]:3: error: a block in a constexpr function: there are no ranks while the program is compiled
// CHECK-NEXT:  @communicate { a@0 <<= T(1)@0 }
// CHECK-NEXT:  ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: leave 'constexpr' out, or put the block into a function without it
  return a;
}

struct Number {
  int number = 0;
  constexpr void set() {
    @communicate { number@0 <<= 1@0 }
// CHECK:{{.*}}block_in_constexpr.cpp:[[@LINE-1]]:5: error: a block in a constexpr function: there are no ranks while the program is compiled
// CHECK-NEXT:    @communicate { number@0 <<= 1@0 }
// CHECK-NEXT:    ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: leave 'constexpr' out, or put the block into a function without it
  }
};

/// A lambda is constexpr only as long as nothing in it speaks against that.
int lambda() {
  int a = 0;
  [&] { @communicate { a@0 <<= 1@0 } }();
  [](int b) constexpr { @communicate { b@0 <<= 1@0 } }(a);
// CHECK:{{.*}}block_in_constexpr.cpp:[[@LINE-1]]:25: error: a block in a constexpr function: there are no ranks while the program is compiled
// CHECK-NEXT:  [](int b) constexpr { @communicate { b@0 <<= 1@0 } }(a);
// CHECK-NEXT:                        ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: leave 'constexpr' out, or put the block into a function without it
  return a + generic(1);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

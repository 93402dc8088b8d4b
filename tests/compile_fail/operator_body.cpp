// RUN: %check_diagnostics
// A generic lambda whose body does not take the values: Clang's word for the body, then ours.
#include <kanor/kanor.hpp>

void f(int a) {
  @communicate { a@0 << [](auto x, auto y) { return x.foo(y); } << a@i where i in world }
// CHECK:{{.*}}operator_body.cpp:[[@LINE-1]]:54: error: member reference base type 'int' is not a structure or union
// CHECK-NEXT:  @communicate { a@0 << [](auto x, auto y) { return x.foo(y); } << a@i where i in world }
// CHECK-NEXT:                                                     ^
// CHECK:{{.*}}operator_body.cpp:[[@LINE-4]]:25: error: '[](auto x, auto y) { return x.foo(y); }' cannot combine two values of type 'int' into one of that type
// CHECK-NEXT:  @communicate { a@0 << [](auto x, auto y) { return x.foo(y); } << a@i where i in world }
// CHECK-NEXT:                        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

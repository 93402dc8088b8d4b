// RUN: %check_diagnostics
// Without Kanor's header nothing says what the name is.
void f(int a, int b) {
  @communicate (async = p) { a@0 <<= b@1 }
// CHECK:{{.*}}async_undeclared.cpp:[[@LINE-1]]:25: error: 'kanor::pending', the type of 'p', is not declared
// CHECK-NEXT:  @communicate (async = p) { a@0 <<= b@1 }
// CHECK-NEXT:                        ^
// CHECK-NEXT:kanorc: note: include <kanor/kanor.hpp>
  p.wait();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %check_diagnostics
#include <kanor/kanor.hpp>

#define TWICE(...) __VA_ARGS__ __VA_ARGS__

void f(int a, int b) {
  TWICE(@communicate { a@0 <<= b@1 })
// CHECK:{{.*}}block_in_macro_argument.cpp:[[@LINE-1]]:9: error: a macro argument cannot contain a communicate block
// CHECK-NEXT:  TWICE(@communicate { a@0 <<= b@1 })
// CHECK-NEXT:        ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}block_in_macro_argument.cpp:[[@LINE-4]]:3: note: the macro is expanded here
// CHECK-NEXT:  TWICE(@communicate { a@0 <<= b@1 })
// CHECK-NEXT:  ^~~~~
  TWICE(KANOR_COMMUNICATE(a@0 <<= b@1);)
// CHECK:{{.*}}block_in_macro_argument.cpp:[[@LINE-1]]:9: error: a macro argument cannot contain a communicate block
// CHECK-NEXT:  TWICE(KANOR_COMMUNICATE(a@0 <<= b@1);)
// CHECK-NEXT:        ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}block_in_macro_argument.cpp:[[@LINE-4]]:3: note: the macro is expanded here
// CHECK-NEXT:  TWICE(KANOR_COMMUNICATE(a@0 <<= b@1);)
// CHECK-NEXT:  ^~~~~
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

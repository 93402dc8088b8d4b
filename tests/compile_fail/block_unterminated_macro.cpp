// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_diagnostics
// CHECK:{{.*}}block_unterminated_macro.cpp:[[@LINE+9]]:20: error: '(' is not closed before '}'
// CHECK-NEXT:  KANOR_COMMUNICATE(a@0 <<= b@1;
// CHECK-NEXT:                   ^
// CHECK-NEXT:{{.*}}block_unterminated_macro.cpp:[[@LINE+7]]:1: note: '}' is here
// CHECK-NEXT:}
// CHECK-NEXT:^
#include <kanor/kanor.hpp>

void f(int a, int b) {
  KANOR_COMMUNICATE(a@0 <<= b@1;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_diagnostics
// CHECK:{{.*}}block_unterminated.cpp:[[@LINE+9]]:3: error: the file ends inside this block
// CHECK-NEXT:  @communicate {
// CHECK-NEXT:  ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}block_unterminated.cpp:[[@LINE+7]]:7: note: '(' is not closed
// CHECK-NEXT:    a@(0 <<= b@1
// CHECK-NEXT:      ^
#include <kanor/kanor.hpp>

void f(int a, int b) {
  @communicate {
    a@(0 <<= b@1

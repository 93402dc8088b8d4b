// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_diagnostics
// CHECK:{{.*}}block_unterminated_word.cpp:[[@LINE+4]]:12: error: expected '{' after '@communicate'
// CHECK-NEXT:void f() { @communicate
// CHECK-NEXT:           ^~~~~~~~~~~~
// Nothing at all after the word.
void f() { @communicate

// RUN: %check_diagnostics
// The macro's spelling of a block is a statement with a semicolon.
#include <kanor/kanor.hpp>

void f(int a, int b) {
  KANOR_COMMUNICATE(a@0 <<= b@1)
// CHECK:{{.*}}block_without_semicolon.cpp:[[@LINE-1]]:32: error: expected ';' after the block
// CHECK-NEXT:  KANOR_COMMUNICATE(a@0 <<= b@1)
// CHECK-NEXT:                               ^
  KANOR_COMMUNICATE((copy), a@0 <<= b@1)
  a = b;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

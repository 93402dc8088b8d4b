// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_diagnostics
// The function's brace closes the block, which the end of the file shows.
#include <kanor/kanor.hpp>

void f(int a, int b) {
  @communicate { a@i <<= b@i where i in world
// CHECK:{{.*}}block_unterminated_brace.cpp:[[@LINE-1]]:3: error: this block is not closed
// CHECK-NEXT:  @communicate { a@i <<= b@i where i in world
// CHECK-NEXT:  ^~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}block_unterminated_brace.cpp:[[@LINE+4]]:1: note: this brace would close it
// CHECK-NEXT:}
// CHECK-NEXT:^
  b = 3;
}

int g() { return 1; }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_diagnostics
// What follows a block whose brace was forgotten is not told one by one that it is no statement of a block.
#include <kanor/kanor.hpp>
#include <cstdio>

int f(int a, int b) { @communicate { a@i <<= b@i where i in kanor::world;
// CHECK:{{.*}}block_unterminated_statement.cpp:[[@LINE-1]]:23: error: this block is not closed
// CHECK-NEXT:int f(int a, int b) { @communicate { a@i <<= b@i where i in kanor::world;
// CHECK-NEXT:                      ^~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}block_unterminated_statement.cpp:[[@LINE+3]]:3: note: this is not a statement of a block
// CHECK-NEXT:  std::printf("%d\n", a);
// CHECK-NEXT:  ^~~~~~~~~~~~~~~~~~~~~~
  std::printf("%d\n", a);
  if (a > b) {
    return 1;
  }
  return 0;
}

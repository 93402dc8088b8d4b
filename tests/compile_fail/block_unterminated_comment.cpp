// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_diagnostics
// CHECK:{{.*}}block_unterminated_comment.cpp:[[@LINE+6]]:30: error: unterminated /* comment
// CHECK-NEXT:  @communicate { a@0 <<= b@1 /* no end
// CHECK-NEXT:                             ^
#include <kanor/kanor.hpp>

void f(int a, int b) {
  @communicate { a@0 <<= b@1 /* no end
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_diagnostics
// CHECK:{{.*}}block_unterminated_raw_string.cpp:[[@LINE+6]]:26: error: raw string missing terminating delimiter )x"
// CHECK-NEXT:  @communicate { a@0 <<= R"x( )y" }@1 }
// CHECK-NEXT:                         ^~~~~~~~~~~~~~
#include <kanor/kanor.hpp>

void f(int a, int b) {
  @communicate { a@0 <<= R"x( )y" }@1 }
}

// RUN: %check_diagnostics
#include <kanor/kanor.hpp>

void f(int a, int b) {
  @communicate { a@-1 <<= b@0 }
// CHECK:{{.*}}rank_out_of_range.cpp:[[@LINE-1]]:20: error: there is no rank -1
// CHECK-NEXT:  @communicate { a@-1 <<= b@0 }
// CHECK-NEXT:                   ^~
// CHECK-NEXT:kanorc: note: a binding with 'kanor::no_rank' is skipped
  @communicate { a@0 <<= b@2 - 4 }
// CHECK:{{.*}}rank_out_of_range.cpp:[[@LINE-1]]:28: error: there is no rank -2
// CHECK-NEXT:  @communicate { a@0 <<= b@2 - 4 }
// CHECK-NEXT:                           ^~~~~
// CHECK-NEXT:kanorc: note: a binding with 'kanor::no_rank' is skipped
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %check_diagnostics
#include <kanor/kanor.hpp>

int a = 0, b = 0;
@communicate { a@0 <<= b@1 }
// CHECK:{{.*}}block_outside_function.cpp:[[@LINE-1]]:1: error: a communicate block is only allowed as a statement in a function
// CHECK-NEXT:@communicate { a@0 <<= b@1 }
// CHECK-NEXT:^~~~~~~~~~~~
namespace inner {
KANOR_COMMUNICATE(a@0 <<= b@1);
// CHECK:{{.*}}block_outside_function.cpp:[[@LINE-1]]:1: error: a communicate block is only allowed as a statement in a function
// CHECK-NEXT:KANOR_COMMUNICATE(a@0 <<= b@1);
// CHECK-NEXT:^~~~~~~~~~~~~~~~~
}
struct Inside {
  int member;
  @communicate { member@0 <<= member@1 }
// CHECK:{{.*}}block_outside_function.cpp:[[@LINE-1]]:3: error: a communicate block is only allowed as a statement in a function
// CHECK-NEXT:  @communicate { member@0 <<= member@1 }
// CHECK-NEXT:  ^~~~~~~~~~~~
};

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

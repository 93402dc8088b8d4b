// RUN: %check_diagnostics
#include <kanor/kanor.hpp>

#define SWAP(x, y) @communicate { x@0 <<= y@1; y@1 <<= x@0 }
// CHECK:{{.*}}block_in_macro.cpp:[[@LINE-1]]:20: error: a block in the definition of a macro
// CHECK-NEXT:#define SWAP(x, y) @communicate { x@0 <<= y@1; y@1 <<= x@0 }
// CHECK-NEXT:                   ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: kanorc does not expand macros to find blocks: put the block into a function, a template or a lambda
#define SEND(x) \
  KANOR_COMMUNICATE(x@0 <<= x@1);
// CHECK:{{.*}}block_in_macro.cpp:[[@LINE-1]]:3: error: a block in the definition of a macro
// CHECK-NEXT:  KANOR_COMMUNICATE(x@0 <<= x@1);
// CHECK-NEXT:  ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: kanorc does not expand macros to find blocks: put the block into a function, a template or a lambda
#define IGNORED "@communicate { }"

void f(int a, int b) {
  SWAP(a, b)
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %check_diagnostics
#include <kanor/kanor.hpp>

void f(int a, int b) {
  @communicate {
#ifdef FAST
// CHECK:{{.*}}directive_in_block.cpp:[[@LINE-1]]:1: error: a preprocessor directive inside a block
// CHECK-NEXT:#ifdef FAST
// CHECK-NEXT:^~~~~~~~~~~
// CHECK-NEXT:{{.*}}directive_in_block.cpp:[[@LINE-5]]:3: note: the block begins here
// CHECK-NEXT:  @communicate {
// CHECK-NEXT:  ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: put the directives around whole blocks, or use a variable that they define
    a@0 <<= b@1
#else
    a@1 <<= b@0
#endif
  }
  @communicate { a@0 <<=
# define B b
// CHECK:{{.*}}directive_in_block.cpp:[[@LINE-1]]:1: error: a preprocessor directive inside a block
// CHECK-NEXT:# define B b
// CHECK-NEXT:^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}directive_in_block.cpp:[[@LINE-5]]:3: note: the block begins here
// CHECK-NEXT:  @communicate { a@0 <<=
// CHECK-NEXT:  ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: put the directives around whole blocks, or use a variable that they define
    b@1 }
  KANOR_COMMUNICATE(
#pragma GCC diagnostic push
// CHECK:{{.*}}directive_in_block.cpp:[[@LINE-1]]:1: error: a preprocessor directive inside a block
// CHECK-NEXT:#pragma GCC diagnostic push
// CHECK-NEXT:^~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}directive_in_block.cpp:[[@LINE-5]]:3: note: the block begins here
// CHECK-NEXT:  KANOR_COMMUNICATE(
// CHECK-NEXT:  ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: put the directives around whole blocks, or use a variable that they define
      a@0 <<= b@1);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

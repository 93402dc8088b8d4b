// RUN: %check_diagnostics
#include <kanor/kanor.hpp>

void f(int (&a)[2], int b) {
  @communicate { a[0)@0 <<= b@1 }
// CHECK:{{.*}}block_unbalanced.cpp:[[@LINE-1]]:21: error: ')' does not close '['
// CHECK-NEXT:  @communicate { a[0)@0 <<= b@1 }
// CHECK-NEXT:                    ^
// CHECK-NEXT:{{.*}}block_unbalanced.cpp:[[@LINE-4]]:19: note: '[' is opened here
// CHECK-NEXT:  @communicate { a[0)@0 <<= b@1 }
// CHECK-NEXT:                  ^
  @communicate { a[0]@(1 <<= b@1 }
// CHECK:{{.*}}block_unbalanced.cpp:[[@LINE-1]]:23: error: '(' is not closed before '}'
// CHECK-NEXT:  @communicate { a[0]@(1 <<= b@1 }
// CHECK-NEXT:                      ^
// CHECK-NEXT:{{.*}}block_unbalanced.cpp:[[@LINE-4]]:34: note: '}' is here
// CHECK-NEXT:  @communicate { a[0]@(1 <<= b@1 }
// CHECK-NEXT:                                 ^
  @communicate { a[0]@1) <<= b@1 }
// CHECK:{{.*}}block_unbalanced.cpp:[[@LINE-1]]:24: error: ')' has no opening bracket in this block
// CHECK-NEXT:  @communicate { a[0]@1) <<= b@1 }
// CHECK-NEXT:                       ^
// CHECK-NEXT:{{.*}}block_unbalanced.cpp:[[@LINE-4]]:3: note: the block begins here
// CHECK-NEXT:  @communicate { a[0]@1) <<= b@1 }
// CHECK-NEXT:  ^~~~~~~~~~~~
  @communicate { a[0]@1 <<= (b@1 ] }
// CHECK:{{.*}}block_unbalanced.cpp:[[@LINE-1]]:34: error: ']' does not close '('
// CHECK-NEXT:  @communicate { a[0]@1 <<= (b@1 ] }
// CHECK-NEXT:                                 ^
// CHECK-NEXT:{{.*}}block_unbalanced.cpp:[[@LINE-4]]:29: note: '(' is opened here
// CHECK-NEXT:  @communicate { a[0]@1 <<= (b@1 ] }
// CHECK-NEXT:                            ^
  @communicate { a[0]@i <<= b@1 where i in [0, 2) }
// CHECK:{{.*}}block_unbalanced.cpp:[[@LINE-1]]:49: error: ')' does not close '['
// CHECK-NEXT:  @communicate { a[0]@i <<= b@1 where i in [0, 2) }
// CHECK-NEXT:                                                ^
// CHECK-NEXT:{{.*}}block_unbalanced.cpp:[[@LINE-4]]:44: note: '[' is opened here
// CHECK-NEXT:  @communicate { a[0]@i <<= b@1 where i in [0, 2) }
// CHECK-NEXT:                                           ^
// CHECK-NEXT:kanorc: note: an interval is written '{first ... last}', and includes both ends
  @communicate (copy { a[0]@1 <<= b@1 }
// CHECK:{{.*}}block_unbalanced.cpp:[[@LINE-1]]:16: error: '(' is not closed before the next block
// CHECK-NEXT:  @communicate (copy { a[0]@1 <<= b@1 }
// CHECK-NEXT:               ^
// CHECK-NEXT:{{.*}}block_unbalanced.cpp:[[@LINE+3]]:3: note: the next block begins here
// CHECK-NEXT:  KANOR_COMMUNICATE(a[0]@1 <<= (b@1);
// CHECK-NEXT:  ^~~~~~~~~~~~~~~~~
  KANOR_COMMUNICATE(a[0]@1 <<= (b@1);
// CHECK:{{.*}}block_unbalanced.cpp:[[@LINE-1]]:20: error: '(' is not closed before the next block
// CHECK-NEXT:  KANOR_COMMUNICATE(a[0]@1 <<= (b@1);
// CHECK-NEXT:                   ^
// CHECK-NEXT:{{.*}}block_unbalanced.cpp:[[@LINE+3]]:3: note: the next block begins here
// CHECK-NEXT:  KANOR_COMMUNICATE(a[0]@1 <<= b}@1);
// CHECK-NEXT:  ^~~~~~~~~~~~~~~~~
  KANOR_COMMUNICATE(a[0]@1 <<= b}@1);
// CHECK:{{.*}}block_unbalanced.cpp:[[@LINE-1]]:20: error: '(' is not closed before '}'
// CHECK-NEXT:  KANOR_COMMUNICATE(a[0]@1 <<= b}@1);
// CHECK-NEXT:                   ^
// CHECK-NEXT:{{.*}}block_unbalanced.cpp:[[@LINE-4]]:33: note: '}' is here
// CHECK-NEXT:  KANOR_COMMUNICATE(a[0]@1 <<= b}@1);
// CHECK-NEXT:                                ^
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

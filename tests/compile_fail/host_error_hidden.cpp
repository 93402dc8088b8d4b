// RUN: %check_diagnostics
// Messages of C++ that would name what only kanorc has written around the block's expressions.
#include <kanor/kanor.hpp>
#include <utility>

int alphabet = 0;

void f(int a, int b) {
  @communicate { undeclared@0 <<= b@1 }
// CHECK:{{.*}}host_error_hidden.cpp:[[@LINE-1]]:18: error: use of undeclared identifier 'undeclared'
// CHECK-NEXT:  @communicate { undeclared@0 <<= b@1 }
// CHECK-NEXT:                 ^~~~~~~~~~
  @communicate { a@0 <<= undeclared@elements }
// CHECK:{{.*}}host_error_hidden.cpp:[[@LINE-1]]:37: error: use of undeclared identifier 'elements'
// CHECK-NEXT:  @communicate { a@0 <<= undeclared@elements }
// CHECK-NEXT:                                    ^~~~~~~~
// CHECK:{{.*}}host_error_hidden.cpp:[[@LINE-4]]:26: error: use of undeclared identifier 'undeclared'
// CHECK-NEXT:  @communicate { a@0 <<= undeclared@elements }
// CHECK-NEXT:                         ^~~~~~~~~~
  @communicate { a@0 <<= alphabt@1 }
// CHECK:{{.*}}host_error_hidden.cpp:[[@LINE-1]]:26: error: use of undeclared identifier 'alphabt'; did you mean 'alphabet'?
// CHECK-NEXT:  @communicate { a@0 <<= alphabt@1 }
// CHECK-NEXT:                         ^~~~~~~
// CHECK-NEXT:{{.*}}host_error_hidden.cpp:[[@LINE-18]]:5: note: 'alphabet' declared here
// CHECK-NEXT:int alphabet = 0;
// CHECK-NEXT:    ^~~~~~~~
  @communicate { a@0 <<= b@i where i in world a }
// CHECK:{{.*}}host_error_hidden.cpp:[[@LINE-1]]:47: error: unexpected 'a' in this expression
// CHECK-NEXT:  @communicate { a@0 <<= b@i where i in world a }
// CHECK-NEXT:                                              ^
  @communicate { a@0 <<= b@i where i in {0 ... b a} }
// CHECK:{{.*}}host_error_hidden.cpp:[[@LINE-1]]:50: error: unexpected 'a' in this expression
// CHECK-NEXT:  @communicate { a@0 <<= b@i where i in {0 ... b a} }
// CHECK-NEXT:                                                 ^
  @communicate { a@0 <<= b@i where i in world, b > 1 a }
// CHECK:{{.*}}host_error_hidden.cpp:[[@LINE-1]]:54: error: unexpected 'a' in this expression
// CHECK-NEXT:  @communicate { a@0 <<= b@i where i in world, b > 1 a }
// CHECK-NEXT:                                                     ^
  @communicate { a@0 <<= b@i where let i = b 3 }
// CHECK:{{.*}}host_error_hidden.cpp:[[@LINE-1]]:45: error: expected ',' or ';' after this expression
// CHECK-NEXT:  @communicate { a@0 <<= b@i where let i = b 3 }
// CHECK-NEXT:                                            ^
  @communicate { a@i <<= b@i where i in world, std::pair<int, int>(1, 2).first == 1 }
// CHECK:{{.*}}host_error_hidden.cpp:[[@LINE-1]]:60: error: expected '>'
// CHECK-NEXT:  @communicate { a@i <<= b@i where i in world, std::pair<int, int>(1, 2).first == 1 }
// CHECK-NEXT:                                                           ^
// CHECK-NEXT:kanorc: note: parenthesise template arguments with commas
// CHECK-NEXT:{{.*}}host_error_hidden.cpp:[[@LINE-5]]:57: note: to match this '<'
// CHECK-NEXT:  @communicate { a@i <<= b@i where i in world, std::pair<int, int>(1, 2).first == 1 }
// CHECK-NEXT:                                                        ^
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

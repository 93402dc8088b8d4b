// RUN: %check_diagnostics
// A name that nothing declares, where a clause could bind it.
#include <kanor/kanor.hpp>

void f(int a, int b, int (&c)[4]) {
  @communicate { a@i <<= b@0 }
// CHECK:{{.*}}host_error_clause.cpp:[[@LINE-1]]:20: error: use of undeclared identifier 'i'
// CHECK-NEXT:  @communicate { a@i <<= b@0 }
// CHECK-NEXT:                   ^
// CHECK-NEXT:kanorc: note: bind 'i' with a clause, such as 'where i in world', or declare it
  @communicate { a@0 << sum << b@i where i in kanor::world }
// CHECK:{{.*}}host_error_clause.cpp:[[@LINE-1]]:25: error: use of undeclared identifier 'sum'
// CHECK-NEXT:  @communicate { a@0 << sum << b@i where i in kanor::world }
// CHECK-NEXT:                        ^~~
// CHECK-NEXT:kanorc: note: the operators are + * & | ^ && || min max, and any callable 'op(a, b)'
  @communicate { a@i <<= b@0 where i in kanor::world, i = 1 }
// CHECK:{{.*}}host_error_clause.cpp:[[@LINE-1]]:57: error: cannot assign to variable 'i' with const-qualified type {{.*}}
// CHECK-NEXT:  @communicate { a@i <<= b@0 where i in kanor::world, i = 1 }
// CHECK-NEXT:                                                        ^
// CHECK-NEXT:kanorc: note: a condition compares with '=='
  @communicate { a@0 <<= b@j + 1 where i in world }
// CHECK:{{.*}}host_error_clause.cpp:[[@LINE-1]]:28: error: use of undeclared identifier 'j'
// CHECK-NEXT:  @communicate { a@0 <<= b@j + 1 where i in world }
// CHECK-NEXT:                           ^
// CHECK-NEXT:kanorc: note: bind 'j' with a clause, such as 'where j in world', or declare it
  @communicate { c[k]@0 <<= b@1 }
// CHECK:{{.*}}host_error_clause.cpp:[[@LINE-1]]:20: error: use of undeclared identifier 'k'
// CHECK-NEXT:  @communicate { c[k]@0 <<= b@1 }
// CHECK-NEXT:                   ^
// CHECK-NEXT:kanorc: note: bind 'k' with a clause, such as 'where k in world', or declare it
  @communicate { a@0 <<= b@1 where n = 1 }
// CHECK:{{.*}}host_error_clause.cpp:[[@LINE-1]]:36: error: use of undeclared identifier 'n'
// CHECK-NEXT:  @communicate { a@0 <<= b@1 where n = 1 }
// CHECK-NEXT:                                   ^
// CHECK-NEXT:kanorc: note: a clause that names a value begins with 'let': 'let n = ...'
  @communicate { a@0 <<= missing@1 }
// CHECK:{{.*}}host_error_clause.cpp:[[@LINE-1]]:26: error: use of undeclared identifier 'missing'
// CHECK-NEXT:  @communicate { a@0 <<= missing@1 }
// CHECK-NEXT:                         ^~~~~~~
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

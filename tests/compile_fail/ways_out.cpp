// RUN: %check_diagnostics
// What else a block, a clause or an operator may have been meant to be.
#include <functional>

#include <kanor/kanor.hpp>

void f(int a, int b) {
  @communicate { a@i <<= b@0 where i in kanor::world() }
// CHECK:{{.*}}ways_out.cpp:[[@LINE-1]]:41: error: type 'const team' does not provide a call operator
// CHECK-NEXT:  @communicate { a@i <<= b@0 where i in kanor::world() }
// CHECK-NEXT:                                        ^~~~~
// CHECK-NEXT:kanorc: note: a team is an object: write its name without '()'
  const int n = kanor::world().size();
// CHECK:{{.*}}ways_out.cpp:[[@LINE-1]]:17: error: type 'const team' does not provide a call operator
// CHECK-NEXT:  const int n = kanor::world().size();
// CHECK-NEXT:                ^~~~~
// CHECK-NEXT:kanorc: note: a team is an object: write its name without '()'
  @communicate { a@0 <<= b@1 where i = {0, 1} }
// CHECK:{{.*}}ways_out.cpp:[[@LINE-1]]:36: error: use of undeclared identifier 'i'
// CHECK-NEXT:  @communicate { a@0 <<= b@1 where i = {0, 1} }
// CHECK-NEXT:                                   ^
// CHECK-NEXT:kanorc: note: a generator is written 'i in {...}'
  @communicate { a@0 <<= b@1 where i in kanor::world and i != 0 }
// CHECK:{{.*}}ways_out.cpp:[[@LINE-1]]:58: error: use of undeclared identifier 'i'
// CHECK-NEXT:  @communicate { a@0 <<= b@1 where i in kanor::world and i != 0 }
// CHECK-NEXT:                                                         ^
// CHECK-NEXT:kanorc: note: a set cannot use the names that it binds; a condition is a clause of its own, behind a ','
  @communicate { a@0 << std::plus << b@i where i in kanor::world }
// CHECK:{{.*}}ways_out.cpp:[[@LINE-1]]:25: error: use of class template 'std::plus' requires template arguments{{.*}}
// CHECK-NEXT:  @communicate { a@0 << std::plus << b@i where i in kanor::world }
// CHECK-NEXT:                        ^~~
// CHECK-NEXT:kanorc: note: an operator is a value, as 'std::plus<>{}' is
  @communicate { a@0 <<= b@1 } (knows = n);
// CHECK:{{.*}}ways_out.cpp:[[@LINE-1]]:33: error: use of undeclared identifier 'knows'
// CHECK-NEXT:  @communicate { a@0 <<= b@1 } (knows = n);
// CHECK-NEXT:                                ^~~~~
// CHECK-NEXT:kanorc: note: a block's modifiers stand before its '{': '@communicate (modifiers) { ... }'
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %not %kanorc -c %s -o %t.o 2>&1 | %check_output
// Names of the standard library and of Kanor's whose header is missing, outside of blocks and in them.
#include <kanor/kanor.hpp>

void f() {
  std::unordered_map<int, int> map;
// CHECK:{{.*}}missing_header.cpp:[[@LINE-1]]:8: error: no member named 'unordered_map' in namespace 'std'
// CHECK-NEXT:  std::unordered_map<int, int> map;
// CHECK-NEXT:       ^~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: include <unordered_map>
// CHECK:{{.*}}error: expected '(' for function-style cast or type construction
  double x = 0;
  @communicate { x@0 <<= std::cosh(x)@1 }
// CHECK:{{.*}}missing_header.cpp:[[@LINE-1]]:31: error: no member named 'cosh' in namespace 'std'
// CHECK-NEXT:  @communicate { x@0 <<= std::cosh(x)@1 }
// CHECK-NEXT:                              ^~~~
// CHECK-NEXT:kanorc: note: include <cmath>
  std::costs << x;
// CHECK:{{.*}}missing_header.cpp:[[@LINE-1]]:8: error: no member named 'costs' in namespace 'std'
  kanor::sort(x);
// CHECK:{{.*}}missing_header.cpp:[[@LINE-1]]:10: error: no type named 'sort' in namespace 'kanor'
// CHECK-NEXT:  kanor::sort(x);
// CHECK-NEXT:         ^~~~
// CHECK-NEXT:kanorc: note: include <kanor/std/sort.hpp>
  kanor::min_loc(x);
// CHECK:{{.*}}missing_header.cpp:[[@LINE-1]]:10: error: no type named 'min_loc' in namespace 'kanor'
// CHECK-NEXT:  kanor::min_loc(x);
// CHECK-NEXT:         ^~~~~~~
// CHECK-NEXT:kanorc: note: include <kanor/std/loc.hpp>
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

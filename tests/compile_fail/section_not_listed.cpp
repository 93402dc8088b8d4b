// RUN: %check_diagnostics
// Brackets that C++ has no meaning for, and that list no elements either.
#include <kanor/kanor.hpp>
#include <vector>

void nothing();

void f(std::vector<int> v, std::vector<int> w) {
  @communicate { v[{2, 0}]@0 <<= v[nothing()]@1 }
// CHECK:{{.*}}section_not_listed.cpp:[[@LINE-1]]:20: error: '{2, 0}' is not a range of integers
// CHECK-NEXT:  @communicate { v[{2, 0}]@0 <<= v[nothing()]@1 }
// CHECK-NEXT:                   ^~~~~~
// CHECK:{{.*}}section_not_listed.cpp:[[@LINE-4]]:36: error: 'nothing()' is not a range of integers
// CHECK-NEXT:  @communicate { v[{2, 0}]@0 <<= v[nothing()]@1 }
// CHECK-NEXT:                                   ^~~~~~~~~
  @communicate { v@0 <<= -v[w]@1 }
// CHECK:{{.*}}section_not_listed.cpp:[[@LINE-1]]:28: error: no viable overloaded operator[] for type 'std::vector<int>'
// CHECK:kanorc: note: only a whole place or value can list elements by 'base[indices]', in its last brackets
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

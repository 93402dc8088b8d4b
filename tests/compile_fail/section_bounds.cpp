// RUN: %check_diagnostics
// Sections that cannot be, as far as constants and types tell. What is known at run time is checked there.
#include <kanor/kanor.hpp>
#include <array>
#include <cstddef>
#include <vector>

constexpr int last = 4;

template <int n>
void in_template(int (&a)[n], std::vector<int>& v) {
  @communicate { a[2 : n - 1]@0 <<= v[0 : n - 1]@1 }
// CHECK:{{.*}}section_bounds.cpp:[[@LINE-1]]:19: error: the section reaches element 5, but 'a' has 5 elements, counted from 0
// CHECK-NEXT:  @communicate { a[2 : n - 1]@0 <<= v[0 : n - 1]@1 }
// CHECK-NEXT:                  ^~~~~~~~~~~
// CHECK-NEXT:{{.*}}section_bounds.cpp:[[@LINE+49]]:3: note: in the instantiation 'in_template<5>', which is needed here
// CHECK-NEXT:  in_template(a, v);
// CHECK-NEXT:  ^~~~~~~~~~~
}

void f(int (&a)[5], std::array<int, 3> fixed, int (&grid)[4][6], std::vector<int> v, int* p, int n) {
  @communicate { v[0 : -2]@0 <<= a[0 : 2 : 0]@1; a[0 : 2]@0 <<= v[0 : 2 : 2 - 3]@1 }
// CHECK:{{.*}}section_bounds.cpp:[[@LINE-1]]:24: error: the count of a section cannot be negative, but this one is -2
// CHECK-NEXT:  @communicate { v[0 : -2]@0 <<= a[0 : 2 : 0]@1; a[0 : 2]@0 <<= v[0 : 2 : 2 - 3]@1 }
// CHECK-NEXT:                       ^~
// CHECK:{{.*}}section_bounds.cpp:[[@LINE-4]]:44: error: the stride of a section must be at least 1, but this one is 0
// CHECK-NEXT:  @communicate { v[0 : -2]@0 <<= a[0 : 2 : 0]@1; a[0 : 2]@0 <<= v[0 : 2 : 2 - 3]@1 }
// CHECK-NEXT:                                           ^
// CHECK:{{.*}}section_bounds.cpp:[[@LINE-7]]:75: error: the stride of a section must be at least 1, but this one is -1
// CHECK-NEXT:  @communicate { v[0 : -2]@0 <<= a[0 : 2 : 0]@1; a[0 : 2]@0 <<= v[0 : 2 : 2 - 3]@1 }
// CHECK-NEXT:                                                                          ^~~~~
// CHECK-NEXT:kanorc: note: a section runs upwards from its first element
  @communicate { a[3 : 3]@0 <<= v[0 : 3]@1 }
// CHECK:{{.*}}section_bounds.cpp:[[@LINE-1]]:19: error: the section reaches element 5, but 'a' has 5 elements, counted from 0
// CHECK-NEXT:  @communicate { a[3 : 3]@0 <<= v[0 : 3]@1 }
// CHECK-NEXT:                  ^~~~~~~
  @communicate { v[0 : 3]@0 <<= a[0 : 3 : 3]@1 }
// CHECK:{{.*}}section_bounds.cpp:[[@LINE-1]]:34: error: the section reaches element 6, but 'a' has 5 elements, counted from 0
// CHECK-NEXT:  @communicate { v[0 : 3]@0 <<= a[0 : 3 : 3]@1 }
// CHECK-NEXT:                                 ^~~~~~~~~~~
  @communicate { v[0 : 2]@0 <<= fixed[last : 2]@1 }
// CHECK:{{.*}}section_bounds.cpp:[[@LINE-1]]:38: error: the section reaches element 5, but 'fixed' has 3 elements, counted from 0
// CHECK-NEXT:  @communicate { v[0 : 2]@0 <<= fixed[last : 2]@1 }
// CHECK-NEXT:                                     ^~~~~~~~~~
  @communicate { v[0 : 2]@0 <<= v[-1 : 2]@1 }
// CHECK:{{.*}}section_bounds.cpp:[[@LINE-1]]:35: error: the section begins at element -1, before the first
// CHECK-NEXT:  @communicate { v[0 : 2]@0 <<= v[-1 : 2]@1 }
// CHECK-NEXT:                                  ^~
  @communicate { a[n : 6]@0 <<= v[n : 6]@1 }
// CHECK:{{.*}}section_bounds.cpp:[[@LINE-1]]:19: error: the section's elements span 6, but 'a' has 5 elements
// CHECK-NEXT:  @communicate { a[n : 6]@0 <<= v[n : 6]@1 }
// CHECK-NEXT:                  ^~~~~~~
  @communicate { grid[0 : 5][:]@0 <<= v[:]@1 }
// CHECK:{{.*}}section_bounds.cpp:[[@LINE-1]]:22: error: the section reaches element 4, but 'grid' has 4 elements, counted from 0
// CHECK-NEXT:  @communicate { grid[0 : 5][:]@0 <<= v[:]@1 }
// CHECK-NEXT:                     ^~~~~~~
  @communicate { grid[:][2 : 5]@0 <<= v[:]@1 }
// CHECK:{{.*}}section_bounds.cpp:[[@LINE-1]]:25: error: the section reaches element 6, but the elements of 'grid[:]' have 6 elements, counted from 0
// CHECK-NEXT:  @communicate { grid[:][2 : 5]@0 <<= v[:]@1 }
// CHECK-NEXT:                        ^~~~~~~
  @communicate { a[1 : 3 : 0x7fffffffffffffff]@0 <<= v[:]@1 }
// CHECK:{{.*}}section_bounds.cpp:[[@LINE-1]]:19: error: the section reaches element 9223372036854775807, but 'a' has 5 elements, counted from 0
// CHECK-NEXT:  @communicate { a[1 : 3 : 0x7fffffffffffffff]@0 <<= v[:]@1 }
// CHECK-NEXT:                  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
  in_template(a, v);
  // These can be.
  @communicate { a[5 : 0]@0 <<= v[n : 0]@1; a[4 : 1 : 100]@0 <<= p[-3 : 1]@1; a[0 : 3 : 2]@1 <<= v[0 : 3 : n]@0 }
  @communicate { grid[3][1 : 5]@0 <<= v[n : n]@1; grid[0 : 4][5 : 1]@1 <<= v[last : 4]@0 }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

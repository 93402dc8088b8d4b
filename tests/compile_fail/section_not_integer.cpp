// RUN: %check_diagnostics
#include <kanor/kanor.hpp>
#include <vector>

enum Named { three = 3 };
enum class Scoped { three = 3 };

void f(int (&a)[5], std::vector<int> v, double d, const char* text) {
  @communicate { v[d : 2]@0 <<= a[0 : d : d]@1 }
// CHECK:{{.*}}section_not_integer.cpp:[[@LINE-1]]:20: error: the first element of a section must be an integer, but 'd' has type 'double'
// CHECK-NEXT:  @communicate { v[d : 2]@0 <<= a[0 : d : d]@1 }
// CHECK-NEXT:                   ^
// CHECK:{{.*}}section_not_integer.cpp:[[@LINE-4]]:39: error: the count of a section must be an integer, but 'd' has type 'double'
// CHECK-NEXT:  @communicate { v[d : 2]@0 <<= a[0 : d : d]@1 }
// CHECK-NEXT:                                      ^
// CHECK:{{.*}}section_not_integer.cpp:[[@LINE-7]]:43: error: the stride of a section must be an integer, but 'd' has type 'double'
// CHECK-NEXT:  @communicate { v[d : 2]@0 <<= a[0 : d : d]@1 }
// CHECK-NEXT:                                          ^
  @communicate { v[0 : text]@0 <<= a[:]@1 }
// CHECK:{{.*}}section_not_integer.cpp:[[@LINE-1]]:24: error: the count of a section must be an integer, but 'text' has type 'const char *'
// CHECK-NEXT:  @communicate { v[0 : text]@0 <<= a[:]@1 }
// CHECK-NEXT:                       ^~~~
  @communicate { v[:]@0 <<= a[0 : Scoped::three]@1 }
// CHECK:{{.*}}section_not_integer.cpp:[[@LINE-1]]:35: error: the count of a section must be an integer, but 'Scoped::three' has type 'Scoped'
// CHECK-NEXT:  @communicate { v[:]@0 <<= a[0 : Scoped::three]@1 }
// CHECK-NEXT:                                  ^~~~~~~~~~~~~
  @communicate { v[0 : three]@0 <<= a[true : 3ul]@1 }
}

struct NoRange {};

void listed(int (&grid)[5][5], std::vector<int> v, std::vector<double> d, NoRange no, int k) {
  @communicate { v[d]@0 <<= v[no]@1 }
// CHECK:{{.*}}section_not_integer.cpp:[[@LINE-1]]:20: error: the indices of a section must be integers, but those of 'd' have type 'double'
// CHECK-NEXT:  @communicate { v[d]@0 <<= v[no]@1 }
// CHECK-NEXT:                   ^
// CHECK:{{.*}}section_not_integer.cpp:[[@LINE-4]]:31: error: 'no' has type 'NoRange', which is neither an index of 'v' nor a range of integers that lists its elements
// CHECK-NEXT:  @communicate { v[d]@0 <<= v[no]@1 }
// CHECK-NEXT:                              ^~
  @communicate { v@0 <<= grid[0 : 2][k]@1 }
// CHECK:{{.*}}section_not_integer.cpp:[[@LINE-1]]:38: error: the last dimension of a section is listed by a range of integers, but 'k' has type 'int'
// CHECK-NEXT:  @communicate { v@0 <<= grid[0 : 2][k]@1 }
// CHECK-NEXT:                                     ^
// CHECK-NEXT:kanorc: note: write '[i : 1]' for a single index of a dimension
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

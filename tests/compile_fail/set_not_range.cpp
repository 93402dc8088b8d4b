// RUN: %check_diagnostics
#include <kanor/kanor.hpp>
#include <map>
#include <string>
#include <vector>

void f(int a, int b, int n, double x, std::string text, std::vector<double> reals, std::map<int, int> map, std::vector<std::string> words) {
  @communicate { a@i <<= b@i where i in n }
// CHECK:{{.*}}set_not_range.cpp:[[@LINE-1]]:41: error: a set must be a range of integers, but 'n' has type 'int'
// CHECK-NEXT:  @communicate { a@i <<= b@i where i in n }
// CHECK-NEXT:                                        ^
// CHECK-NEXT:kanorc: note: an interval is written { 0 ... n - 1 }, a list { a, b, c }
  @communicate { a@0 <<= b@0 where i in reals }
// CHECK:{{.*}}set_not_range.cpp:[[@LINE-1]]:41: error: a set must be a range of integers, but the elements of 'reals' have type 'double'
// CHECK-NEXT:  @communicate { a@0 <<= b@0 where i in reals }
// CHECK-NEXT:                                        ^~~~~
  @communicate { a@0 <<= b@0 where i in map }
// CHECK:{{.*}}set_not_range.cpp:[[@LINE-1]]:41: error: a set must be a range of integers, but the elements of 'map' have type 'std::pair<const int, int>'
// CHECK-NEXT:  @communicate { a@0 <<= b@0 where i in map }
// CHECK-NEXT:                                        ^~~
  @communicate { a@0 <<= b@0 where i in words }
// CHECK:{{.*}}set_not_range.cpp:[[@LINE-1]]:41: error: a set must be a range of integers, but the elements of 'words' have type 'std::string'
// CHECK-NEXT:  @communicate { a@0 <<= b@0 where i in words }
// CHECK-NEXT:                                        ^~~~~
  @communicate { a@0 <<= b@0 where i in world.size() }
// CHECK:{{.*}}set_not_range.cpp:[[@LINE-1]]:41: error: a set must be a range of integers, but 'world.size()' has type 'int'
// CHECK-NEXT:  @communicate { a@0 <<= b@0 where i in world.size() }
// CHECK-NEXT:                                        ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: an interval is written { 0 ... n - 1 }, a list { a, b, c }
  @communicate { a@0 <<= b@0 where i in {0 ... x} }
// CHECK:{{.*}}set_not_range.cpp:[[@LINE-1]]:48: error: the members of a set must be integers, but 'x' has type 'double'
// CHECK-NEXT:  @communicate { a@0 <<= b@0 where i in {0 ... x} }
// CHECK-NEXT:                                               ^
  @communicate { a@0 <<= b@0 where i in {0.5 ... 2} }
// CHECK:{{.*}}set_not_range.cpp:[[@LINE-1]]:42: error: the members of a set must be integers, but '0.5' has type 'double'
// CHECK-NEXT:  @communicate { a@0 <<= b@0 where i in {0.5 ... 2} }
// CHECK-NEXT:                                         ^~~
  @communicate { a@0 <<= b@0 where i in {1, x} }
// CHECK:{{.*}}set_not_range.cpp:[[@LINE-1]]:45: error: the members of a set must be integers, but 'x' has type 'double'
// CHECK-NEXT:  @communicate { a@0 <<= b@0 where i in {1, x} }
// CHECK-NEXT:                                            ^
  @communicate { a@0 <<= b@0 where i in {text} }
// CHECK:{{.*}}set_not_range.cpp:[[@LINE-1]]:42: error: the members of a set must be integers, but 'text' has type 'std::string'
// CHECK-NEXT:  @communicate { a@0 <<= b@0 where i in {text} }
// CHECK-NEXT:                                         ^~~~
  @communicate { a@0 <<= b@0 where i in {0 ... text} }
// CHECK:{{.*}}set_not_range.cpp:[[@LINE-1]]:48: error: the members of a set must be integers, but 'text' has type 'std::string'
// CHECK-NEXT:  @communicate { a@0 <<= b@0 where i in {0 ... text} }
// CHECK-NEXT:                                               ^~~~
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

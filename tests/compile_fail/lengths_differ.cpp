// RUN: %check_diagnostics
#include <kanor/kanor.hpp>
#include <array>

void f(int (&three)[3], int (&four)[4], std::array<int, 3> a3, std::array<int, 5> a5, double (&flat)[6], double (&grid)[2][3], double (&tall)[3][2]) {
  @communicate { three@0 <<= four@1 }
// CHECK:{{.*}}lengths_differ.cpp:[[@LINE-1]]:18: error: 'three' has 3 elements, 'four' has 4
// CHECK-NEXT:  @communicate { three@0 <<= four@1 }
// CHECK-NEXT:                 ^~~~~
  @communicate { a3@0 <<= a5@1 }
// CHECK:{{.*}}lengths_differ.cpp:[[@LINE-1]]:18: error: 'a3' has 3 elements, 'a5' has 5
// CHECK-NEXT:  @communicate { a3@0 <<= a5@1 }
// CHECK-NEXT:                 ^~
  @communicate { grid@0 <<= tall@1 }
// CHECK:{{.*}}lengths_differ.cpp:[[@LINE-1]]:18: error: 'grid' has 2 elements, 'tall' has 3
// CHECK-NEXT:  @communicate { grid@0 <<= tall@1 }
// CHECK-NEXT:                 ^~~~
  @communicate { three@0 << + << four@i where i in world }
// CHECK:{{.*}}lengths_differ.cpp:[[@LINE-1]]:18: error: 'three' has 3 elements, 'four' has 4
// CHECK-NEXT:  @communicate { three@0 << + << four@i where i in world }
// CHECK-NEXT:                 ^~~~~
  @communicate { grid[0]@0 <<= tall[0]@1 }
// CHECK:{{.*}}lengths_differ.cpp:[[@LINE-1]]:18: error: 'grid[0]' has 3 elements, 'tall[0]' has 2
// CHECK-NEXT:  @communicate { grid[0]@0 <<= tall[0]@1 }
// CHECK-NEXT:                 ^~~~~~~
  @communicate { three@0 <<= three@1 }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %check_diagnostics
#include <kanor/kanor.hpp>
#include <string>
#include <vector>

enum class Side { left, right };

void f(int a, int b, double x, std::string text, Side side, int* p, std::vector<int> list) {
  @communicate { a@1.5 <<= b@0 }
// CHECK:{{.*}}rank_not_integer.cpp:[[@LINE-1]]:20: error: a rank must be an integer, but '1.5' has type 'double'
// CHECK-NEXT:  @communicate { a@1.5 <<= b@0 }
// CHECK-NEXT:                   ^~~
  @communicate { a@0 <<= b@x }
// CHECK:{{.*}}rank_not_integer.cpp:[[@LINE-1]]:28: error: a rank must be an integer, but 'x' has type 'double'
// CHECK-NEXT:  @communicate { a@0 <<= b@x }
// CHECK-NEXT:                           ^
  @communicate { a@kanor::world <<= b@0 }
// CHECK:{{.*}}rank_not_integer.cpp:[[@LINE-1]]:20: error: a rank must be an integer, but 'kanor::world' has type 'kanor::team'
// CHECK-NEXT:  @communicate { a@kanor::world <<= b@0 }
// CHECK-NEXT:                   ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: for each rank of a team, bind a name: 'where i in team'
  @communicate { a@text <<= b@0 }
// CHECK:{{.*}}rank_not_integer.cpp:[[@LINE-1]]:20: error: a rank must be an integer, but 'text' has type 'std::string'
// CHECK-NEXT:  @communicate { a@text <<= b@0 }
// CHECK-NEXT:                   ^~~~
  @communicate { a@0 <<= b@side }
// CHECK:{{.*}}rank_not_integer.cpp:[[@LINE-1]]:28: error: a rank must be an integer, but 'side' has type 'Side'
// CHECK-NEXT:  @communicate { a@0 <<= b@side }
// CHECK-NEXT:                           ^~~~
  @communicate { a@p <<= b@0 }
// CHECK:{{.*}}rank_not_integer.cpp:[[@LINE-1]]:20: error: a rank must be an integer, but 'p' has type 'int *'
// CHECK-NEXT:  @communicate { a@p <<= b@0 }
// CHECK-NEXT:                   ^
  @communicate { a@list <<= b@0 }
// CHECK:{{.*}}rank_not_integer.cpp:[[@LINE-1]]:20: error: a rank must be an integer, but 'list' has type 'std::vector<int>'
// CHECK-NEXT:  @communicate { a@list <<= b@0 }
// CHECK-NEXT:                   ^~~~
  @communicate { a@world <<= b@0 }
// CHECK:{{.*}}rank_not_integer.cpp:[[@LINE-1]]:20: error: a rank must be an integer, but 'world' has type 'kanor::team'
// CHECK-NEXT:  @communicate { a@world <<= b@0 }
// CHECK-NEXT:                   ^~~~~
  @communicate { a@i / 2.0 <<= b@i where i in world }
// CHECK:{{.*}}rank_not_integer.cpp:[[@LINE-1]]:20: error: a rank must be an integer, but 'i / 2.0' has type 'double'
// CHECK-NEXT:  @communicate { a@i / 2.0 <<= b@i where i in world }
// CHECK-NEXT:                   ^~~~~~~
  @communicate { a@k <<= b@0 where let k = text }
// CHECK:{{.*}}rank_not_integer.cpp:[[@LINE-1]]:20: error: a rank must be an integer, but 'k' has type 'std::string'
// CHECK-NEXT:  @communicate { a@k <<= b@0 where let k = text }
// CHECK-NEXT:                   ^
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

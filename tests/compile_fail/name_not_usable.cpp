// RUN: %check_diagnostics
// Local variables that no lambda can capture.
#include <kanor/kanor.hpp>

int f(int n) {
  int array[n], a = 0;
  union {
    int whole;
    float real;
  };
  array[0] = whole = 0;
  @communicate { array[0]@i <<= a@i where i in world }
// CHECK:{{.*}}name_not_usable.cpp:[[@LINE-1]]:18: error: 'array' is an array of variable length, which a block cannot use
// CHECK-NEXT:  @communicate { array[0]@i <<= a@i where i in world }
// CHECK-NEXT:                 ^~~~~
// CHECK-NEXT:kanorc: note: a std::vector takes its length at run time too
  @communicate { a@0 <<= whole + 1@0 }
// CHECK:{{.*}}name_not_usable.cpp:[[@LINE-1]]:26: error: 'whole' is a member of an anonymous union in a function, which a block cannot use
// CHECK-NEXT:  @communicate { a@0 <<= whole + 1@0 }
// CHECK-NEXT:                         ^~~~~
// CHECK-NEXT:kanorc: note: give the union a name
  @communicate { a@i <<= 1@i where i in {0 ... array[0]} }
// CHECK:{{.*}}name_not_usable.cpp:[[@LINE-1]]:48: error: 'array' is an array of variable length, which a block cannot use
// CHECK-NEXT:  @communicate { a@i <<= 1@i where i in {0 ... array[0]} }
// CHECK-NEXT:                                               ^~~~~
// CHECK-NEXT:kanorc: note: a std::vector takes its length at run time too
  @communicate { a@0 <<= [] { union { int x; float y; }; x = 3; return x; }()@0 }
  return a + array[0];
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

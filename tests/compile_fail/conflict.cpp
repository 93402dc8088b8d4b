// RUN: %check_diagnostics
// Two updates of one place of one rank that are sure to meet; what filters, unknown ranks or empty sets may keep
// apart is not for the compiler.
#include <kanor/kanor.hpp>
#include <vector>

std::vector<int>& chosen();

template <class T>
void in_template(T a, T b) {
  @communicate { a@0 <<= b@1; a@0 <<= b@2 }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:31: error: 'a' of rank 0 is updated more than once in this block
// CHECK-NEXT:  @communicate { a@0 <<= b@1; a@0 <<= b@2 }
// CHECK-NEXT:                              ^
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:18: note: it is updated here first
// CHECK-NEXT:  @communicate { a@0 <<= b@1; a@0 <<= b@2 }
// CHECK-NEXT:                 ^
// CHECK-NEXT:kanorc: note: give each value a place of its own, or fold them with '<< op <<' in one statement
}

void f(int a, int b, int (&c)[4], std::vector<int> v, int me, int n) {
  @communicate { a@0 <<= 1@0; b@0 <<= 3@0; a@0 <<= 2@1 }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:44: error: 'a' of rank 0 is updated more than once in this block
// CHECK-NEXT:  @communicate { a@0 <<= 1@0; b@0 <<= 3@0; a@0 <<= 2@1 }
// CHECK-NEXT:                                           ^
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:18: note: it is updated here first
// CHECK-NEXT:  @communicate { a@0 <<= 1@0; b@0 <<= 3@0; a@0 <<= 2@1 }
// CHECK-NEXT:                 ^
// CHECK-NEXT:kanorc: note: give each value a place of its own, or fold them with '<< op <<' in one statement
  @communicate { a@0 <<= b@i where i in {0 ... 3} }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:18: error: 'a' of rank 0 is updated more than once in this block
// CHECK-NEXT:  @communicate { a@0 <<= b@i where i in {0 ... 3} }
// CHECK-NEXT:                 ^
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:36: note: for each member of this set
// CHECK-NEXT:  @communicate { a@0 <<= b@i where i in {0 ... 3} }
// CHECK-NEXT:                                   ^~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: give each value a place of its own, or fold them with '<< op <<' in one statement
  @communicate { c[1]@1 <<= b@i where i in {2, 2} }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:18: error: 'c[1]' of rank 1 is updated more than once in this block
// CHECK-NEXT:  @communicate { c[1]@1 <<= b@i where i in {2, 2} }
// CHECK-NEXT:                 ^~~~
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:39: note: for each member of this set
// CHECK-NEXT:  @communicate { c[1]@1 <<= b@i where i in {2, 2} }
// CHECK-NEXT:                                      ^~~~~~~~~~~
// CHECK-NEXT:kanorc: note: give each value a place of its own, or fold them with '<< op <<' in one statement
  @communicate { a@0 << + << 1@i where i in world; a@0 << max << b@0 }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:52: error: 'a' of rank 0 is updated more than once in this block
// CHECK-NEXT:  @communicate { a@0 << + << 1@i where i in world; a@0 << max << b@0 }
// CHECK-NEXT:                                                   ^
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:18: note: it is updated here first
// CHECK-NEXT:  @communicate { a@0 << + << 1@i where i in world; a@0 << max << b@0 }
// CHECK-NEXT:                 ^
// CHECK-NEXT:kanorc: note: give each value a place of its own, or fold them with '<< op <<' in one statement
  @communicate { a@0 <<= b@i where let h = 2, i, j in {0 ... 1}, k in world }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:18: error: 'a' of rank 0 is updated more than once in this block
// CHECK-NEXT:  @communicate { a@0 <<= b@i where let h = 2, i, j in {0 ... 1}, k in world }
// CHECK-NEXT:                 ^
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:47: note: for each member of this set
// CHECK-NEXT:  @communicate { a@0 <<= b@i where let h = 2, i, j in {0 ... 1}, k in world }
// CHECK-NEXT:                                              ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: give each value a place of its own, or fold them with '<< op <<' in one statement
  in_template(a, b);
  // No conflict, or none that is sure.
  @communicate { a@0 <<= 1@0; a@1 <<= 2@0; c[0]@0 <<= 1@0; c[1]@0 <<= 2@0 }
  @communicate { a@0 << + << b@i where i in {0 ... 3} }
  @communicate { a@0 <<= b@0 where me == 0; a@0 <<= b@1 where me == 1 }
  @communicate { a@0 <<= b@me; a@0 <<= b@n; a@me <<= b@0; a@me <<= b@1 }
  @communicate { a@0 <<= b@i where i in world }
  @communicate { a@0 <<= b@i where i in {0 ... n} }
  @communicate { a@0 <<= b@i where i in {0 ... 3}, i == me }
  @communicate { c[i]@0 <<= b@i where i in {0 ... 3} }
  @communicate { a@0 <<= b@kanor::no_rank; a@0 <<= b@1 }
  @communicate { a@0 <<= b@i where i in {0, kanor::no_rank} }
  @communicate { chosen()@0 <<= v@1; chosen()@0 <<= v@1 }
}

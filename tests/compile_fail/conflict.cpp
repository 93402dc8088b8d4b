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
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:18: note: first updated here
// CHECK-NEXT:  @communicate { a@0 <<= b@1; a@0 <<= b@2 }
// CHECK-NEXT:                 ^
// CHECK-NEXT:kanorc: note: give each value a place of its own, or fold them with '<< op <<' in one statement
}

void f(int a, int b, int (&c)[4], int (&table)[4][4], std::vector<int> v, int me, int n, int (*p)[4], kanor::team one) {
  @communicate { a@0 <<= 1@0; b@0 <<= 3@0; a@0 <<= 2@1 }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:44: error: 'a' of rank 0 is updated more than once in this block
// CHECK-NEXT:  @communicate { a@0 <<= 1@0; b@0 <<= 3@0; a@0 <<= 2@1 }
// CHECK-NEXT:                                           ^
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:18: note: first updated here
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
// CHECK-NEXT:kanorc: note: fold the values with '<< op <<', or give each a place of its own: 'a[i]'
  @communicate { c[1]@1 <<= b@i where i in {2, 2} }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:18: error: 'c[1]' of rank 1 is updated more than once in this block
// CHECK-NEXT:  @communicate { c[1]@1 <<= b@i where i in {2, 2} }
// CHECK-NEXT:                 ^~~~
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:39: note: for each member of this set
// CHECK-NEXT:  @communicate { c[1]@1 <<= b@i where i in {2, 2} }
// CHECK-NEXT:                                      ^~~~~~~~~~~
// CHECK-NEXT:kanorc: note: fold the values with '<< op <<', or give each a place of its own
  @communicate { a@0 << + << 1@i where i in world; a@0 << max << b@0 }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:52: error: 'a' of rank 0 is updated more than once in this block
// CHECK-NEXT:  @communicate { a@0 << + << 1@i where i in world; a@0 << max << b@0 }
// CHECK-NEXT:                                                   ^
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:18: note: first updated here
// CHECK-NEXT:  @communicate { a@0 << + << 1@i where i in world; a@0 << max << b@0 }
// CHECK-NEXT:                 ^
// CHECK-NEXT:kanorc: note: give each value a place of its own, or fold them with '<< op <<' in one statement
  @communicate { a@0 <<= b@i where let h = 2, i, j in {0 ... 1}, k in world }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:18: error: 'a' of rank 0 is updated more than once in this block
// CHECK-NEXT:  @communicate { a@0 <<= b@i where let h = 2, i, j in {0 ... 1}, k in world }
// CHECK-NEXT:                 ^
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:66: note: for each member of this set
// CHECK-NEXT:  @communicate { a@0 <<= b@i where let h = 2, i, j in {0 ... 1}, k in world }
// CHECK-NEXT:                                                                 ^~~~~~~~~~
// CHECK-NEXT:kanorc: note: fold the values with '<< op <<', or give each a place of its own: 'a[k]'
  // Every world but that of one rank has several senders.
  @communicate { a@0 <<= b@i where i in world }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:18: error: 'a' of rank 0 is updated more than once in this block
// CHECK-NEXT:  @communicate { a@0 <<= b@i where i in world }
// CHECK-NEXT:                 ^
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:36: note: for each member of this set
// CHECK-NEXT:  @communicate { a@0 <<= b@i where i in world }
// CHECK-NEXT:                                   ^~~~~~~~~~
// CHECK-NEXT:kanorc: note: fold the values with '<< op <<', or give each a place of its own: 'a[i]'
  @communicate { c[1]@n <<= b@i where i in kanor::world }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:18: error: 'c[1]' of rank 'n' is updated more than once in this block
// CHECK-NEXT:  @communicate { c[1]@n <<= b@i where i in kanor::world }
// CHECK-NEXT:                 ^~~~
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:39: note: for each member of this set
// CHECK-NEXT:  @communicate { c[1]@n <<= b@i where i in kanor::world }
// CHECK-NEXT:                                      ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: fold the values with '<< op <<', or give each a place of its own
  @communicate { a@i <<= b@j where i, j in world }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:18: error: 'a' of rank 'i' is updated more than once in this block
// CHECK-NEXT:  @communicate { a@i <<= b@j where i, j in world }
// CHECK-NEXT:                 ^
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:36: note: for each member of this set
// CHECK-NEXT:  @communicate { a@i <<= b@j where i, j in world }
// CHECK-NEXT:                                   ^~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: fold the values with '<< op <<', or give each a place of its own: 'a[i]'
  @communicate { a@world.size() - 1 <<= 1@0; a@world.size() - 1 <<= 1@1 }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:46: error: 'a' of rank 'world.size() - 1' is updated more than once in this block
// CHECK-NEXT:  @communicate { a@world.size() - 1 <<= 1@0; a@world.size() - 1 <<= 1@1 }
// CHECK-NEXT:                                             ^
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:18: note: first updated here
// CHECK-NEXT:  @communicate { a@world.size() - 1 <<= 1@0; a@world.size() - 1 <<= 1@1 }
// CHECK-NEXT:                 ^
// CHECK-NEXT:kanorc: note: give each value a place of its own, or fold them with '<< op <<' in one statement
  // Ranks that have one value, whatever it is.
  @communicate { a@n <<= b@0; a@ n <<= b@1 }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:31: error: 'a' of rank 'n' is updated more than once in this block
// CHECK-NEXT:  @communicate { a@n <<= b@0; a@ n <<= b@1 }
// CHECK-NEXT:                              ^
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:18: note: first updated here
// CHECK-NEXT:  @communicate { a@n <<= b@0; a@ n <<= b@1 }
// CHECK-NEXT:                 ^
// CHECK-NEXT:kanorc: note: give each value a place of its own, or fold them with '<< op <<' in one statement
  @communicate { a@(i + 1) % n <<= b@i where i in world; a@(i + 1) % n <<= 2@i where i in world }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:58: error: 'a' of rank '(i + 1) % n' is updated more than once in this block
// CHECK-NEXT:  @communicate { a@(i + 1) % n <<= b@i where i in world; a@(i + 1) % n <<= 2@i where i in world }
// CHECK-NEXT:                                                         ^
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:18: note: first updated here
// CHECK-NEXT:  @communicate { a@(i + 1) % n <<= b@i where i in world; a@(i + 1) % n <<= 2@i where i in world }
// CHECK-NEXT:                 ^
// CHECK-NEXT:kanorc: note: give each value a place of its own, or fold them with '<< op <<' in one statement
  @communicate { a@i <<= b@j where i in world, j in {0 ... 3} }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:18: error: 'a' of rank 'i' is updated more than once in this block
// CHECK-NEXT:  @communicate { a@i <<= b@j where i in world, j in {0 ... 3} }
// CHECK-NEXT:                 ^
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:48: note: for each member of this set
// CHECK-NEXT:  @communicate { a@i <<= b@j where i in world, j in {0 ... 3} }
// CHECK-NEXT:                                               ^~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: fold the values with '<< op <<', or give each a place of its own: 'a[j]'
  // A whole and its part, and sections that meet.
  @communicate { c@0 <<= c@1; c[2]@0 <<= b@1 }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:31: error: 'c[2]' and 'c' of rank 0 overlap, and both are updated in this block
// CHECK-NEXT:  @communicate { c@0 <<= c@1; c[2]@0 <<= b@1 }
// CHECK-NEXT:                              ^~~~
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:18: note: the other one is updated here
// CHECK-NEXT:  @communicate { c@0 <<= c@1; c[2]@0 <<= b@1 }
// CHECK-NEXT:                 ^
// CHECK-NEXT:kanorc: note: give each value a place of its own, or fold them with '<< op <<' in one statement
  @communicate { v[n]@0 <<= b@1; v@0 <<= v@2 }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:34: error: 'v' and 'v[n]' of rank 0 overlap, and both are updated in this block
// CHECK-NEXT:  @communicate { v[n]@0 <<= b@1; v@0 <<= v@2 }
// CHECK-NEXT:                                 ^
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:18: note: the other one is updated here
// CHECK-NEXT:  @communicate { v[n]@0 <<= b@1; v@0 <<= v@2 }
// CHECK-NEXT:                 ^~~~
// CHECK-NEXT:kanorc: note: give each value a place of its own, or fold them with '<< op <<' in one statement
  @communicate { c[0 : 3]@0 <<= c[1 : 3]@1; c[2 : 2]@0 <<= c[0 : 2]@2 }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:45: error: 'c[2 : 2]' and 'c[0 : 3]' of rank 0 overlap, and both are updated in this block
// CHECK-NEXT:  @communicate { c[0 : 3]@0 <<= c[1 : 3]@1; c[2 : 2]@0 <<= c[0 : 2]@2 }
// CHECK-NEXT:                                            ^~~~~~~~
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:18: note: the other one is updated here
// CHECK-NEXT:  @communicate { c[0 : 3]@0 <<= c[1 : 3]@1; c[2 : 2]@0 <<= c[0 : 2]@2 }
// CHECK-NEXT:                 ^~~~~~~~
// CHECK-NEXT:kanorc: note: give each value a place of its own, or fold them with '<< op <<' in one statement
  @communicate { c[1]@0 <<= b@1; c[:]@0 <<= c[:]@2 }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:34: error: 'c[:]' and 'c[1]' of rank 0 overlap, and both are updated in this block
// CHECK-NEXT:  @communicate { c[1]@0 <<= b@1; c[:]@0 <<= c[:]@2 }
// CHECK-NEXT:                                 ^~~~
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:18: note: the other one is updated here
// CHECK-NEXT:  @communicate { c[1]@0 <<= b@1; c[:]@0 <<= c[:]@2 }
// CHECK-NEXT:                 ^~~~
// CHECK-NEXT:kanorc: note: give each value a place of its own, or fold them with '<< op <<' in one statement
  @communicate { table[1][0 : 4]@0 <<= v[:]@1; table[0 : 2 : 1][3 : 1]@0 <<= v[:]@2 }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:48: error: 'table[0 : 2 : 1][3 : 1]' and 'table[1][0 : 4]' of rank 0 overlap, and both are updated in this block
// CHECK-NEXT:  @communicate { table[1][0 : 4]@0 <<= v[:]@1; table[0 : 2 : 1][3 : 1]@0 <<= v[:]@2 }
// CHECK-NEXT:                                               ^~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:18: note: the other one is updated here
// CHECK-NEXT:  @communicate { table[1][0 : 4]@0 <<= v[:]@1; table[0 : 2 : 1][3 : 1]@0 <<= v[:]@2 }
// CHECK-NEXT:                 ^~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: give each value a place of its own, or fold them with '<< op <<' in one statement
  @communicate { table[0 : 2]@0 <<= table[2 : 2]@1; table[1][me]@0 <<= b@2 }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:53: error: 'table[1][me]' and 'table[0 : 2]' of rank 0 overlap, and both are updated in this block
// CHECK-NEXT:  @communicate { table[0 : 2]@0 <<= table[2 : 2]@1; table[1][me]@0 <<= b@2 }
// CHECK-NEXT:                                                    ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:18: note: the other one is updated here
// CHECK-NEXT:  @communicate { table[0 : 2]@0 <<= table[2 : 2]@1; table[1][me]@0 <<= b@2 }
// CHECK-NEXT:                 ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: give each value a place of its own, or fold them with '<< op <<' in one statement
  @communicate { v[0 : n]@0 <<= c[0 : n]@1; v[0 : n]@0 << + << c[0 : n]@2 }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:45: error: 'v[0 : n]' of rank 0 is updated more than once in this block
// CHECK-NEXT:  @communicate { v[0 : n]@0 <<= c[0 : n]@1; v[0 : n]@0 << + << c[0 : n]@2 }
// CHECK-NEXT:                                            ^~~~~~~~
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:18: note: first updated here
// CHECK-NEXT:  @communicate { v[0 : n]@0 <<= c[0 : n]@1; v[0 : n]@0 << + << c[0 : n]@2 }
// CHECK-NEXT:                 ^~~~~~~~
// CHECK-NEXT:kanorc: note: give each value a place of its own, or fold them with '<< op <<' in one statement
  @communicate { c[0 : 2]@0 <<= c[2 : 2]@i where i in {0, 1} }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:18: error: 'c[0 : 2]' of rank 0 is updated more than once in this block
// CHECK-NEXT:  @communicate { c[0 : 2]@0 <<= c[2 : 2]@i where i in {0, 1} }
// CHECK-NEXT:                 ^~~~~~~~
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:50: note: for each member of this set
// CHECK-NEXT:  @communicate { c[0 : 2]@0 <<= c[2 : 2]@i where i in {0, 1} }
// CHECK-NEXT:                                                 ^~~~~~~~~~~
// CHECK-NEXT:kanorc: note: fold the values with '<< op <<', or give each a place of its own
  // What every rank gets, and one of them again.
  @communicate { a@i <<= a@0 where i in world; a@0 <<= 7@1 }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:48: error: 'a' of rank 0 is updated more than once in this block
// CHECK-NEXT:  @communicate { a@i <<= a@0 where i in world; a@0 <<= 7@1 }
// CHECK-NEXT:                                               ^
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:18: note: first updated here
// CHECK-NEXT:  @communicate { a@i <<= a@0 where i in world; a@0 <<= 7@1 }
// CHECK-NEXT:                 ^
// CHECK-NEXT:kanorc: note: give each value a place of its own, or fold them with '<< op <<' in one statement
  @communicate (team = one) { a@world.size() - 1 <<= 7@0; a@i <<= a@0 where i in one; a@0 <<= 7@0 }
// CHECK:{{.*}}conflict.cpp:[[@LINE-1]]:87: error: 'a' of rank 0 is updated more than once in this block
// CHECK-NEXT:  @communicate (team = one) { a@world.size() - 1 <<= 7@0; a@i <<= a@0 where i in one; a@0 <<= 7@0 }
// CHECK-NEXT:                                                                                      ^
// CHECK-NEXT:{{.*}}conflict.cpp:[[@LINE-4]]:59: note: first updated here
// CHECK-NEXT:  @communicate (team = one) { a@world.size() - 1 <<= 7@0; a@i <<= a@0 where i in one; a@0 <<= 7@0 }
// CHECK-NEXT:                                                          ^
// CHECK-NEXT:kanorc: note: give each value a place of its own, or fold them with '<< op <<' in one statement
  in_template(a, b);
  // No conflict, or none that is sure.
  @communicate { a@0 <<= 1@0; a@1 <<= 2@0; c[0]@0 <<= 1@0; c[1]@0 <<= 2@0 }
  @communicate { a@0 << + << b@i where i in {0 ... 3} }
  @communicate { a@0 <<= b@0 where me == 0; a@0 <<= b@1 where me == 1 }
  @communicate { a@0 <<= b@me; a@0 <<= b@n; a@me <<= b@0; a@n <<= b@1; a@me + 1 <<= b@1 }
  @communicate { a@0 <<= b@i where i in {0 ... n} }
  @communicate { a@0 <<= b@i where i in {0 ... 3}, i == me }
  @communicate { c[i]@0 <<= b@i where i in {0 ... 3} }
  @communicate { a@0 <<= b@kanor::no_rank; a@0 <<= b@1 }
  @communicate { a@0 <<= b@i where i in {0, kanor::no_rank} }
  @communicate { chosen()@0 <<= v@1; chosen()@0 <<= v@1 }
  @communicate { c[0 : 2]@0 <<= c[0 : 2]@1; c[2 : 2]@0 <<= c[0 : 2]@2; v[0 : 3 : 2]@0 <<= v[0 : 3]@1; v[1 : 3 : 2]@0 <<= v[0 : 3]@1 }
  @communicate { c[0 : 2]@0 <<= c[0 : 2]@1; c[1 : 0]@0 <<= c[0 : 0]@2; c[2 : n]@0 <<= c[0 : n]@2; c[3]@0 <<= b@1 }
  @communicate { table[0 : 2][0 : 2]@0 <<= v[:]@1; table[0 : 2][2 : 2]@0 <<= v[:]@2; table[2][0]@0 <<= b@1 }
  @communicate { c[0 : 2]@0 << + << c[2 : 2]@i where i in {0, 1} }
  @communicate { c[k]@n <<= b@i where i in {0 ... 3}, let k = i; c[i + n]@0 <<= b@0 where i in {0, 1} }
  @communicate { c[j]@0 <<= b@0 where i in {0, 1}, j in {i} }
  @communicate { a@i <<= b@0 where i in world, i > 0; a@i <<= b@1 where i in world, i < 0 }
  @communicate { a@i <<= b@0 where i in world; a@me <<= b@1 }
  @communicate (team = one) { a@i <<= b@0 where i in world, i < 2; a@0 <<= b@0 }
  @communicate (knows = sender) { a@i <<= b@0 where i in world; a@0 <<= b@0 }
  @communicate { p[0][1]@0 <<= b@1; p[1][1]@0 <<= b@1 }
  @communicate { c[i]@0 <<= b@i where i in world; a@i <<= b@i where i in world; b@0 <<= c[1]@i where i in world, i == me }
  @communicate { a@0 << + << b@i where i in world }
  @communicate (team = one) { a@0 <<= b@i where i in one }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

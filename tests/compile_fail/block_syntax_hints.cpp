// RUN: %check_diagnostics
// What newcomers write: the message says what is missing.
#include <kanor/kanor.hpp>
#include <vector>

// A program may call its own things so.
int communicate(int by) { return by; }
struct Radio {
  void communicate() { communicate(2); }
  void communicate(int times) {
    int a = times;
    @communicate { a@0 <<= 1@1 }
  }
};

void f(int a, int b, int n, int (&c)[4]) {
  communicate { a@0 <<= b@1 }
// CHECK:{{.*}}block_syntax_hints.cpp:[[@LINE-1]]:3: error: a block begins with '@'
// CHECK-NEXT:  communicate { a@0 <<= b@1 }
// CHECK-NEXT:  ^~~~~~~~~~~
// CHECK-NEXT:kanorc: note: write '@communicate'
  communicate (async = later) { a@0 <<= b@1 }
// CHECK:{{.*}}block_syntax_hints.cpp:[[@LINE-1]]:3: error: a block begins with '@'
// CHECK-NEXT:  communicate (async = later) { a@0 <<= b@1 }
// CHECK-NEXT:  ^~~~~~~~~~~
// CHECK-NEXT:kanorc: note: write '@communicate'
  @communicate { a@(i + 1) % n <<= b@i i in world }
// CHECK:{{.*}}block_syntax_hints.cpp:[[@LINE-1]]:40: error: expected 'where' before 'i in'
// CHECK-NEXT:  @communicate { a@(i + 1) % n <<= b@i i in world }
// CHECK-NEXT:                                       ^~~~
// CHECK-NEXT:kanorc: note: a statement is written 'place@rank <<= value@rank where i in set' or 'place@rank << op << value@rank'
  @communicate { a@i <<= b@0 i in {0 ... 3} }
// CHECK:{{.*}}block_syntax_hints.cpp:[[@LINE-1]]:30: error: expected 'where' before 'i in'
// CHECK-NEXT:  @communicate { a@i <<= b@0 i in {0 ... 3} }
// CHECK-NEXT:                             ^~~~
// CHECK-NEXT:kanorc: note: a statement is written 'place@rank <<= value@rank where i in set' or 'place@rank << op << value@rank'
  @communicate { a@i <<= b@i in world }
// CHECK:{{.*}}block_syntax_hints.cpp:[[@LINE-1]]:30: error: expected 'where' before 'in'
// CHECK-NEXT:  @communicate { a@i <<= b@i in world }
// CHECK-NEXT:                             ^~
// CHECK-NEXT:kanorc: note: a statement is written 'place@rank <<= value@rank where i in set' or 'place@rank << op << value@rank'
  @communicate { a@i <<= b@0 where i in {0..3} }
// CHECK:{{.*}}block_syntax_hints.cpp:[[@LINE-1]]:41: error: an interval needs three dots
// CHECK-NEXT:  @communicate { a@i <<= b@0 where i in {0..3} }
// CHECK-NEXT:                                        ^~~~~~
// CHECK-NEXT:kanorc: note: write '{first ... last}'
  @communicate { a@i <<= b@0 where i in {a .. n} }
// CHECK:{{.*}}block_syntax_hints.cpp:[[@LINE-1]]:41: error: an interval needs three dots
// CHECK-NEXT:  @communicate { a@i <<= b@0 where i in {a .. n} }
// CHECK-NEXT:                                        ^~~~~~~~
// CHECK-NEXT:kanorc: note: write '{first ... last}'
  @communicate { a@i <<= b@0 where i in 0..n }
// CHECK:{{.*}}block_syntax_hints.cpp:[[@LINE-1]]:41: error: an interval needs three dots
// CHECK-NEXT:  @communicate { a@i <<= b@0 where i in 0..n }
// CHECK-NEXT:                                        ^~~~
// CHECK-NEXT:kanorc: note: write '{first ... last}'
  @communicate { c[0..3]@0 <<= c[0 : 4]@1 }
// CHECK:{{.*}}block_syntax_hints.cpp:[[@LINE-1]]:20: error: an interval can only be a set, not an index or part of an expression
// CHECK-NEXT:  @communicate { c[0..3]@0 <<= c[0 : 4]@1 }
// CHECK-NEXT:                   ^~~~
// CHECK-NEXT:kanorc: note: use a name as the index: 'a[k]@i <<= b[k]@j where k in {0 ... 3}'
// CHECK-NEXT:kanorc: note: or use a section of consecutive elements: 'a[first : count]'
  @communicate { a@0 <<= c[n ... 3]@1 }
// CHECK:{{.*}}block_syntax_hints.cpp:[[@LINE-1]]:28: error: an interval can only be a set, not an index or part of an expression
// CHECK-NEXT:  @communicate { a@0 <<= c[n ... 3]@1 }
// CHECK-NEXT:                           ^~~~~~~
// CHECK-NEXT:kanorc: note: use a name as the index: 'a[k]@i <<= b[k]@j where k in {0 ... 3}'
// CHECK-NEXT:kanorc: note: or use a section of consecutive elements: 'a[first : count]'
  @communicate { a@i <<= b@0 where i in {0 ... 3}, b == 1 }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

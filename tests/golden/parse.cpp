// RUN: %kanorc --dump=parse %s | %FileCheck --strict-whitespace --match-full-lines %s
// The blocks as the parser sees them: every piece with its place and its text, nothing looked up.
#include <kanor/kanor.hpp>

#if 0
@communicate { not read }
#endif

void every_piece(int a, int b[], int n) {
  @communicate (copy, knows = both) {
    a@(i + 1) % n <<= b[i]@i where i, j in world, k in {0...j}, let m = i + j, m < n;
    b[0]@0 << max << a@i, where i in {1, 2, 4};
    a@0 << [](int x, int y) { return x << y; } << b[n]@n - 1
  }
  KANOR_COMMUNICATE(b[0 : n]@0 <<= b[0 : n : 2]@1; a@0 <<= a@1);
  @communicate (async = later, team = kanor::world) { b[:]@i <<= b[:]@in where in in world }
}
void listed(int b[], int grid[4][4], int columns[2]) {
  @communicate { b[0 : 8]@0 <<= grid[0 : 4][columns]@1 }
}
// CHECK:block 10:3-14:4 at_sign
// CHECK-NEXT:  modifier 10:17-10:21 copy
// CHECK-NEXT:  modifier 10:23-10:35 knows
// CHECK-NEXT:    argument 10:31-10:35 `both`
// CHECK-NEXT:  statement 11:5-11:85 assign
// CHECK-NEXT:    place 11:5-11:6 `a`
// CHECK-NEXT:    receiver 11:7-11:18 `(i + 1) % n`
// CHECK-NEXT:    arrow 11:19-11:22 `<<=`
// CHECK-NEXT:    value 11:23-11:27 `b[i]`
// CHECK-NEXT:    sender 11:28-11:29 `i`
// CHECK-NEXT:    generator 11:36-11:49
// CHECK-NEXT:      name 11:36-11:37 `i`
// CHECK-NEXT:      name 11:39-11:40 `j`
// CHECK-NEXT:      set 11:44-11:49 range
// CHECK-NEXT:        element 11:44-11:49 `world`
// CHECK-NEXT:    generator 11:51-11:63
// CHECK-NEXT:      name 11:51-11:52 `k`
// CHECK-NEXT:      set 11:56-11:63 interval
// CHECK-NEXT:        element 11:57-11:58 `0`
// CHECK-NEXT:        element 11:61-11:62 `j`
// CHECK-NEXT:    let 11:65-11:78
// CHECK-NEXT:      name 11:69-11:70 `m`
// CHECK-NEXT:      value 11:73-11:78 `i + j`
// CHECK-NEXT:    filter 11:80-11:85 `m < n`
// CHECK-NEXT:  statement 12:5-12:47 max
// CHECK-NEXT:    place 12:5-12:9 `b[0]`
// CHECK-NEXT:    receiver 12:10-12:11 `0`
// CHECK-NEXT:    arrow 12:12-12:21 `<< max <<`
// CHECK-NEXT:      operation 12:15-12:18 `max`
// CHECK-NEXT:    value 12:22-12:23 `a`
// CHECK-NEXT:    sender 12:24-12:25 `i`
// CHECK-NEXT:    generator 12:33-12:47
// CHECK-NEXT:      name 12:33-12:34 `i`
// CHECK-NEXT:      set 12:38-12:47 list
// CHECK-NEXT:        element 12:39-12:40 `1`
// CHECK-NEXT:        element 12:42-12:43 `2`
// CHECK-NEXT:        element 12:45-12:46 `4`
// CHECK-NEXT:  statement 13:5-13:61 callable
// CHECK-NEXT:    place 13:5-13:6 `a`
// CHECK-NEXT:    receiver 13:7-13:8 `0`
// CHECK-NEXT:    arrow 13:9-13:50 `<< [](int x, int y) { return x << y; } <<`
// CHECK-NEXT:      operation 13:12-13:47 `[](int x, int y) { return x << y; }`
// CHECK-NEXT:    value 13:51-13:55 `b[n]`
// CHECK-NEXT:    sender 13:56-13:61 `n - 1`
// CHECK-NEXT:block 15:3-15:64 macro
// CHECK-NEXT:  statement 15:21-15:50 assign
// CHECK-NEXT:    place 15:21-15:29 `b[0 : n]`
// CHECK-NEXT:      base 15:21-15:22 `b`
// CHECK-NEXT:      dimension 15:22-15:29
// CHECK-NEXT:        first 15:23-15:24 `0`
// CHECK-NEXT:        count 15:27-15:28 `n`
// CHECK-NEXT:    receiver 15:30-15:31 `0`
// CHECK-NEXT:    arrow 15:32-15:35 `<<=`
// CHECK-NEXT:    value 15:36-15:48 `b[0 : n : 2]`
// CHECK-NEXT:      base 15:36-15:37 `b`
// CHECK-NEXT:      dimension 15:37-15:48
// CHECK-NEXT:        first 15:38-15:39 `0`
// CHECK-NEXT:        count 15:42-15:43 `n`
// CHECK-NEXT:        stride 15:46-15:47 `2`
// CHECK-NEXT:    sender 15:49-15:50 `1`
// CHECK-NEXT:  statement 15:52-15:63 assign
// CHECK-NEXT:    place 15:52-15:53 `a`
// CHECK-NEXT:    receiver 15:54-15:55 `0`
// CHECK-NEXT:    arrow 15:56-15:59 `<<=`
// CHECK-NEXT:    value 15:60-15:61 `a`
// CHECK-NEXT:    sender 15:62-15:63 `1`
// CHECK-NEXT:block 16:3-16:93 at_sign
// CHECK-NEXT:  modifier 16:17-16:30 async
// CHECK-NEXT:    argument 16:25-16:30 `later`
// CHECK-NEXT:  modifier 16:32-16:51 team
// CHECK-NEXT:    argument 16:39-16:51 `kanor::world`
// CHECK-NEXT:  statement 16:55-16:91 assign
// CHECK-NEXT:    place 16:55-16:59 `b[:]`
// CHECK-NEXT:      base 16:55-16:56 `b`
// CHECK-NEXT:      dimension 16:56-16:59 whole
// CHECK-NEXT:    receiver 16:60-16:61 `i`
// CHECK-NEXT:    arrow 16:62-16:65 `<<=`
// CHECK-NEXT:    value 16:66-16:70 `b[:]`
// CHECK-NEXT:      base 16:66-16:67 `b`
// CHECK-NEXT:      dimension 16:67-16:70 whole
// CHECK-NEXT:    sender 16:71-16:73 `in`
// CHECK-NEXT:    generator 16:80-16:91
// CHECK-NEXT:      name 16:80-16:82 `in`
// CHECK-NEXT:      set 16:86-16:91 range
// CHECK-NEXT:        element 16:86-16:91 `world`
// CHECK-NEXT:block 19:3-19:57 at_sign
// CHECK-NEXT:  statement 19:18-19:55 assign
// CHECK-NEXT:    place 19:18-19:26 `b[0 : 8]`
// CHECK-NEXT:      base 19:18-19:19 `b`
// CHECK-NEXT:      dimension 19:19-19:26
// CHECK-NEXT:        first 19:20-19:21 `0`
// CHECK-NEXT:        count 19:24-19:25 `8`
// CHECK-NEXT:    receiver 19:27-19:28 `0`
// CHECK-NEXT:    arrow 19:29-19:32 `<<=`
// CHECK-NEXT:    value 19:33-19:53 `grid[0 : 4][columns]`
// CHECK-NEXT:      base 19:33-19:37 `grid`
// CHECK-NEXT:      dimension 19:37-19:44
// CHECK-NEXT:        first 19:38-19:39 `0`
// CHECK-NEXT:        count 19:42-19:43 `4`
// CHECK-NEXT:      dimension 19:44-19:53
// CHECK-NEXT:        indices 19:45-19:52 `columns`
// CHECK-NEXT:    sender 19:54-19:55 `1`

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %kanorc --explain %s | sed 's|^[^ ]*/explain.cpp|explain.cpp|' | %FileCheck --strict-whitespace --match-full-lines %s
// RUN: %kanorc --explain=yaml %s -o %t.yaml
// RUN: %python %root/tests/tools/check_remarks.py %t.yaml
// RUN: %FileCheck --check-prefix=YAML %s < %t.yaml
// RUN: %kanorc --explain=html --explain-ranks=4 %s -o %t.html
// RUN: %python %root/tests/tools/check_page.py %t.html 4
// RUN: %FileCheck --check-prefix=HTML %s < %t.html
// What kanorc says of blocks to their author. Nothing is compiled on.
#include <kanor/kanor.hpp>

int owner(int);

void explained(int x, int* a, int root) {
  @communicate { x@(i + 1) % world.size() <<= x@i where i in world }
  @communicate { a[i]@j <<= a[j]@i where i, j in world }
  @communicate { x@owner(k) <<= a[i]@root where k in world, i in {0 ... 9}, owner(k) > 3 }
  @communicate (knows = sender) { a[i]@owner(k) <<= x@i where i in world, k in {0 ... 4} }
  @communicate (knows = receiver) { a[k]@root <<= x@(k + 1) where k in {0 ... x} }
  @communicate { a[k + 1]@i <<= a[2 * k]@root where i in world, k in {0 ... x} }
  @communicate { x@1 <<= x@0 }
  @communicate { x@i <<= x@0 where i in kanor::range(3, -1, -2) }
}
// CHECK:explain.cpp:14:18: remark: recognised as shift [-Rpass=kanor]
// CHECK-NEXT:  @communicate { x@(i + 1) % world.size() <<= x@i where i in world }
// CHECK-NEXT:                 ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:explain.cpp:14:20: remark: each rank finds the bindings in which it is the receiver from '(i + 1) % world.size()' [-Rpass=kanor]
// CHECK:explain.cpp:14:49: remark: each rank finds the bindings in which it is the sender from 'i' [-Rpass=kanor]
// CHECK:explain.cpp:14:18: remark: at most P messages in a team of P ranks, at most 1 to or from one rank; 4 * P bytes [-Rpass-analysis=kanor]
// CHECK:explain.cpp:15:18: remark: recognised as all_to_all [-Rpass=kanor]
// CHECK:explain.cpp:15:18: remark: P * (P - 1) messages in a team of P ranks, at most P - 1 to or from one rank; 4 * P * (P - 1) bytes [-Rpass-analysis=kanor]
// CHECK:explain.cpp:16:20: remark: no pattern: a rank is not understood [-Rpass-missed=kanor]
// CHECK-NEXT:  @communicate { x@owner(k) <<= a[i]@root where k in world, i in {0 ... 9}, owner(k) > 3 }
// CHECK-NEXT:                   ^~~~~~~~
// CHECK-NEXT:explain.cpp:16:20: remark: every rank visits all bindings to find those in which it is the receiver: 'owner(k)' is a call, which kanorc does not analyse [-Rpass-missed=kanor]
// CHECK:explain.cpp:16:38: remark: only rank 'root' visits the bindings as sender [-Rpass=kanor]
// CHECK:explain.cpp:16:77: remark: the filter 'owner(k) > 3' does not narrow the search: it is a call, which kanorc does not analyse [-Rpass-missed=kanor]
// CHECK:explain.cpp:16:18: remark: at most P * (P - 1) messages in a team of P ranks, at most P - 1 to or from one rank; 4 * P * 10 bytes [-Rpass-analysis=kanor]
// CHECK:explain.cpp:17:35: remark: no pattern: only one side knows the bindings [-Rpass-missed=kanor]
// CHECK:explain.cpp:17:40: remark: no rank searches for the bindings in which it is the receiver: it learns them from the messages of their senders [-Rpass=kanor]
// CHECK:explain.cpp:17:55: remark: each rank finds the bindings in which it is the sender from 'i' [-Rpass=kanor]
// CHECK:explain.cpp:17:35: remark: at most P * (P - 1) messages in a team of P ranks, at most P - 1 to or from one rank, and about log2(P) signals from each at the block's end; 4 * P * 5 bytes [-Rpass-analysis=kanor]
// CHECK:explain.cpp:18:37: remark: no pattern: only one side knows the bindings [-Rpass-missed=kanor]
// CHECK:explain.cpp:18:42: remark: a rank visits the bindings as receiver if its own 'root' is its number [-Rpass=kanor]
// CHECK:explain.cpp:18:53: remark: no rank searches for the bindings in which it is the sender: it learns them from the messages of their receivers [-Rpass=kanor]
// CHECK:explain.cpp:18:37: remark: at most P * (P - 1) requests and as many replies in a team of P ranks, at most P - 1 to or from one rank, and about log2(P) signals from each at the block's end; 4 * P * |k| bytes [-Rpass-analysis=kanor]
// CHECK:explain.cpp:19:65: remark: the elements that 'k' enumerates are sent as sections of the place and the value [-Rpass=kanor]
// CHECK:explain.cpp:20:18: remark: at most 1 message in a team of P ranks, at most 1 to or from one rank; 4 bytes [-Rpass-analysis=kanor]
// CHECK:explain.cpp:21:18: remark: no pattern: the clauses leave out some pairs of ranks [-Rpass-missed=kanor]
// CHECK:explain.cpp:21:20: remark: each rank finds the bindings in which it is the receiver from 'i' [-Rpass=kanor]
// CHECK:explain.cpp:21:18: remark: at most P * (P - 1) messages in a team of P ranks, at most P - 1 to or from one rank; 4 * 2 bytes [-Rpass-analysis=kanor]

// YAML:--- !Passed
// YAML-NEXT:Pass: kanor
// YAML-NEXT:Name: Pattern
// YAML-NEXT:DebugLoc: { File: {{.*}}explain.cpp
// YAML:Function: explained
// YAML-NEXT:Args:
// YAML-NEXT:  - String: 'recognised as '
// YAML-NEXT:  - Pattern: shift
// YAML:--- !Missed
// YAML:--- !Analysis

// HTML:<h2>{{.*}}explain.cpp:14</h2>
// HTML:<title>rank 3 to rank 0: 1</title>
// HTML:<li class="passed">recognised as shift</li>
// HTML:<title>rank 0 to rank 3: 1</title>
// HTML:fill="#bbb"
// HTML:grey: known only at run time: the receiver
// HTML:<h2>{{.*}}explain.cpp:21</h2>
// HTML:<title>rank 0 to rank 1: 1</title>
// HTML:<title>rank 0 to rank 3: 1</title>
// HTML-NOT:<title>rank

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

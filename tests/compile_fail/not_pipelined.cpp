// RUN: %kanorc -c %s -o %t.o 2>&1 | %check_output
// RUN: %not %kanorc -Werror=kanor-not-pipelined -c %s -o %t.o
// RUN: %kanorc -Wno-kanor-not-pipelined -c %s -o %t.o 2>&1 | %FileCheck --allow-empty --check-prefix=SILENT %s
// A block that asks to be pipelined, and is not.
#include <kanor/kanor.hpp>
#include <vector>

void f(std::vector<int> A, std::vector<int> B) {
  @communicate (copy, delta) { A@0 <<= B@1 }
// CHECK:{{.*}}not_pipelined.cpp:[[@LINE-1]]:23: warning: this block is not pipelined with loops: it runs as an ordinary block [-Wkanor-not-pipelined]
// CHECK-NEXT:  @communicate (copy, delta) { A@0 <<= B@1 }
// CHECK-NEXT:                      ^~~~~
// CHECK-NEXT:kanorc: note: only a block with one assignment of a whole local array or vector to another, and no other modifier, can be
}

int g(int n) {
  std::vector<int> C(n), D(n);
  for (int k = 0; k < n; ++k) D[D[k]] = k;
  @communicate (delta) { C@0 <<= D@1 }
// CHECK:{{.*}}not_pipelined.cpp:[[@LINE-1]]:17: warning: this block is not pipelined with loops: it runs as an ordinary block [-Wkanor-not-pipelined]
// CHECK-NEXT:  @communicate (delta) { C@0 <<= D@1 }
// CHECK-NEXT:                ^~~~~
// CHECK-NEXT:{{.*}}not_pipelined.cpp:[[@LINE-5]]:31: note: kanorc does not know which elements are written here
// CHECK-NEXT:  for (int k = 0; k < n; ++k) D[D[k]] = k;
// CHECK-NEXT:                              ^~~~~~~~~~~
// CHECK-NEXT:{{.*}}not_pipelined.cpp:[[@LINE+3]]:10: note: 'C' is used here, outside of a loop
// CHECK-NEXT:  return C[0];
// CHECK-NEXT:         ^~~~
  return C[0];
}
// SILENT-NOT: warning

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

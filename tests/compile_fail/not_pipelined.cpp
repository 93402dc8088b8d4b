// RUN: %kanorc -c %s -o %t.o 2>&1 | %check_output
// RUN: %not %kanorc -Werror=kanor-not-pipelined -c %s -o %t.o
// RUN: %kanorc -Wno-kanor-not-pipelined -c %s -o %t.o 2>&1 | %FileCheck --allow-empty --check-prefix=SILENT %s
// A block that asks to be pipelined, and is not.
#include <kanor/kanor.hpp>
#include <vector>

void f(std::vector<int> A, std::vector<int> B) {
  @communicate (copy, delta) { A@0 <<= B@1 }
// CHECK:{{.*}}not_pipelined.cpp:[[@LINE-1]]:23: warning: this block is not pipelined: it runs as an ordinary block, since kanorc pipelines none yet [-Wkanor-not-pipelined]
// CHECK-NEXT:  @communicate (copy, delta) { A@0 <<= B@1 }
// CHECK-NEXT:                      ^~~~~
}
// SILENT-NOT: warning

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

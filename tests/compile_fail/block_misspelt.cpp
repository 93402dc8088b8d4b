// RUN: %check_diagnostics
// A word that somebody may have written for '@communicate'.
#include <kanor/kanor.hpp>

void f(int a, int b) {
  @comunicate { a@0 <<= b@1 }
// CHECK:{{.*}}block_misspelt.cpp:[[@LINE-1]]:3: error: unknown word '@comunicate'; did you mean '@communicate'?
// CHECK-NEXT:  @comunicate { a@0 <<= b@1 }
// CHECK-NEXT:  ^~~~~~~~~~~
  @Communicate (copy) { a@0 <<= b@1 }
// CHECK:{{.*}}block_misspelt.cpp:[[@LINE-1]]:3: error: unknown word '@Communicate'; did you mean '@communicate'?
// CHECK-NEXT:  @Communicate (copy) { a@0 <<= b@1 }
// CHECK-NEXT:  ^~~~~~~~~~~~
}

// A comment may mention @comunicate {, and so may text: "@comunicate {".
const char* text = "@comunicate {";

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

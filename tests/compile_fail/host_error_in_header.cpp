// RUN: %check_diagnostics
// CHECK:{{.*}}header_with_error.hpp:5:46: error: use of undeclared identifier 'main'
// CHECK-NEXT:  @communicate { got@0 <<= mine@1; got@0 <<= main@1 }
// CHECK-NEXT:                                             ^~~~
// CHECK:{{.*}}header_with_error.hpp:6:28: error: use of undeclared identifier 'mein'
// CHECK-NEXT:  @communicate { got@i <<= mein@i where i in world }
// CHECK-NEXT:                           ^~~~
// An error in a header's block is told at the header's line; a header without an error is left alone.
#include <kanor/kanor.hpp>

#include "Inputs/header_with_error.hpp"

int main() { return exchanged(1); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

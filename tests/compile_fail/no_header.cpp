// RUN: %check_diagnostics
// A program that does not include Kanor's header.

int main() {
  int x = kanor::world.rank();
// CHECK:{{.*}}no_header.cpp:[[@LINE-1]]:11: error: use of undeclared identifier 'kanor'
// CHECK-NEXT:  int x = kanor::world.rank();
// CHECK-NEXT:          ^~~~~
// CHECK-NEXT:kanorc: note: include <kanor/kanor.hpp>
  @communicate { x@i <<= x@0 where i in world }
// CHECK:{{.*}}no_header.cpp:[[@LINE-1]]:41: error: use of undeclared identifier 'world'
// CHECK-NEXT:  @communicate { x@i <<= x@0 where i in world }
// CHECK-NEXT:                                        ^~~~~
// CHECK-NEXT:kanorc: note: kanor's own is declared in <kanor/kanor.hpp>
  @communicate { x@i <<= x@0 where i in kanor::world }
// CHECK:{{.*}}no_header.cpp:[[@LINE-1]]:41: error: use of undeclared identifier 'kanor'
// CHECK-NEXT:  @communicate { x@i <<= x@0 where i in kanor::world }
// CHECK-NEXT:                                        ^~~~~
// CHECK-NEXT:kanorc: note: include <kanor/kanor.hpp>
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %check_diagnostics
// A note of C++'s own stands below its error, at the user's line.
#include <kanor/kanor.hpp>

struct Thing {};
void take(Thing thing, int count);

void notes(int a) {
  @communicate { a@0 <<= a@1 }
  take(Thing{});
// CHECK:{{.*}}host_note.cpp:[[@LINE-1]]:3: error: no matching function for call to 'take'
// CHECK-NEXT:  take(Thing{});
// CHECK-NEXT:  ^~~~
// CHECK-NEXT:{{.*}}host_note.cpp:6:6: note: candidate function not viable: requires 2 arguments, but 1 was provided
// CHECK-NEXT:void take(Thing thing, int count);
// CHECK-NEXT:     ^~~~
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

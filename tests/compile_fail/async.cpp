// RUN: %check_diagnostics
// `async` declares a name where the block stands: what C++ says of such a declaration is said at the name.
#include <kanor/kanor.hpp>

void declared(int a, int b) {
  int later = 0;
  @communicate (async = later) { a@0 <<= b@1 }
// CHECK:{{.*}}async.cpp:[[@LINE-1]]:25: error: redefinition of 'later' with a different type: '::kanor::pending' vs 'int'
// CHECK-NEXT:  @communicate (async = later) { a@0 <<= b@1 }
// CHECK-NEXT:                        ^~~~~
// CHECK-NEXT:{{.*}}async.cpp:[[@LINE-5]]:7: note: previous definition is here
// CHECK-NEXT:  int later = 0;
// CHECK-NEXT:      ^~~~~
  @communicate (async = p) { a@0 <<= b@1 }
  @communicate (async = p) { a@0 <<= b@1 }
// CHECK:{{.*}}async.cpp:[[@LINE-1]]:25: error: redefinition of 'p'
// CHECK-NEXT:  @communicate (async = p) { a@0 <<= b@1 }
// CHECK-NEXT:                        ^
// CHECK-NEXT:{{.*}}async.cpp:[[@LINE-5]]:25: note: previous definition is here
// CHECK-NEXT:  @communicate (async = p) { a@0 <<= b@1 }
// CHECK-NEXT:                        ^
  later.wait();
// CHECK:{{.*}}async.cpp:[[@LINE-1]]:8: error: member reference base type 'int' is not a structure or union
// CHECK-NEXT:  later.wait();
// CHECK-NEXT:       ^
}

void unknown(int a, int b) {
  @communicate (async = p) { a@0 <<= p@1 }
// CHECK:{{.*}}async.cpp:[[@LINE-1]]:38: error: use of undeclared identifier 'p'
// CHECK-NEXT:  @communicate (async = p) { a@0 <<= p@1 }
// CHECK-NEXT:                                     ^
  @communicate (async = q) { a@0 <<= b@1 }
  a = q;
// CHECK:{{.*}}async.cpp:[[@LINE-1]]:7: error: assigning to 'int' from incompatible type '::kanor::pending'
// CHECK-NEXT:  a = q;
// CHECK-NEXT:      ^
  q.finish();
// CHECK:{{.*}}async.cpp:[[@LINE-1]]:5: error: no member named 'finish' in 'kanor::pending'
// CHECK-NEXT:  q.finish();
// CHECK-NEXT:    ^~~~~~
}

void jumped_over(int a, int b, int n) {
  if (n < 0) goto end;
// CHECK:{{.*}}async.cpp:[[@LINE-1]]:14: error: cannot jump from this goto statement to its label
// CHECK-NEXT:  if (n < 0) goto end;
// CHECK-NEXT:             ^~~~
// CHECK-NEXT:{{.*}}async.cpp:[[@LINE+3]]:25: note: jump bypasses variable initialization
// CHECK-NEXT:  @communicate (async = p) { a@0 <<= b@1 }
// CHECK-NEXT:                        ^
  @communicate (async = p) { a@0 <<= b@1 }
end:
  return;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

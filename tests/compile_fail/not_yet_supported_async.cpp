// RUN: %check_diagnostics
#include <kanor/kanor.hpp>

/// Of the name that it would declare nothing more is said.
void waits(int a, int b) {
  @communicate (async = later) { a@0 <<= b@1 }
// CHECK:{{.*}}not_yet_supported_async.cpp:[[@LINE-1]]:17: error: the modifier 'async' is not yet supported
// CHECK-NEXT:  @communicate (async = later) { a@0 <<= b@1 }
// CHECK-NEXT:                ^~~~~~~~~~~~~
  later.wait();
}

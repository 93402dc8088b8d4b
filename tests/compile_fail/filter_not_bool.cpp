// RUN: %check_diagnostics
#include <kanor/kanor.hpp>
#include <string>
#include <vector>

struct Thing {};
void nothing();

void f(int a, int b, std::string text, Thing thing) {
  @communicate { a@i <<= b@i where i in world, (text) }
// CHECK:{{.*}}filter_not_bool.cpp:[[@LINE-1]]:48: error: a filter must convert to 'bool', but '(text)' has type 'std::string'
// CHECK-NEXT:  @communicate { a@i <<= b@i where i in world, (text) }
// CHECK-NEXT:                                               ^~~~~~
  @communicate { a@i <<= b@i where i in world, (thing) }
// CHECK:{{.*}}filter_not_bool.cpp:[[@LINE-1]]:48: error: a filter must convert to 'bool', but '(thing)' has type 'Thing'
// CHECK-NEXT:  @communicate { a@i <<= b@i where i in world, (thing) }
// CHECK-NEXT:                                               ^~~~~~~
  @communicate { a@i <<= b@i where i in world, nothing() }
// CHECK:{{.*}}filter_not_bool.cpp:[[@LINE-1]]:48: error: a filter must convert to 'bool', but 'nothing()' has type 'void'
// CHECK-NEXT:  @communicate { a@i <<= b@i where i in world, nothing() }
// CHECK-NEXT:                                               ^~~~~~~~~
  @communicate { a@i <<= b@i where i in world, text + "x" }
// CHECK:{{.*}}filter_not_bool.cpp:[[@LINE-1]]:48: error: a filter must convert to 'bool', but 'text + "x"' has type 'std::string'
// CHECK-NEXT:  @communicate { a@i <<= b@i where i in world, text + "x" }
// CHECK-NEXT:                                               ^~~~~~~~~~
  @communicate { a@i <<= b@i where i in world, i & 1 }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

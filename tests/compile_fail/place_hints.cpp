// RUN: %check_diagnostics
// What is said beside the plain message about a place, where C++ alone does not explain it.
#include <kanor/kanor.hpp>
#include <vector>

/// Not a filter followed by a generator, but two generators.
void filter(int a, int b) {
  @communicate { a@i <<= b@i where a, i in world }
// CHECK:{{.*}}place_hints.cpp:[[@LINE-1]]:18: error: 'a' is const, so nothing can be assigned to it
// CHECK-NEXT:  @communicate { a@i <<= b@i where a, i in world }
// CHECK-NEXT:                 ^
// CHECK-NEXT:kanorc: note: 'a' is a generator's name here; for a filter, write '(a)'
}

void lambdas(int a) {
  auto call = [a] { return a; };
  @communicate { call@0 <<= call@1 }
// CHECK:{{.*}}place_hints.cpp:[[@LINE-1]]:18: error: a value of type '(lambda)' cannot be assigned to 'call' of type '(lambda)'
// CHECK-NEXT:  @communicate { call@0 <<= call@1 }
// CHECK-NEXT:                 ^~~~
// CHECK-NEXT:kanorc: note: lambdas cannot be assigned: send the values that it captures
}


void elements(double number, std::vector<double> numbers) {
  @communicate { number@0 <<= numbers@1 }
// CHECK:{{.*}}place_hints.cpp:[[@LINE-1]]:18: error: a value of type 'std::vector<double>' cannot be assigned to 'number' of type 'double'
// CHECK-NEXT:  @communicate { number@0 <<= numbers@1 }
// CHECK-NEXT:                 ^~~~~~
// CHECK-NEXT:kanorc: note: send an element: 'numbers[0]'
  @communicate { numbers@0 <<= number@1 }
// CHECK:{{.*}}place_hints.cpp:[[@LINE-1]]:18: error: a value of type 'double' cannot be assigned to 'numbers' of type 'std::vector<double>'
// CHECK-NEXT:  @communicate { numbers@0 <<= number@1 }
// CHECK-NEXT:                 ^~~~~~~
// CHECK-NEXT:kanorc: note: receive into an element: 'numbers[0]'
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

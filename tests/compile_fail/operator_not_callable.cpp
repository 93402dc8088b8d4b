// RUN: %check_diagnostics
#include <kanor/kanor.hpp>
#include <functional>
#include <string>
#include <vector>

struct Plain {
  int value;
};
int of_one(int);
int of_two(int, int);
Plain to_plain(int, int);

void f(int a, double x, std::string text, Plain plain, std::vector<Plain> plains) {
  @communicate { plain@0 << + << plain@i where i in world }
// CHECK:{{.*}}operator_not_callable.cpp:[[@LINE-1]]:29: error: '+' cannot combine two values of type 'Plain' into one of that type
// CHECK-NEXT:  @communicate { plain@0 << + << plain@i where i in world }
// CHECK-NEXT:                            ^
  @communicate { plain@0 << max << plain@i where i in world }
// CHECK:{{.*}}operator_not_callable.cpp:[[@LINE-1]]:29: error: 'max' cannot combine two values of type 'Plain' into one of that type
// CHECK-NEXT:  @communicate { plain@0 << max << plain@i where i in world }
// CHECK-NEXT:                            ^~~
  @communicate { x@0 << & << x@i where i in world }
// CHECK:{{.*}}operator_not_callable.cpp:[[@LINE-1]]:25: error: '&' cannot combine two values of type 'double' into one of that type
// CHECK-NEXT:  @communicate { x@0 << & << x@i where i in world }
// CHECK-NEXT:                        ^
  @communicate { text@0 << * << text@i where i in world }
// CHECK:{{.*}}operator_not_callable.cpp:[[@LINE-1]]:28: error: '*' cannot combine two values of type 'std::string' into one of that type
// CHECK-NEXT:  @communicate { text@0 << * << text@i where i in world }
// CHECK-NEXT:                           ^
  @communicate { plains@0 << + << plains@i where i in world }
// CHECK:{{.*}}operator_not_callable.cpp:[[@LINE-1]]:30: error: '+' cannot combine two values of type 'Plain' into one of that type
// CHECK-NEXT:  @communicate { plains@0 << + << plains@i where i in world }
// CHECK-NEXT:                             ^
  @communicate { a@0 << of_one << a@i where i in world }
// CHECK:{{.*}}operator_not_callable.cpp:[[@LINE-1]]:25: error: 'of_one' cannot combine two values of type 'int' into one of that type
// CHECK-NEXT:  @communicate { a@0 << of_one << a@i where i in world }
// CHECK-NEXT:                        ^~~~~~
  @communicate { text@0 << of_two << text@i where i in world }
// CHECK:{{.*}}operator_not_callable.cpp:[[@LINE-1]]:28: error: 'of_two' cannot combine two values of type 'std::string' into one of that type
// CHECK-NEXT:  @communicate { text@0 << of_two << text@i where i in world }
// CHECK-NEXT:                           ^~~~~~
  @communicate { a@0 << to_plain << a@i where i in world }
// CHECK:{{.*}}operator_not_callable.cpp:[[@LINE-1]]:25: error: 'to_plain' cannot combine two values of type 'int' into one of that type
// CHECK-NEXT:  @communicate { a@0 << to_plain << a@i where i in world }
// CHECK-NEXT:                        ^~~~~~~~
  @communicate { a@0 << a << a@i where i in world }
// CHECK:{{.*}}operator_not_callable.cpp:[[@LINE-1]]:25: error: 'a' cannot combine two values of type 'int' into one of that type
// CHECK-NEXT:  @communicate { a@0 << a << a@i where i in world }
// CHECK-NEXT:                        ^
  @communicate { a@0 << [](int) { return 0; } << a@i where i in world }
// CHECK:{{.*}}operator_not_callable.cpp:[[@LINE-1]]:25: error: '[](int) { return 0; }' cannot combine two values of type 'int' into one of that type
// CHECK-NEXT:  @communicate { a@0 << [](int) { return 0; } << a@i where i in world }
// CHECK-NEXT:                        ^~~~~~~~~~~~~~~~~~~~~
  @communicate { a@0 << [](int x, std::string) { return x; } << a@i where i in world }
// CHECK:{{.*}}operator_not_callable.cpp:[[@LINE-1]]:25: error: '[](int x, std::string) { return x; }' cannot combine two values of type 'int' into one of that type
// CHECK-NEXT:  @communicate { a@0 << [](int x, std::string) { return x; } << a@i where i in world }
// CHECK-NEXT:                        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  @communicate { a@0 << [](int x, int y) { if (x > y) return; } << a@i where i in world }
// CHECK:{{.*}}operator_not_callable.cpp:[[@LINE-1]]:25: error: '[](int x, int y) { if (x > y) return; }' cannot combine two values of type 'int' into one of that type
// CHECK-NEXT:  @communicate { a@0 << [](int x, int y) { if (x > y) return; } << a@i where i in world }
// CHECK-NEXT:                        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  @communicate { a@0 << [](auto x, auto y, auto) { return x + y; } << a@i where i in world }
// CHECK:{{.*}}operator_not_callable.cpp:[[@LINE-1]]:25: error: '[](auto x, auto y, auto) { return x + y; }' cannot combine two values of type 'int' into one of that type
// CHECK-NEXT:  @communicate { a@0 << [](auto x, auto y, auto) { return x + y; } << a@i where i in world }
// CHECK-NEXT:                        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

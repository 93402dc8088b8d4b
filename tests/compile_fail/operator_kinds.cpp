// RUN: %check_diagnostics
// KIND: operator_not_callable
// Each of the language's operators needs values that C++ can combine by it; a type is not called but made.
#include <kanor/kanor.hpp>
#include <functional>
#include <string>

struct Plain {
  int value;
};

void of_values_without_them(Plain plain, std::string text, double x) {
  @communicate { plain@0 << * << plain@i where i in world }
// CHECK:{{.*}}operator_kinds.cpp:[[@LINE-1]]:29: error: '*' cannot combine two values of type 'Plain' into one of that type
// CHECK-NEXT:  @communicate { plain@0 << * << plain@i where i in world }
// CHECK-NEXT:                            ^
// CHECK-NEXT:kanorc: note: fold with a function of two such values: '<< function <<'
  @communicate { plain@0 << & << plain@i where i in world }
// CHECK:{{.*}}operator_kinds.cpp:[[@LINE-1]]:29: error: '&' cannot combine two values of type 'Plain' into one of that type
// CHECK-NEXT:  @communicate { plain@0 << & << plain@i where i in world }
// CHECK-NEXT:                            ^
  @communicate { x@0 << | << x@i where i in world }
// CHECK:{{.*}}operator_kinds.cpp:[[@LINE-1]]:25: error: '|' cannot combine two values of type 'double' into one of that type
// CHECK-NEXT:  @communicate { x@0 << | << x@i where i in world }
// CHECK-NEXT:                        ^
  @communicate { x@0 << ^ << x@i where i in world }
// CHECK:{{.*}}operator_kinds.cpp:[[@LINE-1]]:25: error: '^' cannot combine two values of type 'double' into one of that type
// CHECK-NEXT:  @communicate { x@0 << ^ << x@i where i in world }
// CHECK-NEXT:                        ^
  @communicate { plain@0 << && << plain@i where i in world }
// CHECK:{{.*}}operator_kinds.cpp:[[@LINE-1]]:29: error: '&&' cannot combine two values of type 'Plain' into one of that type
// CHECK-NEXT:  @communicate { plain@0 << && << plain@i where i in world }
// CHECK-NEXT:                            ^~
  @communicate { text@0 << || << text@i where i in world }
// CHECK:{{.*}}operator_kinds.cpp:[[@LINE-1]]:28: error: '||' cannot combine two values of type 'std::string' into one of that type
// CHECK-NEXT:  @communicate { text@0 << || << text@i where i in world }
// CHECK-NEXT:                           ^~
  @communicate { plain@0 << min << plain@i where i in world }
// CHECK:{{.*}}operator_kinds.cpp:[[@LINE-1]]:29: error: 'min' cannot combine two values of type 'Plain' into one of that type
// CHECK-NEXT:  @communicate { plain@0 << min << plain@i where i in world }
// CHECK-NEXT:                            ^~~
  @communicate { plain@0 << bitor << plain@i where i in world }
// CHECK:{{.*}}operator_kinds.cpp:[[@LINE-1]]:29: error: 'bitor' cannot combine two values of type 'Plain' into one of that type
// CHECK-NEXT:  @communicate { plain@0 << bitor << plain@i where i in world }
// CHECK-NEXT:                            ^~~~~
}

void types(int a) {
  @communicate { a@0 << std::plus<int> << a@i where i in world }
// CHECK:{{.*}}operator_kinds.cpp:[[@LINE-1]]:25: error: 'std::plus<int>' is a type, not a value that can be called
// CHECK-NEXT:  @communicate { a@0 << std::plus<int> << a@i where i in world }
// CHECK-NEXT:                        ^~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: write 'std::plus<int>{}'
  @communicate { a@0 << std::plus<int>{} << a@i where i in world }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

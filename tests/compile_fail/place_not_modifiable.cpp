// RUN: %check_diagnostics
#include <kanor/kanor.hpp>
#include <array>
#include <string>
#include <vector>

enum Constant { constant };
int by_value();
struct Holder {
  int member;
  const int fixed;
  void look(int b) const {
    @communicate { member@0 <<= b@1 }
// CHECK:{{.*}}place_not_modifiable.cpp:[[@LINE-1]]:20: error: 'member' is const, so nothing can be assigned to it
// CHECK-NEXT:    @communicate { member@0 <<= b@1 }
// CHECK-NEXT:                   ^~~~~~
  }
};

void f(int a, int b, const int fixed, const std::vector<int>& list, const std::array<int, 2>& array, Holder holder, const std::string text, const std::vector<bool>& bits) {
  @communicate { fixed@0 <<= b@1 }
// CHECK:{{.*}}place_not_modifiable.cpp:[[@LINE-1]]:18: error: 'fixed' is const, so nothing can be assigned to it
// CHECK-NEXT:  @communicate { fixed@0 <<= b@1 }
// CHECK-NEXT:                 ^~~~~
  @communicate { a + 1@0 <<= b@1 }
// CHECK:{{.*}}place_not_modifiable.cpp:[[@LINE-1]]:18: error: 'a + 1' is a temporary value of type 'int', not a place
// CHECK-NEXT:  @communicate { a + 1@0 <<= b@1 }
// CHECK-NEXT:                 ^~~~~
  @communicate { 3@0 <<= b@1 }
// CHECK:{{.*}}place_not_modifiable.cpp:[[@LINE-1]]:18: error: '3' is a temporary value of type 'int', not a place
// CHECK-NEXT:  @communicate { 3@0 <<= b@1 }
// CHECK-NEXT:                 ^
  @communicate { by_value()@0 <<= b@1 }
// CHECK:{{.*}}place_not_modifiable.cpp:[[@LINE-1]]:18: error: 'by_value()' is a temporary value of type 'int', not a place
// CHECK-NEXT:  @communicate { by_value()@0 <<= b@1 }
// CHECK-NEXT:                 ^~~~~~~~~~
  @communicate { constant@0 <<= b@1 }
// CHECK:{{.*}}place_not_modifiable.cpp:[[@LINE-1]]:18: error: 'constant' is a temporary value of type 'Constant', not a place
// CHECK-NEXT:  @communicate { constant@0 <<= b@1 }
// CHECK-NEXT:                 ^~~~~~~~
  @communicate { list[1]@0 <<= b@1 }
// CHECK:{{.*}}place_not_modifiable.cpp:[[@LINE-1]]:18: error: 'list[1]' is const, so nothing can be assigned to it
// CHECK-NEXT:  @communicate { list[1]@0 <<= b@1 }
// CHECK-NEXT:                 ^~~~~~~
  @communicate { list@0 <<= list@1 }
// CHECK:{{.*}}place_not_modifiable.cpp:[[@LINE-1]]:18: error: 'list' is const, so nothing can be assigned to it
// CHECK-NEXT:  @communicate { list@0 <<= list@1 }
// CHECK-NEXT:                 ^~~~
  @communicate { array[1]@0 <<= b@1 }
// CHECK:{{.*}}place_not_modifiable.cpp:[[@LINE-1]]:18: error: 'array[1]' is const, so nothing can be assigned to it
// CHECK-NEXT:  @communicate { array[1]@0 <<= b@1 }
// CHECK-NEXT:                 ^~~~~~~~
  @communicate { holder.fixed@0 <<= b@1 }
// CHECK:{{.*}}place_not_modifiable.cpp:[[@LINE-1]]:18: error: 'holder.fixed' is const, so nothing can be assigned to it
// CHECK-NEXT:  @communicate { holder.fixed@0 <<= b@1 }
// CHECK-NEXT:                 ^~~~~~~~~~~~
  @communicate { text@0 << + << text@i where i in world }
// CHECK:{{.*}}place_not_modifiable.cpp:[[@LINE-1]]:18: error: 'text' is const, so nothing can be assigned to it
// CHECK-NEXT:  @communicate { text@0 << + << text@i where i in world }
// CHECK-NEXT:                 ^~~~
  @communicate { bits[0]@0 <<= true@1 }
// CHECK:{{.*}}place_not_modifiable.cpp:[[@LINE-1]]:18: error: 'bits[0]' is a temporary value of type 'bool', not a place
// CHECK-NEXT:  @communicate { bits[0]@0 <<= true@1 }
// CHECK-NEXT:                 ^~~~~~~
  @communicate { i@0 <<= b@1 where i in world }
// CHECK:{{.*}}place_not_modifiable.cpp:[[@LINE-1]]:18: error: 'i' is const, so nothing can be assigned to it
// CHECK-NEXT:  @communicate { i@0 <<= b@1 where i in world }
// CHECK-NEXT:                 ^
  @communicate { world@0 <<= b@1 }
// CHECK:{{.*}}place_not_modifiable.cpp:[[@LINE-1]]:18: error: 'world' is const, so nothing can be assigned to it
// CHECK-NEXT:  @communicate { world@0 <<= b@1 }
// CHECK-NEXT:                 ^~~~~
  const auto by_copy = [=] { @communicate { a@0 <<= b@1 } };
// CHECK:{{.*}}place_not_modifiable.cpp:[[@LINE-1]]:45: error: 'a' is const, so nothing can be assigned to it
// CHECK-NEXT:  const auto by_copy = [=] { @communicate { a@0 <<= b@1 } };
// CHECK-NEXT:                                            ^
  (void)by_copy;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

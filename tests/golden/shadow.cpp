// RUN: %kanorc --dump=shadow %s | %FileCheck --strict-whitespace --match-full-lines %s
// What Clang parses in place of the file: plain C++ with as many lines, each expression of the user's whole.
#include <kanor/kanor.hpp>

template <class T>
T total(T mine, int n) {
  T sum{};
  @communicate {
    sum@0 << + << mine@i
        where i in world, let k = i % n,
              k != 1;
    mine@i <<= sum@0 where i in {0 ... n - 1}
  }
  if (n > 1) KANOR_COMMUNICATE(sum@0 <<= mine@1);
  T list[4][4];
  @communicate { list[n][0 : n : 2]@0 <<= list[:][1 : n]@1 }
  return sum;
}
// CHECK:template <class T>
// CHECK-NEXT:T total(T mine, int n) {
// CHECK-NEXT:  T sum{};
// CHECK-NEXT:  do { for (const auto i : ::kanor_shadow::kanor_each(world)) if (const auto k = i % n; true) { (void)(k != 1); { (void)(0); (void)(i); (void)(sum); (void)(mine); } } for (const auto i : ::kanor_shadow::kanor_list(0, n - 1)) { (void)(i); (void)(0); (void)(mine); (void)(sum); }{{ }}
// CHECK-EMPTY:
// CHECK-EMPTY:
// CHECK-EMPTY:
// CHECK-EMPTY:
// CHECK-NEXT:} while (false);
// CHECK-NEXT:  if (n > 1) do { { (void)(0); (void)(1); (void)(sum); (void)(mine); } } while (false);
// CHECK-NEXT:  T list[4][4];
// CHECK-NEXT:  do { { (void)(0); (void)(1); (void)(list[n]); (void)(0); (void)(n); (void)(2); (void)(list); (void)(1); (void)(n); } } while (false);
// CHECK-NEXT:  return sum;
// CHECK-NEXT:}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

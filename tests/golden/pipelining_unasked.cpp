// RUN: %kanorc -Werror -fdelta --dump=analysis %s | %FileCheck %s
// RUN: %kanorc -fdelta --explain %s | %FileCheck --check-prefix=EXPLAIN %s
// RUN: %kanorc -fdelta -fno-delta --dump=analysis %s | %FileCheck --check-prefix=OFF %s
// RUN: %kanorc -fdelta --emit-cpp %s -o %t.cpp
// RUN: %host_cxx -std=c++20 -Wall -Wextra -Wshadow -Werror -I%include -c %t.cpp -o %t.o
// RUN: %clang_cxx -std=c++20 -Wall -Wextra -Wshadow -Werror -I%include -c %t.cpp -o %t.o
// Which blocks without the modifier `delta` are pipelined with -fdelta, and why others are not.
#include <kanor/kanor.hpp>

#include <vector>

using kanor::world;
using Numbers = std::vector<double>;

double both(int n) {
  Numbers A(n), B(n);
  const int me = world.rank();
  if (me == 0)
    for (int k = 0; k < n; ++k) B[k] = 0.5 * k;
  @communicate { A@1 <<= B@0 }
  double sum = 0;
  if (me == 1)
    for (int k = 0; k < n; ++k) sum += A[k];
  return sum;
}
// OFF-NOT:    pipeline block
// OFF:        pipeline block 9 of asked
// OFF-NOT:    pipeline block
// CHECK:      pipeline block 0 of both
// CHECK-NEXT:     producer loop {{[0-9]+}} in {{[0-9]+}}: below 1*i + 0 "if (me == 0) ...
// CHECK-NEXT:     consumer loop {{[0-9]+}} in {{[0-9]+}}: below 1*i + 1 "if (me == 1) ...
// EXPLAIN:      remark: pipelined with the loop at line [[@LINE-13]], which computes the value, and the loop at line [[@LINE-9]], which uses the place
// EXPLAIN-NEXT: @communicate { A@1 <<= B@0 }
// EXPLAIN-NEXT: ^~~~~~~~~~~~

double by_all(int n) {
  Numbers A(n), B(n);
  for (int k = 0; k < n; ++k) B[k] = 0.5 * k;
  @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += A[k];
  return sum;
}
// CHECK-NEXT: pipeline block 1 of by_all
// CHECK-NEXT:     producer none: all ranks execute this loop at the same time "for (int k = 0; k < n; ++k) B[k] = 0.5 * k;"
// CHECK-NEXT:     consumer none
// EXPLAIN:    remark: not pipelined: all ranks execute this loop at the same time

double only_used(int n) {
  Numbers A(n), B(n, 1.0);
  @communicate { A@1 <<= B@0 }
  double sum = 0;
  if (world.rank() == 1)
    for (int k = 0; k < n; ++k) sum += A[k];
  return sum;
}
// CHECK-NEXT: pipeline block 2 of only_used
// CHECK-NEXT:     producer none: 'B' is used here, outside of a loop "B(n, 1.0)"
// CHECK-NEXT:     consumer none
// EXPLAIN:    remark: not pipelined: 'B' is used here, outside of a loop

double only_computed(int n) {
  Numbers A(n), B(n);
  if (world.rank() == 0)
    for (int k = 0; k < n; ++k) B[k] = 0.5 * k;
  @communicate { A@1 <<= B@0 }
  return A[0];
}
// CHECK-NEXT: pipeline block 3 of only_computed
// CHECK-NEXT:     producer none
// CHECK-NEXT:     consumer none: 'A' is used here, outside of a loop "A[0]"

double short_array() {
  double A[1023], B[1023];
  if (world.rank() == 0)
    for (int k = 0; k < 1023; ++k) B[k] = 0.5 * k;
  @communicate { A@1 <<= B@0 }
  double sum = 0;
  if (world.rank() == 1)
    for (int k = 0; k < 1023; ++k) sum += A[k];
  return sum;
}
double long_array() {
  double A[1024], B[1024];
  if (world.rank() == 0)
    for (int k = 0; k < 1024; ++k) B[k] = 0.5 * k;
  @communicate { A@1 <<= B@0 }
  double sum = 0;
  if (world.rank() == 1)
    for (int k = 0; k < 1024; ++k) sum += A[k];
  return sum;
}
// CHECK-NEXT: pipeline block 4 of short_array: the 8184 bytes of 'B' travel faster at once
// CHECK-NEXT: pipeline block 5 of long_array
// CHECK-NEXT:     producer loop
// CHECK-NEXT:     consumer loop

double modified(int n) {
  Numbers A(n), B(n);
  if (world.rank() == 0)
    for (int k = 0; k < n; ++k) B[k] = 0.5 * k;
  @communicate (copy) { A@1 <<= B@0 }
  @communicate (team = world) { A@1 <<= B@0 }
  double sum = 0;
  if (world.rank() == 1)
    for (int k = 0; k < n; ++k) sum += A[k];
  return sum;
}

double asked_to_share(int n) {
  [[kanor::globalize]] Numbers B(n);
  Numbers A(n);
  if (world.rank() == 0)
    for (int k = 0; k < n; ++k) B[k] = 0.5 * k;
  @communicate { A@1 <<= B@0 }
  double sum = 0;
  if (world.rank() == 1)
    for (int k = 0; k < n; ++k) sum += A[k];
  return sum;
}
// CHECK-NEXT: pipeline block 8 of asked_to_share: 'B' is to be shared ({{\[\[}}kanor::globalize]])

double asked(int n) {
  Numbers A(n), B(n);
  for (int k = 0; k < n; ++k) B[k] = 0.5 * k;
  @communicate (delta) { A@1 <<= B@0 }
  return A[0];
}
// The program's own modifier needs neither the other loop nor an `if`.
// CHECK-NEXT: pipeline block 9 of asked
// CHECK-NEXT:     producer loop
// CHECK-NEXT:     consumer none: 'A' is used here, outside of a loop "A[0]"

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %kanorc --emit-cpp %s -o %t.cpp
// RUN: sed -n '/^void pair/,/^}/p' %t.cpp | sed 's|"[^"]*emit_delta.cpp"|"emit_delta.cpp"|' | %FileCheck --strict-whitespace --match-full-lines %s
// A block that starts before the loop that computes its value, and is complete after the one that uses its place.
#include <kanor/kanor.hpp>

#include <vector>

void pair(int n, double& sum) {
  std::vector<double> A(n), B(n);
  for (int k = 0; k < n; ++k)
    B[k] = 0.5 * k;
  @communicate (delta) { A@1 <<= B@0 }
  for (int k = 0; k < n; ++k) sum += A[k];
}
// CHECK:void pair(int n, double& sum) {
// CHECK-NEXT:  std::vector<double> A(n), B(n);
// CHECK-NEXT:  ::kanor::abi::delta kanor_delta_0({"emit_delta.cpp", 12, __func__}, [&](auto& kanor_block) {
// CHECK-NEXT:#line 12
// CHECK-NEXT:    kanor_block.assign({12, "A@1 <<= B@0", "", 0, "to 1; from 0; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:#line 12
// CHECK-NEXT:      if (kanor_bind(1, 0)) {
// CHECK-NEXT:#line 12
// CHECK-NEXT:        const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(B) : kanor_bind.nothing();
// CHECK-NEXT:#line 12
// CHECK-NEXT:        if (kanor_bind.receives()) kanor_bind.assign(A, kanor_sent); } });
// CHECK-NEXT:#line 12
// CHECK-NEXT:    });
// CHECK-NEXT:#line 10
// CHECK-NEXT:  for (int k = 0; k < n; ) { const auto kanor_end_0 = kanor_delta_0.strip(k, n); { for (; k < kanor_end_0; ++k)
// CHECK-NEXT:    B[k] = 0.5 * k; } kanor_delta_0.produced(k, 1, 0); if (k < kanor_end_0) break; }
// CHECK-NEXT:  kanor_delta_0.reach();
// CHECK-NEXT:  for (int k = 0; k < n; ) { const auto kanor_end_0 = kanor_delta_0.arrived(k, n, 1, 1, 0); { for (; k < kanor_end_0; ++k) sum += A[k]; } if (k < kanor_end_0) break; } ; kanor_delta_0.complete();
// CHECK-NEXT:}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %kanorc --emit-cpp %s -o %t.cpp
// RUN: %host_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: %clang_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: grep -v '^//' %t.cpp | %FileCheck %s
// RUN: %kanorc --no-sections --emit-cpp %s -o %t.single.cpp
// RUN: grep -v '^//' %t.single.cpp | %FileCheck --check-prefix=SINGLE %s
// A generator whose name only counts elements becomes one section a side, and no others do.
#include <kanor/kanor.hpp>

#include <map>
#include <vector>

#define HIDDEN k

void f(std::vector<double>& a, double (&b)[4][8], std::map<int, double> m, int n) {
  @communicate { a[k]@i <<= b[i][2 * k + 1]@0 where i in world, k in {0 ... n} }
// SINGLE: for (const auto k : kanor_bind.only(1, ::kanor::abi::each(0, n)))
// SINGLE-NOT: abi::section(
// CHECK: if (const auto kanor_k = ::kanor::abi::each(0, n); kanor_k.size() != 0) if (const auto k = *kanor_k.begin(); true)
// CHECK: kanor_at(::kanor::abi::section(a, ::kanor::abi::part(k, kanor_k.size())));
// CHECK: kanor_send(::kanor::abi::section(b[i], ::kanor::abi::part(2 * k + 1, kanor_k.size(), 2))); }, i); });
  @communicate { a[k]@0 << + << b[1][k]@i where i in world, k in {0 ... 7} }
// CHECK: section(a, ::kanor::abi::part(k, kanor_k.size()))
// CHECK: section(b[1], ::kanor::abi::part(k, kanor_k.size()))
// CHECK-NOT: abi::section(
  @communicate { a[k]@k <<= b[1][k]@0 where k in {0 ... 3} }
  @communicate { a[k]@HIDDEN <<= b[1][k]@0 where k in {0 ... 3} }
  @communicate { a[k]@i <<= b[1][k]@0 where k in {0 ... 3}, i in {k ... 3} }
  @communicate { a[k]@i <<= b[1][k]@0 where i in world, k in {0 ... 3}, k != i }
  @communicate { a[k]@i <<= b[1][k]@0 where i in world, k in {0, 3, 1} }
  @communicate { a[7 - k]@i <<= b[1][k]@0 where i in world, k in {0 ... 7} }
  @communicate { a[k * k]@i <<= b[1][k]@0 where i in world, k in {0 ... 2} }
  @communicate { a[k]@i <<= -b[1][k]@0 where i in world, k in {0 ... 7} }
  @communicate { a[k]@i <<= b[k][k]@0 where i in world, k in {0 ... 3} }
  @communicate { m[k]@i <<= b[1][k]@0 where i in world, k in {0 ... 3} }
  @communicate { a[i + k]@0 << + << b[1][k]@i where i in world, k in {0 ... 3} }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

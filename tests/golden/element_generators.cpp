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
// CHECK: if (const auto kanor_set_k = ::kanor::abi::each(0, n); kanor_set_k.size() != 0) if (const auto k = *kanor_set_k.begin(); true)
// CHECK: if (kanor_bind(i, 0, i)) { kanor_bind.note_names(i);
// CHECK: kanor_bind.send(::kanor::abi::section(kanor_bind.element(b, i), ::kanor::abi::part(2 * k + 1, kanor_set_k.size(), 2)))
// CHECK: kanor_bind.assign(::kanor::abi::section(a, ::kanor::abi::part(k, kanor_set_k.size())), kanor_sent, i); } });
  @communicate { a[k]@0 << + << b[1][k]@i where i in world, k in {0 ... 7} }
// CHECK: section(kanor_bind.element(b, 1), ::kanor::abi::part(k, kanor_set_k.size()))
// CHECK: section(a, ::kanor::abi::part(k, kanor_set_k.size()))
// CHECK-NOT: abi::section(
  @communicate { a[k]@k <<= b[1][k]@0 where k in {0 ... 3} }
  @communicate { a[k]@HIDDEN <<= b[1][k]@0 where k in {0 ... 3} }
  @communicate { a[k]@i <<= b[1][k]@0 where k in {0 ... 3}, i in {k ... 3} }
  @communicate { a[k]@i <<= b[1][k]@0 where i in world, k in {0 ... 3}, k != i }
  @communicate { a[k]@i <<= b[1][k]@0 where i in world, k in {0, 3, 1} }
  @communicate { a[k]@i <<= -b[1][k]@0 where i in world, k in {0 ... 7} }
  @communicate { a[k]@i <<= b[k][k]@0 where i in world, k in {0 ... 3} }
  @communicate { m[k]@i <<= b[1][k]@0 where i in world, k in {0 ... 3} }
  @communicate { a[i + k]@0 << + << b[1][k]@i where i in world, k in {0 ... 3} }
  @communicate { a[7 - k]@0 << + << b[1][k]@i where i in world, k in {0 ... 3} }
}

struct Index {
  operator int() const;
};

// An index that is no sum lists the elements.
void listed(std::vector<double>& a, double (&b)[4][8], const std::vector<int>& index, Index (&other)[8]) {
  @communicate { a[index[k]]@i <<= b[i][7 - k]@0 where i in world, k in {0 ... 7} }
// SINGLE-NOT: abi::listed_elements(
// CHECK: if (const auto kanor_set_k = ::kanor::abi::each(0, 7); kanor_set_k.size() != 0){{$}}
// CHECK: kanor_bind.send(::kanor::abi::listed_elements(kanor_bind.element(b, i), kanor_bind.value_indices(kanor_set_k, [&](const auto k) { return 7 - k; })))
// CHECK: kanor_bind.assign(::kanor::abi::listed_elements(a, kanor_bind.place_indices(kanor_set_k, [&](const auto k) { return kanor_bind.element(index, k); })), kanor_sent
  @communicate { a[k + 1]@i << + << b[0][index[k]]@0 where i in world, k in {0 ... 6} }
// CHECK: kanor_bind.send(::kanor::abi::listed_elements(kanor_bind.element(b, 0), kanor_bind.value_indices(
// CHECK: kanor_bind.reduce(::kanor::abi::section(a, ::kanor::abi::part([&](const auto k) { return k + 1; }(*kanor_set_k.begin()), kanor_set_k.size())), kanor_sent, kanor_operation
  @communicate { a[k]@i <<= b[0][3]@0 where i in world, k in {0 ... 7} }
// CHECK: [&]({{\[\[}}maybe_unused]] const auto k) { return 3; }
// CHECK-NOT: abi::listed_elements(
  @communicate { a[other[k]]@i <<= b[0][k]@0 where i in world, k in {0 ... 7} }
  @communicate { a[index[k]]@0 << + << b[0][k]@i where i in world, k in {0 ... 7} }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

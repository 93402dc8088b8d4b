// RUN: %kanorc -Wno-kanor-not-pipelined --dump=analysis %s | %FileCheck %s
// RUN: %kanorc -Wno-kanor-not-pipelined --emit-cpp %s -o %t.cpp
// RUN: %host_cxx -std=c++20 -Wall -Wextra -Wshadow -Werror -Wno-unknown-pragmas -I%include -c %t.cpp -o %t.o
// RUN: %clang_cxx -std=c++20 -Wall -Wextra -Wshadow -Werror -Wno-unknown-pragmas -I%include -c %t.cpp -o %t.o
// Which loops blocks with the modifier `delta` are pipelined with, and why others are not.
#include <kanor/kanor.hpp>

#include <array>
#include <cstddef>
#include <numeric>
#include <vector>

using kanor::world;
using Numbers = std::vector<double>;

double f(double x) { return 2 * x + 1; }
void fill(Numbers& all) {
  for (double& one : all) one = 1;
}
int next(int rank);

void both(int n) {
  Numbers A(n), B(n);
  for (int k = 0; k < n; ++k) B[k] = f(k);
  @communicate (delta) { A@1 <<= B@0 }
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += A[k];
  B[0] = sum;
}
// CHECK:      pipeline block 0 of both
// CHECK-NEXT:     producer loop {{[0-9]+}} in {{[0-9]+}}: below 1*i + 0 "for (int k = 0; k < n; ++k) B[k] = f(k);"
// CHECK-NEXT:     consumer loop {{[0-9]+}} in {{[0-9]+}}: below 1*i + 1 "for (int k = 0; k < n; ++k) sum += A[k];"

double in_branches(int n) {
  Numbers A(n), B(n);
  const int me = world.rank();
  if (me == 0) {
    for (std::size_t k = 1; k < B.size(); k++) B[k - 1] = B[k - 1] + static_cast<double>(k);
  } else {
    B[0] += 0;
  }
  @communicate (delta) { A@(i + 1) % world.size() <<= B@i where i in world }
  n = 0;
  if (me == 1)
    for (std::size_t k = 2; k <= A.size() - 1; k += 2) A[k] = A[k - 2] * A[0];
  return A[1];
}
// CHECK-NEXT: pipeline block 1 of in_branches
// CHECK-NEXT:     producer none: 'B' is used here, outside of a loop "B[0] += 0"
// CHECK-NEXT:     consumer loop {{[0-9]+}} in {{[0-9]+}}: below 1*i + 1, and 1 "if (me == 1) ...

int arrays() {
  int A[50][40], B[50][40];
  for (int i = 0; i < 50; ++i)
    for (int j = 0; j < 40; ++j) B[i][j] = i + j;
  @communicate (delta) { A@i <<= B@(i + 1) % world.size() where i in world }
  int sum = 0;
  for (int i = 1; i != 49; ++i)
    for (int j = 0; j < 40; ++j) sum += A[i - 1][j] + A[i + 1][j];
  return sum;
}
// CHECK-NEXT: pipeline block 2 of arrays
// CHECK-NEXT:     producer loop {{[0-9]+}} in {{[0-9]+}}: below 1*i + 0 "for (int i = 0; i < 50; ++i) ...
// CHECK-NEXT:     consumer loop {{[0-9]+}} in {{[0-9]+}}: below 1*i + 2 "for (int i = 1; i != 49; ++i) ...

int flat() {
  std::array<int, 2000> A, B;
  for (int i = 0; i < 1000; ++i) {
    B[2 * i + 1] = i;
    B[2 * i] = i;
  }
  @communicate (delta) { A@1 <<= B@0 }
  int sum = 0;
  for (int i = 0; i < 50; ++i)
    for (int j = 0; j < 40; ++j) sum += A[40 * i + j];
  return sum;
}
// CHECK-NEXT: pipeline block 3 of flat
// CHECK-NEXT:     producer loop {{[0-9]+}} in {{[0-9]+}}: below 2*i + 0 "for (int i = 0; i < 1000; ++i) { ...
// CHECK-NEXT:     consumer loop {{[0-9]+}} in {{[0-9]+}}: below 40*i + 40 "for (int i = 0; i < 50; ++i) ...

double no_loops(int n) {
  Numbers A(n), B(n);
  std::iota(B.begin(), B.end(), 0.0);
  @communicate (delta) { A@1 <<= B@0 }
  return std::accumulate(A.begin(), A.end(), 0.0);
}
// CHECK-NEXT: pipeline block 4 of no_loops
// CHECK-NEXT:     producer none: 'B' is used here, outside of a loop "{{.*}}"
// CHECK-NEXT:     consumer none: 'A' is used here, outside of a loop "{{.*}}"

double unknown_elements(const std::vector<int>& index, int n, int width) {
  Numbers A(n), B(n);
  for (int k = 0; k < n; ++k) B[index[k]] = k;
  @communicate (delta) { A@1 <<= B@0 }
  double sum = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < width; ++j) sum += A[i * width + j];
  return sum;
}
// CHECK-NEXT: pipeline block 5 of unknown_elements
// CHECK-NEXT:     producer none: kanorc does not know which elements are written here "B[index[k]] = k"
// CHECK-NEXT:     consumer none: kanorc does not know which elements are used here

double again(int n) {
  Numbers A(n), B(n);
  for (int t = 0; t < 3; ++t)
    for (int k = 0; k < n; ++k) B[k] += k;
  @communicate (delta) { A@1 <<= B@0 }
  double sum = 0;
  for (int t = 0; t < 3; ++t)
    for (int k = 0; k < n; ++k) sum += A[k];
  return sum;
}
// CHECK-NEXT: pipeline block 6 of again
// CHECK-NEXT:     producer none: kanorc does not know which elements are written here
// CHECK-NEXT:     consumer none: kanorc does not know which elements are used here

double other_loops(int n) {
  Numbers A(n), B(n);
  int at = 0;
  while (at < n) {
    B[at] = at;
    ++at;
  }
  @communicate (delta) { A@1 <<= B@0 }
  double sum = 0;
  for (int k = n - 1; k >= 0; --k) sum += A[k];
  return sum;
}
// CHECK-NEXT: pipeline block 7 of other_loops
// CHECK-NEXT:     producer none: kanorc does not know what this loop counts
// CHECK-NEXT:     consumer none: kanorc does not know what this loop counts

double changed_rank(int n) {
  Numbers A(n), B(n);
  int root = 0;
  for (int k = 0; k < n; ++k) {
    B[k] = k;
    root = next(root);
  }
  @communicate (delta) { A@1 <<= B@root }
  return A[0];
}
// CHECK-NEXT: pipeline block 8 of changed_rank
// CHECK-NEXT:     producer none: this may change its ranks or sets
// CHECK-NEXT:     consumer none: 'A' is used here, outside of a loop

void declared_late(int n) {
  Numbers B(n);
  for (int k = 0; k < n; ++k) B[k] = k;
  Numbers A(n);
  @communicate (delta) { A@1 <<= B@0 }
}
// CHECK-NEXT: pipeline block 9 of declared_late
// CHECK-NEXT:     producer none: it is declared after the loop
// CHECK-NEXT:     consumer none: no loop after it uses 'A'

double keeps(int n) {
  Numbers A(n), B(n);
  double* const first = B.data();
  for (int k = 0; k < n; ++k) B[k] = k;
  @communicate (delta) { A@1 <<= B@0 }
  return *first;
}
// CHECK-NEXT: pipeline block 10 of keeps: of 'B', {{.*}}

double same(int n) {
  Numbers B(n);
  for (int k = 0; k < n; ++k) B[k] = k;
  @communicate (delta) { B@1 <<= B@0 }
  return B[0];
}
// CHECK-NEXT: pipeline block 11 of same: its place is also its value

double calls(int n) {
  Numbers A(n), B(n);
  fill(B);
  @communicate (delta) { A@1 <<= B@0 }
#pragma GCC unroll 4
  for (int k = 0; k < n; ++k) A[k] += 1;
  return A[0];
}
// CHECK-NEXT: pipeline block 12 of calls
// CHECK-NEXT:     producer none: 'B' is used here, outside of a loop "fill(B)"
// CHECK-NEXT:     consumer none: {{.*}}

template <class T>
T generic(int n) {
  std::vector<T> A(n), B(n);
  for (int k = 0; k < n; ++k) B[k] = static_cast<T>(k);
  @communicate (delta) { A@1 <<= B@0 }
  return A[0];
}
double instances(int n) { return generic<int>(n) + generic<double>(n); }
// CHECK-NEXT: pipeline block 13 of {{.*}}generic{{.*}}: its function is a template

double threads(int n) {
  Numbers A(n), B(n);
#pragma omp parallel num_threads(2)
  {
    for (int k = 0; k < n; ++k) B[k] = k;
  }
  @communicate (delta) { A@1 <<= B@0 }
  for (int k = 0; k < n; ++k) A[k] += 1;
  return A[0];
}
// CHECK-NEXT: pipeline block 14 of threads: of 'B', a pragma may give it to several threads

void behind_pragma(int n, bool is_on) {
  Numbers A(n), B(n);
#pragma GCC diagnostic push
  if (is_on)
#pragma GCC ivdep
    for (int k = 0; k < n; ++k) B[k] = k;
#pragma GCC diagnostic pop
  @communicate (delta) { A@1 <<= B@0 }
}
// CHECK-NEXT: pipeline block 15 of behind_pragma
// CHECK-NEXT:     producer none: {{.*}}
// CHECK-NEXT:     consumer none: no loop after it uses 'A'

// Of other blocks nothing is said: they have no whole variables, several statements, or other modifiers.
void others(int n) {
  Numbers A(n), B(n);
  for (int k = 0; k < n; ++k) B[k] = k;
  @communicate (delta) { A[:]@1 <<= B[:]@0 }
  @communicate (delta) { A@1 <<= B@0; B@1 <<= A@0 }
  @communicate (delta, copy) { A@1 <<= B@0 }
}
// CHECK-NEXT: function

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %kanorc --dump=analysis %s | grep '^loop' | %FileCheck --implicit-check-not=loop %s
// RUN: %kanorc --no-copy-loops --dump=analysis %s | %not grep '^loop '
// RUN: %kanorc --explain %s | %FileCheck --check-prefix=EXPLAIN %s
// RUN: %kanorc --emit-cpp %s -o %t.cpp
// RUN: sed -n '/^void face/,/^}/p' %t.cpp | grep -v '^#' | %FileCheck --check-prefix=EMIT %s
// RUN: %host_cxx -std=c++20 -Wall -Wextra -Wshadow -Werror -I%include -c %t.cpp -o %t.o
// RUN: %clang_cxx -std=c++20 -Wall -Wextra -Wshadow -Werror -I%include -c %t.cpp -o %t.o
// Which loops beside blocks do not run, and why others do.
#include <kanor/kanor.hpp>

#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

using kanor::world;
using Vector = std::vector<double>;

#define CELL(i, j) ((i) * 100 + (j))
struct Particle {
  double x, y, mass;
};
struct Grid {
  double& operator()(int i, int j) { return cells[i * width + j]; }
  int at(int i, int j) const { return i * width + j; }
  int width;
  Vector cells;
};
inline int index_of(int i, int j, int width) { return i * width + j; }
double half(double x) { return x / 2; }
void keep(const double* from);
int shifted(int r) { return (r + 1) % world.size(); }

// The first twenty: loops as programs have them.
void column(Vector& a, int n, int width) {
  Vector out(n), in(n);
  for (int i = 0; i < n; ++i) out[i] = a[i * width + width - 2];
  @communicate { in[0 : n]@shifted(r) <<= out[0 : n]@r where r in world }
  for (int i = 0; i < n; ++i) a[i * width] = in[i];
}
// CHECK:      loop into out, block 0 of column: replaced "for (int i = 0; i < n; ++i) out[i] = a[i * width + width - 2]"
// CHECK-NEXT: loop out of in, block 0 of column: replaced "for (int i = 0; i < n; ++i) a[i * width] = in[i]"
// EXPLAIN:     copy_loops.cpp:[[@LINE-5]]:43: remark: sends itself what the loop at line [[@LINE-6]] copies to 'out', from 8 KiB on [-Rpass=kanor]
// EXPLAIN:     copy_loops.cpp:[[@LINE-6]]:18: remark: updates itself what the loop at line [[@LINE-5]] copies from 'in', from 8 KiB on [-Rpass=kanor]

void face(double (&u)[20][30][40]) {
  Vector out(20 * 30);
  int k = 0;
  for (int z = 0; z < 20; ++z)
    for (int y = 0; y < 30; ++y) out[k++] = u[z][y][38];
  Vector ghost(600);
  @communicate { ghost[0 : 600]@shifted(r) <<= out[0 : k]@r where r in world }
  keep(ghost.data());
}
// CHECK-NEXT: loop into out, block 1 of face: replaced
// EMIT:      int k = 0;
// EMIT-NEXT: ::kanor::abi::copy_loop<2> kanor_copy_2; kanor_copy_2.replaces({::kanor::abi::counts<int>(0, 20, 1, false), ::kanor::abi::counts<int>(0, 30, 1, false)}, true, [&, k]({{.*}}const int z, {{.*}}const int y) { return kanor_copy_2.of(out[k], u[z][y][38]); }); if (kanor_copy_2.is_replaced()) { k += static_cast<decltype(k)>(kanor_copy_2.total()); } else for (int z = 0; z < 20; ++z)
// EMIT-NEXT:   for (int y = 0; y < 30; ++y) out[k++] = u[z][y][38];
// EMIT:      kanor_bind.send(kanor_copy_2.value(::kanor::abi::section(out, ::kanor::abi::part(0, k))))

void affine_face(const double* u, int ny, int nx) {
  Vector out(ny * nx), ghost(ny * nx);
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) out[y * nx + x] = *(u + y * nx * 3 + x);
  @communicate { ghost[:]@shifted(r) <<= out[:]@r where r in world }
  keep(ghost.data());
}
// CHECK-NEXT: loop into out, block 2 of affine_face: replaced

void in_time(double (&a)[3000][8], int steps) {
  double out[3000], in[3000];
  for (int t = 0; t < steps; ++t) {
    for (int i = 0; i < 3000; i++) {
      out[i] = a[i][6];
    }
    @communicate { in[0 : 3000]@(r + 1) % world.size() <<= out[0 : 3000]@r where r in world }
    for (int i = 0; i < 3000; i++) a[i][0] = in[i];
  }
}
// CHECK-NEXT: loop into out, block 3 of in_time: replaced
// CHECK-NEXT: loop out of in, block 3 of in_time: replaced

void members(Grid& grid, int n) {
  Vector out(n), in(n);
  for (int i = 0; i < n; ++i) out[i] = grid.cells[grid.at(i, grid.width - 2)];
  @communicate { in[0 : n]@shifted(r) <<= out[0 : n]@r where r in world }
  for (int i = 0; i < n; ++i) grid(i, 0) = in[i];
}
// CHECK-NEXT: loop into out, block 4 of members: replaced
// CHECK-NEXT: loop out of in, block 4 of members: replaced

void macros_and_functions(Vector& a, int n) {
  Vector out(n), in(n);
  for (int i = 0; i < n; ++i) out[i] = a[CELL(i, 98)];
  @communicate { in[0 : n]@shifted(r) <<= out[0 : n]@r where r in world }
  for (int i = 0; i < n; ++i) a[index_of(i, 0, 100)] = in[i];
}
// CHECK-NEXT: loop into out, block 5 of macros_and_functions: replaced
// CHECK-NEXT: loop out of in, block 5 of macros_and_functions: replaced

void structures(std::vector<Particle>& all) {
  const int n = static_cast<int>(all.size());
  Vector out(n), in(n);
  for (int i = 0; i < n; ++i) out[i] = all[i].x;
  @communicate { in[0 : n]@shifted(r) <<= out[0 : n]@r where r in world }
  for (int i = 0; i < n; ++i) all[i].y = in[i];
}
// CHECK-NEXT: loop into out, block 6 of structures: replaced
// CHECK-NEXT: loop out of in, block 6 of structures: replaced

void counters_outside(const double* a, double* b, int n) {
  Vector out(n), in(n);
  int i, k;
  for (i = n - 1; i >= 0; i--) out[i] = a[2 * i];
  @communicate { in[0 : n]@shifted(r) <<= out[0 : n]@r where r in world }
  k = 0;
  for (i = 0; i <= 3 * n - 3; i += 3) b[i] = in[k++];
  keep(b + i + k);
}
// CHECK-NEXT: loop into out, block 7 of counters_outside: replaced
// CHECK-NEXT: loop out of in, block 7 of counters_outside: replaced

void at_edges(Vector& a, int n, int width) {
  const int me = world.rank(), last = world.size() - 1;
  std::vector<double> out(n), in(n);
  if (me < last)
    for (int i = 0; i < n; ++i) out[i] = a[i * width];
  @communicate { in[0 : n]@r + 1 <<= out[0 : n]@r where r in {0 ... last - 1} }
  if (me > 0) {
    for (int i = 0; i < n; ++i) a[i * width + 1] = in[i];
  }
}
// CHECK-NEXT: loop into out, block 8 of at_edges: replaced
// CHECK-NEXT: loop out of in, block 8 of at_edges: replaced

void library(std::array<double, 6000>& a, std::span<double> b, std::unique_ptr<float[]>& c) {
  std::array<double, 2000> out, in;
  for (std::size_t i = 0; i < 2000; ++i) out[i] = a[3 * i];
  @communicate { in[0 : 2000]@shifted(r) <<= out[0 : 2000]@r where r in world }
  for (std::size_t i = 0; i < 2000; ++i) b[i * 2] = in[i];
  std::vector<float> part(2000);
  for (long i = 0; i < 2000; ++i) part[i] = c[i + 5];
  @communicate { part[0 : 2000]@shifted(r) <<= part[0 : 2000]@r where r in world }
}
// CHECK-NEXT: loop into out, block 9 of library: replaced
// CHECK-NEXT: loop out of in, block 9 of library: replaced
// CHECK-NEXT: loop into part, block 10 of library: no, 'part' is also used here "part"

void directions(Vector& a, int n, int width) {
  Vector east(n), west(n), from_west(n), from_east(n);
  for (int i = 0; i < n; ++i) east[i] = a[i * width + width - 2];
  for (int i = 0; i < n; ++i) west[i] = a[i * width + 1];
  @communicate {
    from_west[0 : n]@shifted(r) <<= east[0 : n]@r where r in world;
    from_east[0 : n]@r <<= west[0 : n]@shifted(r) where r in world
  }
  for (int i = 0; i < n; ++i) a[i * width] = from_west[i];
  for (int i = 0; i < n; ++i) a[i * width + width - 1] = from_east[i];
}
// CHECK-NEXT: loop into east, block 11 of directions: replaced
// CHECK-NEXT: loop out of from_west, block 11 of directions: replaced
// CHECK-NEXT: loop into west, block 11 of directions: replaced
// CHECK-NEXT: loop out of from_east, block 11 of directions: replaced

// From here on: loops that run as they are written.
void computes(const Vector& a, int n) {
  Vector out(n), other(n), ghost(n);
  for (int i = 0; i < n; ++i) out[i] = half(a[i]);
  @communicate { ghost[0 : n]@shifted(r) <<= out[0 : n]@r where r in world }
  for (int i = 0; i < n; ++i) other[i] = static_cast<double>(static_cast<float>(a[i]));
  @communicate { ghost[0 : n]@shifted(r) <<= other[0 : n]@r where r in world }
}
// CHECK-NEXT: loop into out, block 12 of computes: no, it does more than copy elements one by one "for (int i = 0; i < n; ++i) out[i] = half(a[i])"
// CHECK-NEXT: loop into other, block 13 of computes: no, it does more than copy elements one by one
// EXPLAIN:     copy_loops.cpp:[[@LINE-7]]:3: remark: the loop at line [[@LINE-7]] copies 'out' as it is written: it does more than copy elements one by one [-Rpass-missed=kanor]

void unlike_types(const std::vector<float>& a, int n, int width, const int* index) {
  Vector out(n), ghost(n);
  for (int i = 0; i < n; ++i) ghost[i] = a[i];
  std::vector<float> listed(n), square(n), wrapped(n), theirs(n);
  for (int i = 0; i < n; ++i) listed[i] = a[index[i]];
  @communicate { theirs[0 : n]@shifted(r) <<= listed[0 : n]@r where r in world }
  for (int i = 0; i < n; ++i) square[i] = a[i * i];
  @communicate { theirs[0 : n]@shifted(r) <<= square[0 : n]@r where r in world }
  for (unsigned i = 0; i < 3000u; ++i) wrapped[i] = a[i * static_cast<unsigned>(width)];
  @communicate { theirs[0 : n]@shifted(r) <<= wrapped[0 : n]@r where r in world }
  static_cast<void>(out);
}
// CHECK-NEXT: loop into listed, block 14 of unlike_types: no, kanorc does not know which elements it copies "a[index[i]]"
// CHECK-NEXT: loop into square, block 15 of unlike_types: no, kanorc does not know which elements it copies "a[i * i]"
// CHECK-NEXT: loop into wrapped, block 16 of unlike_types: no, kanorc does not know which elements it copies "a[i * static_cast<unsigned>(width)]"

void bounds(const Vector& a, int n, volatile int* end) {
  Vector triangle(n * n), moving(n), ghost(n * n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) triangle[i * n + j] = a[i * n + j];
  @communicate { ghost[0 : n]@shifted(r) <<= triangle[0 : n]@r where r in world }
  for (int i = 0; i < *end; ++i) moving[i] = a[i];
  @communicate { ghost[0 : n]@shifted(r) <<= moving[0 : n]@r where r in world }
}
// CHECK-NEXT: loop into triangle, block 17 of bounds: no, this loop's bounds are not the same throughout "i"
// CHECK-NEXT: loop into moving, block 18 of bounds: no, this loop's bounds are not the same throughout "*end"

double used_later(Vector& a, int n) {
  Vector out(n), in(n), stored(n);
  for (int i = 0; i < n; ++i) out[i] = a[2 * i];
  @communicate { in[0 : n]@shifted(r) <<= out[0 : n]@r where r in world }
  for (int i = 0; i < n; ++i) a[2 * i] = in[i];
  const double* where = stored.data();
  for (int i = 0; i < n; ++i) stored[i] = a[2 * i];
  @communicate { a[0 : n]@shifted(r) <<= stored[0 : n]@r where r in world }
  return out[3] + in[4] + *where;
}
// CHECK-NEXT: loop into out, block 19 of used_later: no, 'out' is also used here "out[3]"
// CHECK-NEXT: loop out of in, block 19 of used_later: no, 'in' is also used here "in[4]"
// CHECK-NEXT: loop into stored, block 20 of used_later: no, 'stored' is also used here "const double* where = stored.data();"

void between(Vector& a, int n) {
  Vector out(n), in(n), other(n);
  for (int i = 0; i < n; ++i) out[i] = a[2 * i];
  a[0] = 5;
  @communicate { in[0 : n]@shifted(r) <<= out[0 : n]@r where r in world }
  keep(a.data());
  for (int i = 0; i < n; ++i) a[i] = in[i];
  for (int i = 0; i < n; ++i) other[i] = a[2 * i];
  for (int i = 0; i < n; ++i) in[i] = other[2 * i];
  @communicate { a[0 : n]@shifted(r) <<= other[0 : n]@r where r in world }
}
// CHECK-NEXT: loop into out, block 21 of between: no, this stands between the loop and the block "a[0] = 5"
// CHECK-NEXT: loop out of in, block 21 of between: no, this stands between the loop and the block "keep(a.data())"
// CHECK-NEXT: loop into other, block 22 of between: no, kanorc does not know which elements it copies "in[i]"

void outlives(Vector& a, int n, int steps) {
  Vector out(n), in(n);
  for (int t = 0; t < steps; ++t) {
    for (int i = 0; i < n - t; ++i) out[i] = a[2 * i];
    @communicate { in[0 : n]@r + 1 <<= out[0 : n]@r where r in {0 ... world.size() - 2} }
    for (int i = 0; i < n; ++i) a[2 * i] = in[i];
  }
}
// CHECK-NEXT: loop into out, block 23 of outlives: no, it may copy other elements each time, and 'out' is declared further out
// CHECK-NEXT: loop out of in, block 23 of outlives: no, a rank may receive nothing, and 'in' is declared further out

void two_loops(Vector& a, int n) {
  Vector out(n), in(n);
  for (int i = 0; i < n - 1; ++i) out[i] = a[2 * i];
  @communicate { in[0 : n]@r + 1 <<= out[0 : n]@r where r in {0 ... world.size() - 2} }
  for (int i = 0; i < n; ++i) a[2 * i] = in[i];
  for (int i = 0; i < n; ++i) out[i] = a[i];
  @communicate { in[0 : n]@r + 1 <<= out[0 : n]@r where r in {0 ... world.size() - 2} }
}
// CHECK-NEXT: loop into out, block 24 of two_loops: no, another loop copies 'out' too
// CHECK-NEXT: loop out of in, block 24 of two_loops: no, 'in' is also used here
// CHECK-NEXT: loop into out, block 25 of two_loops: replaced

void modifiers(Vector& a, int n) {
  Vector out(n), in(n), sum(n);
  for (int i = 0; i < n; ++i) out[i] = a[2 * i];
  @communicate (async = later) { in[0 : n]@shifted(r) <<= out[0 : n]@r where r in world }
  later.wait();
  for (int i = 0; i < n; ++i) sum[i] = a[2 * i];
  @communicate { in[0 : n]@0 << + << sum[0 : n]@r where r in world }
  double few[4];
  for (int i = 0; i < 4; ++i) few[i] = a[2 * i];
  @communicate { in[0 : 4]@shifted(r) <<= few[0 : 4]@r where r in world }
}
// CHECK-NEXT: loop into few, block 28 of modifiers: no, its 32 bytes are copied as fast "few"

void unpacks(Vector& a, std::vector<int>& numbers, int n, int& count) {
  Vector in(n);
  std::vector<int> got(n);
  @communicate { in[0 : n]@shifted(r) <<= a[0 : n]@r where r in world; count@shifted(r) <<= n@r where r in world }
  for (int i = 0; i < n; ++i) a[i] = in[i];
  @communicate { got[0 : n]@shifted(r) <<= numbers[0 : n]@r where r in world }
  for (int i = 0; i < count; ++i) numbers[2 * i] = got[i];
}
// CHECK-NEXT: loop out of in, block 29 of unpacks: no, the block also updates this "count"
// CHECK-NEXT: loop out of got, block 30 of unpacks: no, kanorc does not know when this changes "count"

template <class Number>
void instance(std::vector<Number>& a, int n) {
  std::vector<Number> out(n);
  for (int i = 0; i < n; ++i) out[i] = a[2 * i];
  @communicate { a[0 : n]@shifted(r) <<= out[0 : n]@r where r in world }
}
template void instance(std::vector<float>&, int);
// CHECK-NEXT: loop into out, block 31 of instance: no, its function is a template, or stands in a header

void whole(Vector& a, int n) {
  Vector out(n), in(n);
  for (int i = 0; i < n; ++i) out[i] = a[2 * i];
  @communicate { in@shifted(r) <<= out@r where r in world }
  for (int i = 0; i < n; ++i) a[2 * i] = in[i];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %kanorc --dump=plan %s | %FileCheck --strict-whitespace --match-full-lines %s
// What kanorc says of sets, filters and ranks in symbols, so that each rank finds its own bindings. What it has no
// words for is '?', or left out if it is a filter.
#include <kanor/kanor.hpp>
#include <vector>

int owner(int);
constexpr int width = 4;
enum Side { low = -1, high = 1 };
#define NEXT(i) ((i + 1) % n)
#define STEP(a) ((a + step) % n)
#define MIXED(a, b) ((a - step * b) % n)

void names_lets_and_sizes(int x, int step) {
  const int n = kanor::world.size();
  auto count = kanor::world.size(), last = count - 1;
  @communicate { x@(i + 1) % world.size() <<= x@i where i in world }
  // CHECK:    statement at line [[@LINE-1]]: {{.*}}
  // CHECK:      form i: 0 .. $0 - 1; to (i + 1) % $0; from i{{.*}}
  // CHECK-NEXT:      $0 is world.size()
  @communicate { x@to <<= x@i where i in {0 ... last}, let to = (i + step) % n, let unused = owner(i) }
  // CHECK:      form i: 0 .. $0; to (i + $1) % $2; from i{{.*}}
  // CHECK-NEXT:      $0 is last
  // CHECK-NEXT:      $1 is step
  // CHECK-NEXT:      $2 is n
  @communicate { x@to <<= x@if_ where to, if_ in range(0, n), let k = to - if_, k * k == width }
  // CHECK:      form to_: 0 .. $0 - 1; if_: 0 .. $0 - 1; if (to_ - if_) * (to_ - if_) == 4; to to_; from if_{{.*}}
  @communicate { x@(i - (1 - j)) <<= x@(2 * (i + j) / 2 ^ (j << 1 | i >> 1 & -j)) where i in {0 ... 3}, j in {low, high} }
  // CHECK:      form i: 0 .. 3; j: {-1, 1}; to i - (1 - j); from 2 * (i + j) / 2 ^ ({{.*}} | i >> 1 & -j){{.*}}
  @communicate { x@NEXT(i) <<= x@STEP(i) where i in world }
  // CHECK:      form i: 0 .. $0 - 1; to (i + 1) % $1; from (i + $2) % $1{{.*}}
  // CHECK-NEXT:      $0 is world.size()
  // CHECK-NEXT:      $1 is n
  // CHECK-NEXT:      $2 is step
  @communicate { x@MIXED(i, n) <<= x@i where i in world }
  // CHECK:      form i: 0 .. $0 - 1; to (i - $1 * $2) % $2; from i{{.*}}
}

// The runtime keeps room for sixteen names, and spells them in letters and digits.
void names_of_every_kind(int x) {
  @communicate { x@ä <<= x@ö where ä, ö in world, ä < ö }
  // CHECK:      form __: 0 .. $0 - 1; ___: 0 .. $0 - 1; if __ < ___; to __; from ___{{.*}}
  @communicate { x@a <<= x@b where a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p in {0 ... 1}, x > 0 }
  // CHECK:      form a: 0 .. 1; {{.*}} p: 0 .. 1; if $0 > 0; to a; from b{{.*}}
  @communicate { x@a <<= x@b where a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q in {0 ... 1}, x > 0 }
  // CHECK:    statement at line [[@LINE-1]]: {{.*}}
  // CHECK-NEXT:      every rank goes through all bindings{{.*}}
}

// Ranges with a step, up and down.
void steps(int x, int step, unsigned wide, int* a) {
  const int n = kanor::world.size();
  @communicate { x@i <<= x@(i + 1) % n where i in range(0, n, 2) }
  // CHECK:      form i: 0 until $0 by 2; to i; from (i + 1) % $0{{.*}}
  @communicate { x@i <<= x@k % n where i in world, k in range(i, 9 * n, n) }
  // CHECK:      form i: 0 .. $0 - 1; k: i until 9 * $1 by $1; to i; from k % $1{{.*}}
  // CHECK-NEXT:      $0 is world.size()
  // CHECK-NEXT:      $1 is n
  @communicate { x@i <<= x@k % n where k in range(20l, 0l, -step), i in range(0, 3, 1) }
  // CHECK:      form k: 20 until 0 by $0; i: 0 .. 2; to i; from k % $1{{.*}}
  @communicate { x@i <<= x@0 where i in range(9u, 0u, -3) }
  // CHECK:      form i: 9 until 0 by -3; to i; from 0{{.*}}
  @communicate { x@0 <<= x@i where i in range(0u, wide, wide / 4) }
  // CHECK:      form i: 0 until $0 by $1; to 0; from i{{.*}}
  @communicate { x@i <<= x@0 where i in world, k in range(0, n, a[i]) }
  // CHECK:      form i: 0 .. $0 - 1; k: ?; to i; from 0{{.*}}
}

void filters(int x, bool active, std::vector<int> chosen) {
  @communicate { x@i <<= x@j where i, j in world, i < j && !(i == 0 || j - 1 <= i), (active), i & 1, !(j & 1) }
  // CHECK:      form i: 0 .. $0 - 1; j: 0 .. $0 - 1; if i < j; if i != 0; if j - 1 > i; if $1 != 0; if (i & 1) != 0; if (j & 1) == 0; to i; from j{{.*}}
  @communicate { x@i <<= x@j where i, j in world, i < j || i == 0, chosen[i] != 0, i != 0 }
  // CHECK:      form i: 0 .. $0 - 1; j: 0 .. $0 - 1; if ?; if ?; if i != 0; to i; from j{{.*}}
}

// A leaf is evaluated whatever the clauses before it say, so it must not go wrong.
void leaves(int x, int n, int* root, std::vector<int>& roots, int total) {
  @communicate { x@i <<= x@*root where i in world }
  // CHECK:      form i: 0 .. $0 - 1; to i; from $1{{.*}}
  @communicate { x@i <<= x@*root where i in world, root != nullptr }
  // CHECK:      form i: 0 .. $0 - 1; if ?; to i; from ?{{.*}}
  @communicate { x@i <<= x@roots[0] where i in {0 ... n} }
  // CHECK:      form i: 0 .. $0; to i; from ?{{.*}}
  @communicate { x@i <<= x@(total - x) / (n - 1) where i in {0 ... n} }
  // CHECK:      form i: 0 .. $0; to i; from $1 / ($0 - 1){{.*}}
  // CHECK-NEXT:      $0 is n
  // CHECK-NEXT:      $1 is total - x
  @communicate { x@i <<= x@total / world.size() where i in {0 ... n} }
  // CHECK:      form i: 0 .. $0; to i; from $1 / $2{{.*}}
}

// Unsigned numbers wrap in C++ and not in a form.
void unsigned_numbers(int x, unsigned n, std::vector<int> v) {
  @communicate { x@(i + 1) % v.size() <<= x@i where i in range(0, 10) }
  // CHECK:      form i: 0 .. 9; to (i + 1) % $0; from i{{.*}}
  @communicate { x@(i + n - 1) % n <<= x@i where i in range(0, 10) }
  // CHECK:      form i: 0 .. 9; to ?; from i{{.*}}
  @communicate { x@i * 2654435761u % n <<= x@i where i in world }
  // CHECK:      form i: 0 .. $0 - 1; to ?; from i{{.*}}
  @communicate { x@static_cast<unsigned char>(i) <<= x@i where i in world, i - 1 < v.size() }
  // CHECK:      form i: 0 .. $0 - 1; if ?; to ?; from i{{.*}}
  @communicate { x@(i % 200) <<= x@static_cast<unsigned char>(i) where i in {0 ... 200} }
  // CHECK:      form i: 0 .. 200; to i % 200; from i{{.*}}
}

void grids(int x, const kanor::grid<2>& g) {
  @communicate { x@g.neighbor(i, d, -1) <<= x@i where i in world, d in {0, 1} }
  // CHECK:      form i: 0 .. $0 - 1; d: {0, 1}; to $1.neighbor(i, d, -1); from i{{.*}}
  // CHECK-NEXT:      $0 is world.size()
  // CHECK-NEXT:      $1 is g
  @communicate { x@g(g.coords(i)[1], (g.coords(i)[0])) <<= x@i where i in world }
  // CHECK:      form i: 0 .. $0 - 1; to $1($1.coords(i)[1], $1.coords(i)[0]); from i{{.*}}
}

void nothing_known(int x, const std::vector<int>& v) {
  @communicate { x@owner(i) <<= x@(i > 3 ? 0 : i) where i in world }
  // CHECK:    statement at line [[@LINE-1]]: general{{.*}}
  // CHECK-NEXT:      every rank goes through all bindings{{.*}}
  @communicate { x@i <<= x@0 where i in v }
  // CHECK:      form i: ?; to i; from 0{{.*}}
}

// Where one side knows, the other does not look for its bindings: its rank is not described, and is no leaf.
void one_sided(int x, int me, int step, const std::vector<int>& to) {
  @communicate (knows = sender) { x@(i + step) % 7 <<= x@i where i in world, i != me }
  // CHECK:    statement at line [[@LINE-1]]: general, since only one side knows the bindings
  // CHECK-NEXT:      form i: 0 .. $0 - 1; if i != $1; to ?; from i
  // CHECK-NEXT:      $0 is world.size()
  // CHECK-NEXT:      $1 is me
  // CHECK-NEXT:      to (i + step) % 7: told by the other side
  // CHECK-NEXT:      from i: solved for its names
  @communicate (knows = receiver) { x@i <<= x@to[i] where i in world; x@to[i] <<= x@i where i in world }
  // CHECK:      form i: 0 .. $0 - 1; to i; from ?
  // CHECK-NEXT:      $0 is world.size()
  // CHECK-NEXT:      to i: solved for its names
  // CHECK-NEXT:      from ?: told by the other side
  // CHECK-NEXT:    statement at line [[@LINE-5]]: general, since only one side knows the bindings
  // CHECK-NEXT:      every rank goes through all bindings
  // CHECK-NEXT:      to ?: all bindings are gone through, since it is an element selected by a name
  // CHECK-NEXT:      from i: told by the other side
  @communicate (knows = sender) { x@to[0] <<= x@me }
  // CHECK-NEXT:  block at line [[@LINE-1]]
  // CHECK-NEXT:    statement at line [[@LINE-2]]: general, since only one side knows the bindings
  // CHECK-NEXT:      every rank goes through all bindings
  // CHECK-NEXT:      to (to[0]): told by the other side
  // CHECK-NEXT:      from me: one rank
}

// Of a template the text counts where it does not depend on the arguments, else what all instantiations agree on.
template <class T, int N>
void in_template(T x, T n) {
  @communicate { x@i <<= x@0 where i in world }
  // CHECK:      form i: 0 .. $0 - 1; to i; from 0{{.*}}
  @communicate { x@i <<= x@N where i in world }
  // CHECK:      form i: 0 .. $0 - 1; to i; from $1{{.*}}
  // CHECK-NEXT:      $0 is world.size()
  // CHECK-NEXT:      $1 is N
  @communicate { x@i <<= x@(i + 1) % n where i in {0 ... 3} }
  // CHECK:      form i: 0 .. 3; to i; from (i + 1) % $0{{.*}}
}
template void in_template<int, 1>(int, int);
template void in_template<long, 2>(long, long);

template <class T>
void disagreeing(T x, T n) {
  @communicate { x@i <<= x@(i + n) % 4 where i in {0 ... 3} }
  // CHECK:    statement at line [[@LINE-1]]: general{{.*}}
  // CHECK-NEXT:      every rank goes through all bindings{{.*}}
}
template void disagreeing<int>(int, int);
template void disagreeing<unsigned>(unsigned, unsigned);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

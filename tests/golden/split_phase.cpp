// RUN: %kanorc -fdelta --dump=analysis %s | %FileCheck %s
// RUN: %kanorc --dump=analysis %s | %FileCheck --check-prefix=OFF %s
// RUN: %kanorc -fdelta --explain %s | %FileCheck --check-prefix=EXPLAIN %s
// RUN: %kanorc -fdelta --emit-cpp %s -o %t.cpp
// RUN: sed -n '/^double around/,/^}/p' %t.cpp | sed 's|"[^"]*split_phase.cpp"|"split_phase.cpp"|' | %FileCheck --check-prefix=EMIT --strict-whitespace --match-full-lines %s
// RUN: %host_cxx -std=c++20 -Wall -Wextra -Wshadow -Werror -I%include -c %t.cpp -o %t.o
// RUN: %clang_cxx -std=c++20 -Wall -Wextra -Wshadow -Werror -I%include -c %t.cpp -o %t.o
// Which blocks start early or are complete late with -fdelta, and why others are not split.
#include <kanor/kanor.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

using kanor::world;

// OFF-NOT: split block

void work(std::vector<double>& all);
double global = 0;
double* kept = nullptr;
void keep(double& one) { kept = &one; }
void raise(std::vector<double>& all) {
  for (double& one : all) one += 1;
}
double total(const double* all, int n) {
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += all[k];
  return sum;
}

double late(int n, const std::vector<double>& edge) {
  std::vector<double> ghost(100), inner(1000, 1.0);
  @communicate { ghost[0:10]@(i + 1) % world.size() <<= edge[0:10]@i where i in world }
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += std::sqrt(inner[k]);  // the values may be anybody's: they have been copied
  return sum + ghost[0];
}
// CHECK:      split block 0 of late
// CHECK-NEXT:     complete after {{[0-9]+}} "for (int k = 0; k < n; ++k) sum += std::sqrt(inner[k]);"
// EXPLAIN:     split_phase.cpp:[[@LINE-7]]:3: remark: split: it is complete after line [[@LINE-5]] [-Rpass=kanor]

double early(int n) {
  double values[10] = {}, got = 0, sum = 0;
  const int next = 1 % world.size(), at = 3;
  for (int k = 0; k < n; ++k) values[k % 10] += k;
  for (int k = 0; k < n; ++k) sum += values[k % 10];
  @communicate { got@(i + next) % world.size() <<= values[at]@i where i in world }
  return sum + got;
}
// CHECK-NEXT: split block 1 of early
// CHECK-NEXT:     starts before {{[0-9]+}} "for (int k = 0; k < n; ++k) sum += values[k % 10];"
// EXPLAIN:     split_phase.cpp:[[@LINE-5]]:3: remark: split: it starts before line [[@LINE-6]] [-Rpass=kanor]

double around(int steps) {
  double inner[100], left = 0, edge = 0;
  for (int t = 0; t < steps; ++t) {
    for (int k = 0; k < 100; ++k) inner[k] = t + k;
    edge += inner[99] + left;
    @communicate { left@(i + 1) % world.size() <<= edge@i where i in world }
  }
  return left;
}
// CHECK-NEXT: split block 2 of around
// CHECK-NEXT:     complete in the next iteration after {{[0-9]+}} "for (int k = 0; k < 100; ++k) inner[k] = t + k;"
// CHECK-NEXT:     complete after the loop {{[0-9]+}} "for (int t = 0; t < steps; ++t) { ..."
// EXPLAIN:     split_phase.cpp:[[@LINE-7]]:5: remark: split: it is complete after line [[@LINE-9]], in the next iteration [-Rpass=kanor]
// EMIT:double around(int steps) {
// EMIT-NEXT:  double inner[100], left = 0, edge = 0;
// EMIT-NEXT:  ::kanor::pending kanor_pending_2; for (int t = 0; t < steps; ++t) {
// EMIT-NEXT:    for (int k = 0; k < 100; ++k) inner[k] = t + k; ; kanor_pending_2 = {};
// EMIT-NEXT:    edge += inner[99] + left;
// EMIT-NEXT:    kanor_pending_2 = [&](const ::kanor::abi::site& kanor_site) { return ::kanor::abi::start(kanor_site, [&](::kanor::abi::block& kanor_block) {
// EMIT:      }); }({"split_phase.cpp", 62, __func__});
// EMIT-NEXT:  } ; kanor_pending_2 = {};
// EMIT-NEXT:  return left;
// EMIT-NEXT:}

double both_sides_and_helpers(int n) {
  std::vector<double> inner(100, 1.0), other(100, 2.0);
  double left = 0, right = 0, mine = 1;
  raise(inner);
  @communicate (team = world, copy) {
    left@(i + 1) % world.size() <<= mine@i where i in world;
    right@i <<= mine@(i + 1) % world.size() where i in world
  }
  raise(other);
  double sum = total(other.data(), n);
  return sum + left + right;
}
// CHECK-NEXT: split block 3 of both_sides_and_helpers
// CHECK-NEXT:     starts before {{[0-9]+}} "raise(inner);"
// CHECK-NEXT:     complete after {{[0-9]+}} "double sum = total(other.data(), n);"
// EXPLAIN:     remark: split: it starts before line [[@LINE-12]], and is complete after line [[@LINE-6]] [-Rpass=kanor]

double used_at_once(int n) {
  double got = 0, sum = 0;
  @communicate { got@1 <<= 1.0@0 }
  for (int k = 0; k < n; ++k) sum += got;
  return sum;
}
// CHECK-NEXT: split block 4 of used_at_once: no, 'got', which it updates, is used here "got"
// EXPLAIN:     split_phase.cpp:[[@LINE-4]]:38: remark: the block at line [[@LINE-5]] is not split: 'got', which it updates, is used here

double by_reference(double& got, int n) {
  double sum = 0;
  @communicate { got@1 <<= 1.0@0 }
  for (int k = 0; k < n; ++k) sum += k;
  return sum;
}
// CHECK-NEXT: split block 5 of by_reference: no, 'got' is another name of an object

double of_all(int n) {
  double sum = 0;
  @communicate { global@1 <<= 1.0@0 }
  for (int k = 0; k < n; ++k) sum += k;
  return sum;
}
// CHECK-NEXT: split block 6 of of_all: no, 'global' is not local to the function

double other_name(int n) {
  double got = 0, sum = 0;
  keep(got);
  @communicate { got@1 <<= 1.0@0 }
  for (int k = 0; k < n; ++k) sum += *kept;
  return sum + got;
}
// CHECK-NEXT: split block 7 of other_name: no, of 'got', its address is taken "keep(got)"

double prints(int n) {
  double got = 0, sum = 0;
  @communicate { got@1 <<= 1.0@0 }
  for (int k = 0; k < n; ++k) std::printf("%d\n", k);
  for (int k = 0; k < n; ++k) sum += k;
  return sum + got;
}
// CHECK-NEXT: split block 8 of prints: no, 'printf' is called, which may send or wait "std::printf("%d\n", k)"

double collective(int n) {
  double got[9] = {}, sum = 0;
  @communicate { got[i]@j <<= 1.0@i where i, j in world }
  for (int k = 0; k < n; ++k) sum += k;
  return sum + got[0];
}
// CHECK-NEXT: split block 9 of collective: no, its ranks take part in a collective operation together

double one_side(int n) {
  double got = 0, sum = 0;
  @communicate (knows = sender) { got@1 <<= 1.0@world.rank() }
  for (int k = 0; k < n; ++k) sum += k;
  return sum + got;
}

double short_work(int n) {
  double got = 0, sum = 0;
  @communicate { got@1 <<= 1.0@0 }
  sum += n;
  return sum + got;
}
// CHECK-NEXT: split block 11 of short_work: no, nothing beside it computes for long

double jumps(int n) {
  double got = 0, sum = 0;
  for (int t = 0; t < n; ++t) {
    @communicate { got@1 <<= 1.0@0 }
    for (int k = 0; k < n; ++k)
      if (k == t) goto end;
  }
end:
  return sum + got;
}
// CHECK-NEXT: split block 12 of jumps: no, its function has labels, assembler or suspends

double changes_value_before(int n) {
  double got = 0, mine = 0;
  for (int k = 0; k < n; ++k) mine += k;
  @communicate { got@1 <<= mine@0 }
  return got;
}
// CHECK-NEXT: split block 13 of changes_value_before: no, 'mine', which it uses, may change here "mine += k"

double changes_rank_before(int n) {
  double got = 0;
  int to = 0;
  for (int k = 0; k < n; ++k) to = k % world.size();
  @communicate { got@to <<= 1.0@0 }
  return got;
}
// CHECK-NEXT: split block 14 of changes_rank_before: no, 'to', which it uses, may change here "to = k % world.size()"

double next_iteration_uses_at_once(int steps) {
  double inner[100], left = 0, edge = 0;
  for (int t = 0; t < steps; ++t) {
    edge += left;
    for (int k = 0; k < 100; ++k) inner[k] = t + k;
    edge += inner[99];
    @communicate { left@(i + 1) % world.size() <<= edge@i where i in world }
  }
  return left;
}
// CHECK-NEXT: split block 15 of next_iteration_uses_at_once: no, 'left', which it updates, is used here "left"

double inside_only(int steps) {
  double inner[100], edge = 0;
  for (int t = 0; t < steps; ++t) {
    double left = 0;
    for (int k = 0; k < 100; ++k) inner[k] = t + k;
    edge += inner[99];
    @communicate { left@(i + 1) % world.size() <<= edge@i where i in world }
  }
  return edge;
}
// CHECK-NEXT: split block 16 of inside_only: no, 'edge', which it uses, may change here "edge += inner[99]"

double ends_with_iteration(int steps) {
  double inner[100];
  for (int t = 0; t < steps; ++t) {
    double left = 0;
    for (int k = 0; k < 100; ++k) inner[k] = t + k;
    @communicate { left@(i + 1) % world.size() <<= 1.0@i where i in world }
  }
  return inner[5];
}
// CHECK-NEXT: split block 17 of ends_with_iteration
// CHECK-NEXT:     starts before {{[0-9]+}} "for (int k = 0; k < 100; ++k) inner[k] = t + k;"

double moves(int n) {
  std::vector<double> got, mine(100, 1.0);
  double sum = 0;
  @communicate { got@1 <<= std::move(mine)@0 }
  for (int k = 0; k < n; ++k) sum += k;
  return sum + got[0];
}
// CHECK-NEXT: split block 18 of moves: no, the memory of this value may travel "std::move(mine)"

template <int>
double several(int n) {
  double got = 0, sum = 0;
  @communicate { got@1 <<= 1.0@0 }
  for (int k = 0; k < n; ++k) sum += k;
  return sum + got;
}
double of_both(int n) { return several<1>(n) + several<2>(n); }
// CHECK-NEXT: split block 19 of several: no, its function is a template with several instances

struct Pair {
  double left, right;
};
struct Rows {
  std::vector<double> first, last;
};
struct View {
  double* first;
};
double parts(int n) {
  std::array<Pair, 4> got = {};
  std::vector<std::vector<int>> rows(4, std::vector<int>(4));
  int which[2] = {1, 2};
  double sum = 0;
  @communicate {
    got[1].left@1 <<= 1.0@0;
    rows[2][1:2]@0 <<= rows[1][0:2]@1;
    rows[3][which]@1 <<= rows[0][which]@0
  }
  for (int k = 0; k < n; ++k) sum += k;
  which[0] = 2;
  return sum + got[1].left + rows[2][1];
}
// CHECK-NEXT: split block 20 of parts
// CHECK-NEXT:     complete after {{[0-9]+}} "for (int k = 0; k < n; ++k) sum += k;"

double of_members(int n) {
  Rows halo{std::vector<double>(9), std::vector<double>(9)}, edge = halo;
  View view{halo.last.data()};
  double sum = 0;
  @communicate { halo.first@(i + 1) % world.size() <<= edge.last@i where i in world }
  for (int k = 0; k < n; ++k) sum += view.first[k];
  return sum + halo.first[0];
}
// CHECK-NEXT: split block 21 of of_members: no, of 'halo', kanorc does not understand how it is used

double of_own_members(int n) {
  Rows halo{std::vector<double>(9), std::vector<double>(9)}, edge = halo;
  View view{};
  double one = 0, sum = 0;
  @communicate {
    halo.first@(i + 1) % world.size() <<= edge.last@i where i in world;
    one@1 <<= 2.0@0
  }
  for (int k = 0; k < n; ++k) sum += k;
  view.first = &sum;
  return sum + halo.first[0] + one + *view.first;
}
// CHECK-NEXT: split block 22 of of_own_members
// CHECK-NEXT:     complete after {{[0-9]+}} "view.first = &sum;"

struct Reference {
  double& other;
};
double through_member(int n) {
  double got = 0, sum = 0;
  Reference to{got};
  @communicate { to.other@1 <<= 1.0@0 }
  for (int k = 0; k < n; ++k) sum += got;
  return sum;
}
// CHECK-NEXT: split block 23 of through_member: no, 'to' may have parts elsewhere, or run functions of the program

double shared(int n, int steps) {
  std::vector<double> A(n), B(n), inner(1000, 1.0);
  double sum = 0;
  for (int t = 0; t < steps; ++t) {
    for (int k = 0; k < n; ++k) B[k] = t;
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    raise(inner);
    sum += A[0];
  }
  return sum;
}
// CHECK-NEXT: split block 24 of shared: no, 'A' is shared instead of copied

double value_of_all() { return global; }
double calls_function(int n) {
  double got = 0, sum = 0;
  for (int k = 0; k < n; ++k) sum += k;
  @communicate { got@1 <<= value_of_all()@0 }
  return sum + got;
}
// CHECK-NEXT: split block 25 of calls_function: no, a function of the program is called here "value_of_all()"

double larger(double a, double b) { return a < b ? b + global : a; }
double folds_by_function(int n) {
  double got = 0, sum = 0;
  @communicate { got@1 << larger << 1.0@0 }
  for (int k = 0; k < n; ++k) sum += k;
  return sum + got;
}
// CHECK-NEXT: split block 26 of folds_by_function: no, a function of the program runs when it is complete "larger"

struct Numbers {
  int* begin() const;
  int* end() const;
};
double of_other_range(const Numbers& numbers) {
  double got = 0, sum = 0;
  @communicate { got@1 <<= 1.0@0 }
  for (int one : numbers) sum += one;
  return sum + got;
}
// CHECK-NEXT: split block 27 of of_other_range: no, kanorc does not know what this loop's range does

struct Scaled {
  double factor;
  operator double() const { return factor * global; }
};
double converts(int n) {
  double got = 0, sum = 0;
  Scaled mine{2};
  @communicate { got@1 <<= mine@0 }
  for (int k = 0; k < n; ++k) sum += k;
  return sum + got;
}
// CHECK-NEXT: split block 28 of converts: no, kanorc does not know what runs when this value is assigned "mine"

struct Packed {
  int number = 0;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(number);
  }
};
double unpacks(int n) {
  Packed got, mine;
  double sum = 0;
  @communicate { got@1 <<= mine@0 }
  for (int k = 0; k < n; ++k) sum += k;
  return sum + got.number;
}
// CHECK-NEXT: split block 29 of unpacks: no, 'got' may have parts elsewhere, or run functions of the program

double prints_first(int n) {
  std::vector<double> inner(n);
  double got = 0, sum = 0;
  @communicate { got@1 <<= 1.0@0 }
  for (std::puts("first"); double one : inner) sum += one;
  return sum + got;
}
// CHECK-NEXT: split block 30 of prints_first: no, 'puts' is called, which may send or wait

double hands_over(int n) {
  std::vector<std::vector<double>> got, mine(n);
  double sum = 0;
  @communicate { got@1 <<= mine@0 }
  for (int k = 0; k < n; ++k) sum += k;
  return sum + static_cast<double>(got.size());
}
// CHECK-NEXT: split block 31 of hands_over: no, 'mine' changes hands "mine"

double without_braces(int n) {
  double got = 0, sum = 0;
  if (n > 0) @communicate { got@1 <<= 1.0@0 }
  for (int k = 0; k < n; ++k) sum += k;
  return sum + got;
}
// CHECK-NEXT: split block 32 of without_braces: no, nothing can be put beside it

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

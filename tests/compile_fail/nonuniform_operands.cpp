// RUN: %kanorc -c %s -o %t.o 2>&1 | %check_output
// KIND: nonuniform
// What operands change: whether they are evaluated at all may be decided by another operand.
#include <kanor/kanor.hpp>

#include <iterator>
#include <vector>

using kanor::world;

static int next(int& from) { return from = world.rank(); }

void f() {
  int x = 0, a = 0, b = 0, c = 0, d = 0, e = 0, g = 0, h = 0;
  const bool some = world.rank() % 2 == 1;
  some && (a = 1);
  @communicate { x@a <<= 1@0 }
// CHECK:{{.*}}nonuniform_operands.cpp:[[@LINE-1]]:20: warning: 'a' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_operands.cpp:[[@LINE-3]]:3: note: the value of 'a' depends on 'some'
  some ? (void)(b = 1) : (void)0;
  @communicate { x@b <<= 1@0 }
// CHECK:{{.*}}nonuniform_operands.cpp:[[@LINE-1]]:20: warning: 'b' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_operands.cpp:[[@LINE-3]]:3: note: the value of 'b' depends on 'some'
  [[maybe_unused]] const bool either = some || (c = 1);
  @communicate { x@c <<= 1@0 }
// CHECK:{{.*}}nonuniform_operands.cpp:[[@LINE-1]]:20: warning: 'c' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_operands.cpp:[[@LINE-3]]:40: note: the value of 'c' depends on 'some'
  if (some and ++d) x = 1;
  @communicate { x@d <<= 1@0 }
// CHECK:{{.*}}nonuniform_operands.cpp:[[@LINE-1]]:20: warning: 'd' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_operands.cpp:[[@LINE-3]]:7: note: the value of 'd' depends on 'some'
  if ((e = world.rank()) > 1) x = 1;
  @communicate { x@e <<= 1@0 }
// CHECK:{{.*}}nonuniform_operands.cpp:[[@LINE-1]]:20: warning: 'e' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_operands.cpp:[[@LINE-3]]:12: note: 'e' was assigned 'world.rank()' here
  while (next(g) > 5 && (h += world.rank()) < 3) x = 1;
  @communicate { x@h <<= 1@0 }
// CHECK:{{.*}}nonuniform_operands.cpp:[[@LINE-1]]:20: warning: 'h' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
}

void what_all_decide_alike(int& kept) {
  int x = 0, a = 0, b = 0, k = 0;
  const bool all = world.size() % 2 == 1;
  all && (a = 1);
  b = (x = world.rank()) - x;
  all ? (void)(b = 2) : (void)++b;
  b = 1;
  while ((k += 1) < world.size() && (all || ++a < 3)) kept += k;
  @communicate { x@a <<= 1@k; x@b <<= 1@0 }
}

void where_iterators_are() {
  int x = 0;
  std::vector<int> v(9, 1);
  auto all = v.begin(), own = v.begin();
  std::advance(all, 2);
  @communicate { x@*all <<= 1@0 }
  std::advance(own, world.rank());
  @communicate { x@*own <<= 1@0 }
// CHECK:{{.*}}nonuniform_operands.cpp:[[@LINE-1]]:21: warning: 'own' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

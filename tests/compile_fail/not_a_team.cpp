// RUN: %check_diagnostics
// What stands behind 'team =' is a kanor::team.
#include <kanor/kanor.hpp>
#include <vector>

struct Named : kanor::team {};

void f(int n, std::vector<int> members, kanor::grid<2> g, const kanor::team& t, Named named) {
  int a = 0;
  @communicate (team = n) { a@0 <<= a@1 }
// CHECK:{{.*}}not_a_team.cpp:[[@LINE-1]]:24: error: a block's team must be a 'kanor::team', but 'n' has type 'int'
// CHECK-NEXT:  @communicate (team = n) { a@0 <<= a@1 }
// CHECK-NEXT:                       ^
  @communicate (copy, team = members) { a@0 <<= a@1 }
// CHECK:{{.*}}not_a_team.cpp:[[@LINE-1]]:30: error: a block's team must be a 'kanor::team', but 'members' has type 'std::vector<int>'
// CHECK-NEXT:  @communicate (copy, team = members) { a@0 <<= a@1 }
// CHECK-NEXT:                             ^~~~~~~
  @communicate (team = g) { a@0 <<= a@1 }
// CHECK:{{.*}}not_a_team.cpp:[[@LINE-1]]:24: error: a block's team must be a 'kanor::team', but 'g' has type 'kanor::grid<2>'
// CHECK-NEXT:  @communicate (team = g) { a@0 <<= a@1 }
// CHECK-NEXT:                       ^
// CHECK-NEXT:kanorc: note: a grid's team is 'g.team()'
  KANOR_COMMUNICATE((team = t.size()), a@0 <<= a@1);
// CHECK:{{.*}}not_a_team.cpp:[[@LINE-1]]:29: error: a block's team must be a 'kanor::team', but 't.size()' has type 'int'
// CHECK-NEXT:  KANOR_COMMUNICATE((team = t.size()), a@0 <<= a@1);
// CHECK-NEXT:                            ^~~~~~~~
  @communicate (team = t) { a@0 <<= a@1 }
  @communicate (team = world) { a@0 <<= a@1 }
  @communicate (team = g.team()) { a@0 <<= a@1 }
  @communicate (team = named) { a@0 <<= a@1 }
}

template <class T>
void generic(const T& t) {
  int a = 0;
  @communicate (team = t) { a@0 <<= a@1 }
// CHECK:{{.*}}not_a_team.cpp:[[@LINE-1]]:24: error: a block's team must be a 'kanor::team', but 't' has type 'double'
// CHECK-NEXT:  @communicate (team = t) { a@0 <<= a@1 }
// CHECK-NEXT:                       ^
// CHECK-NEXT:{{.*}}not_a_team.cpp:[[@LINE+7]]:3: note: in the instantiation 'generic<double>', which is needed here
// CHECK-NEXT:  generic(1.5);
// CHECK-NEXT:  ^~~~~~~
}

void instantiations() {
  generic(kanor::world);
  generic(1.5);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %kanorc -Wno-kanor-nonuniform -c %s -o %t.o 2>&1 | %check_output
// A name that is bound beside others hides a bool: perhaps it was meant as a filter.
#include <kanor/kanor.hpp>

using kanor::world;

bool odd = false;

struct Grid {
  bool has_ghosts = true;
  int cell = 0, corner = 0;
  void exchange() {
    @communicate { corner@i << + << cell@0 where has_ghosts, i in world }
// CHECK:{{.*}}hides_filter.cpp:[[@LINE-1]]:50: warning: 'has_ghosts' is bound to the elements of the set, and hides a variable [-Wkanor-hides-filter]
// CHECK-NEXT:    @communicate { corner@i << + << cell@0 where has_ghosts, i in world }
// CHECK-NEXT:                                                 ^~~~~~~~~~
// CHECK-NEXT:{{.*}}hides_filter.cpp:10:8: note: the variable is declared here
// CHECK-NEXT:  bool has_ghosts = true;
// CHECK-NEXT:       ^~~~~~~~~~
// CHECK-NEXT:kanorc: note: if 'has_ghosts' is a filter, write '(has_ghosts)'
  }
};

template <class T>
void spread(T& a, const T& b) {
  const bool active = world.size() > 1;
  @communicate { a@i << + << b@0 where active, i in world }
// CHECK:{{.*}}hides_filter.cpp:[[@LINE-1]]:40: warning: 'active' is bound to the elements of the set, and hides a variable [-Wkanor-hides-filter]
// CHECK-NEXT:  @communicate { a@i << + << b@0 where active, i in world }
// CHECK-NEXT:                                       ^~~~~~
// CHECK-NEXT:{{.*}}hides_filter.cpp:[[@LINE-5]]:14: note: the variable is declared here
// CHECK-NEXT:  const bool active = world.size() > 1;
// CHECK-NEXT:             ^~~~~~
// CHECK-NEXT:kanorc: note: if 'active' is a filter, write '(active)'
}

void others(int a, int b, bool active, int k) {
  // A filter, names of another type, the last name of a generator, and a name that is bound alone.
  @communicate { a@i <<= b@0 where (active), i in world }
  @communicate { a@i <<= b@0 where k, i in {0 ... 0} }
  @communicate { a@active <<= b@0 where active in world }
  @communicate { a@active <<= b@0 where i, active in {0 ... 0} }
  @communicate { a@i << + << b@0 where odd, i in world }
// CHECK:{{.*}}hides_filter.cpp:[[@LINE-1]]:40: warning: 'odd' is bound to the elements of the set, and hides a variable [-Wkanor-hides-filter]
  auto inner = [&](bool given) {
    @communicate { a@i << + << b@0 where given, i in world }
// CHECK:{{.*}}hides_filter.cpp:[[@LINE-1]]:42: warning: 'given' is bound to the elements of the set, and hides a variable [-Wkanor-hides-filter]
    @communicate { a@i << + << b@0 where active, i in world }
// CHECK:{{.*}}hides_filter.cpp:[[@LINE-1]]:42: warning: 'active' is bound to the elements of the set, and hides a variable [-Wkanor-hides-filter]
  };
  inner(active);
}

int main() {
  int a = 0;
  spread(a, a);
  others(a, a, true, 1);
  Grid().exchange();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

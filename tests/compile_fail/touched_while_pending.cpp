// RUN: %check_diagnostics
// Places that are read or written, and values that are written, while an exchange is sure to be pending.
#include <kanor/kanor.hpp>

#include <cstdio>
#include <vector>

using kanor::world;
int use(int value);
void fill(int& into);

void f(int me, int n, int mine, bool again) {
  int left = 0, right = 0, table[4] = {};
  std::vector<int> v(4), w(4);
  {
    @communicate (async = x) { left@(i + 1) % world.size() <<= mine@i where i in world }
    std::printf("%d\n", left);
// CHECK:{{.*}}touched_while_pending.cpp:[[@LINE-1]]:25: error: 'left' is read while the exchange 'x', which updates it, is pending
// CHECK-NEXT:    std::printf("%d\n", left);
// CHECK-NEXT:                        ^~~~
// CHECK-NEXT:{{.*}}touched_while_pending.cpp:[[@LINE-5]]:32: note: 'x' updates this
// CHECK-NEXT:    @communicate (async = x) { left@(i + 1) % world.size() <<= mine@i where i in world }
// CHECK-NEXT:                               ^~~~
// CHECK-NEXT:kanorc: note: call x.wait() first
    x.wait();
  }
  {
    @communicate (async = x) { left@0 <<= mine@1 }
    mine += 2;
// CHECK:{{.*}}touched_while_pending.cpp:[[@LINE-1]]:5: error: 'mine' is written while the exchange 'x', which sends it, is pending
// CHECK-NEXT:    mine += 2;
// CHECK-NEXT:    ^~~~
// CHECK-NEXT:{{.*}}touched_while_pending.cpp:[[@LINE-5]]:43: note: 'x' sends this
// CHECK-NEXT:    @communicate (async = x) { left@0 <<= mine@1 }
// CHECK-NEXT:                                          ^~~~
// CHECK-NEXT:kanorc: note: call x.wait() first
    x.wait();
  }
  {
    @communicate (async = x) { v@0 <<= w@1; table@1 <<= table@0 }
    v[n] = 3;
// CHECK:{{.*}}touched_while_pending.cpp:[[@LINE-1]]:5: error: 'v' is written while the exchange 'x', which updates it, is pending
// CHECK-NEXT:    v[n] = 3;
// CHECK-NEXT:    ^~~~
// CHECK-NEXT:{{.*}}touched_while_pending.cpp:[[@LINE-5]]:32: note: 'x' updates this
// CHECK-NEXT:    @communicate (async = x) { v@0 <<= w@1; table@1 <<= table@0 }
// CHECK-NEXT:                               ^
// CHECK-NEXT:kanorc: note: call x.wait() first
    if (table[2] > 0) use(1);
// CHECK:{{.*}}touched_while_pending.cpp:[[@LINE-1]]:9: error: 'table' is read while the exchange 'x', which updates it, is pending
// CHECK-NEXT:    if (table[2] > 0) use(1);
// CHECK-NEXT:        ^~~~~~~~
// CHECK-NEXT:{{.*}}touched_while_pending.cpp:[[@LINE-13]]:45: note: 'x' updates this
// CHECK-NEXT:    @communicate (async = x) { v@0 <<= w@1; table@1 <<= table@0 }
// CHECK-NEXT:                                            ^~~~~
// CHECK-NEXT:kanorc: note: call x.wait() first
    w.push_back(1);
// CHECK:{{.*}}touched_while_pending.cpp:[[@LINE-1]]:5: error: 'w' is written while the exchange 'x', which sends it, is pending
// CHECK-NEXT:    w.push_back(1);
// CHECK-NEXT:    ^
// CHECK-NEXT:{{.*}}touched_while_pending.cpp:[[@LINE-21]]:40: note: 'x' sends this
// CHECK-NEXT:    @communicate (async = x) { v@0 <<= w@1; table@1 <<= table@0 }
// CHECK-NEXT:                                       ^
// CHECK-NEXT:kanorc: note: call x.wait() first
    x.wait();
  }
  {
    // After the wait, on some ranks, or perhaps.
    @communicate (async = x) { left@0 <<= mine@1; v@n <<= w@0; right@1 <<= 2@0 }
    if (me == 2) left = 3;
    auto* address = &left;
    const auto later = [&] { return left; };
    fill(right);
    if (again) ++right;
    int y = mine + sizeof(left) + table[1];
    while (y > 3) y -= left;
    use(w[0] + v.size());
    x.wait();
    left = *address + later() + right;
  }
  {
    @communicate (async = x) { left@0 <<= mine@1 }
    if (me == 0) return;
    left = 3;
    x.wait();
  }
  @communicate (async = x) { left@i <<= mine@0 where i in world, i > me }
  use(left);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

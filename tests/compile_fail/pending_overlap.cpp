// RUN: %check_diagnostics
// KIND: conflict, waited_twice
// Exchanges that are certain to be pending when a block updates what they are to update, and waits that are certain to be
// second ones. What a branch, a jump, a pointer or a name passed on may have changed is left to the run.
#include <kanor/kanor.hpp>
#include <utility>
#include <vector>

struct Halo {
  std::vector<int> inner, outer;
};

void overlap(int a, int b, std::vector<int> v, Halo halo) {
  @communicate (async = p) { a@0 <<= b@1; v@2 <<= v@1; halo.outer@1 <<= halo.inner@0 }
  @communicate (async = q) { b@0 <<= a@1; a@0 <<= b@2 }
// CHECK:{{.*}}pending_overlap.cpp:[[@LINE-1]]:43: error: 'a' of rank 0 is updated while the exchange 'p', which updates it too, is pending
// CHECK-NEXT:  @communicate (async = q) { b@0 <<= a@1; a@0 <<= b@2 }
// CHECK-NEXT:                                          ^
// CHECK-NEXT:{{.*}}pending_overlap.cpp:[[@LINE-5]]:30: note: 'p' updates this
// CHECK-NEXT:  @communicate (async = p) { a@0 <<= b@1; v@2 <<= v@1; halo.outer@1 <<= halo.inner@0 }
// CHECK-NEXT:                             ^
// CHECK-NEXT:kanorc: note: call p.wait() before this block
  @communicate { v[3]@2 <<= b@0; halo.inner@1 <<= halo.inner@2 }
// CHECK:{{.*}}pending_overlap.cpp:[[@LINE-1]]:18: error: 'v[3]' of rank 2 is updated while the exchange 'p', which updates 'v', is pending
// CHECK-NEXT:  @communicate { v[3]@2 <<= b@0; halo.inner@1 <<= halo.inner@2 }
// CHECK-NEXT:                 ^~~~
// CHECK-NEXT:{{.*}}pending_overlap.cpp:[[@LINE-13]]:43: note: 'p' updates this
// CHECK-NEXT:  @communicate (async = p) { a@0 <<= b@1; v@2 <<= v@1; halo.outer@1 <<= halo.inner@0 }
// CHECK-NEXT:                                          ^
// CHECK-NEXT:kanorc: note: call p.wait() before this block
  KANOR_COMMUNICATE(halo.outer[0 : 2]@1 <<= v[0 : 2]@0);
// CHECK:{{.*}}pending_overlap.cpp:[[@LINE-1]]:21: error: 'halo.outer[0 : 2]' of rank 1 is updated while the exchange 'p', which updates 'halo.outer', is pending
// CHECK-NEXT:  KANOR_COMMUNICATE(halo.outer[0 : 2]@1 <<= v[0 : 2]@0);
// CHECK-NEXT:                    ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}pending_overlap.cpp:[[@LINE-21]]:56: note: 'p' updates this
// CHECK-NEXT:  @communicate (async = p) { a@0 <<= b@1; v@2 <<= v@1; halo.outer@1 <<= halo.inner@0 }
// CHECK-NEXT:                                                       ^~~~~~~~~~
// CHECK-NEXT:kanorc: note: call p.wait() before this block
  q.wait();
  @communicate { b@0 << + << a@i where i in world }
  p.wait();
  @communicate { a@0 <<= b@1 }
}

template <class T>
T in_template(T mine) {
  T got{};
  @communicate (async = started) { got@0 <<= mine@1 }
  {
    @communicate { got@1 <<= mine@0 }
  }
  @communicate { got@0 <<= mine@2 }
// CHECK:{{.*}}pending_overlap.cpp:[[@LINE-1]]:18: error: 'got' of rank 0 is updated while the exchange 'started', which updates it too, is pending
// CHECK-NEXT:  @communicate { got@0 <<= mine@2 }
// CHECK-NEXT:                 ^~~
// CHECK-NEXT:{{.*}}pending_overlap.cpp:[[@LINE-8]]:36: note: 'started' updates this
// CHECK-NEXT:  @communicate (async = started) { got@0 <<= mine@1 }
// CHECK-NEXT:                                   ^~~
// CHECK-NEXT:kanorc: note: call started.wait() before this block
  started.wait();
  return got;
}
template int in_template<int>(int);

void twice(int a, int b) {
  @communicate (async = p) { a@0 <<= b@1 }
  p.wait();
  a = b;
  p.wait();
// CHECK:{{.*}}pending_overlap.cpp:[[@LINE-1]]:3: error: 'p' has already been waited for
// CHECK-NEXT:  p.wait();
// CHECK-NEXT:  ^~~~~~~~
// CHECK-NEXT:{{.*}}pending_overlap.cpp:[[@LINE-6]]:3: note: first wait here
// CHECK-NEXT:  p.wait();
// CHECK-NEXT:  ^~~~~~~~
// CHECK-NEXT:kanorc: note: the first wait ends the exchange
  const auto exchange = [&] {
    @communicate (async = p) { a@0 <<= b@1 }
    p.wait();
    p.wait();
// CHECK:{{.*}}pending_overlap.cpp:[[@LINE-1]]:5: error: 'p' has already been waited for
// CHECK-NEXT:    p.wait();
// CHECK-NEXT:    ^~~~~~~~
// CHECK-NEXT:{{.*}}pending_overlap.cpp:[[@LINE-5]]:5: note: first wait here
// CHECK-NEXT:    p.wait();
// CHECK-NEXT:    ^~~~~~~~
// CHECK-NEXT:kanorc: note: the first wait ends the exchange
  };
  exchange();
}

void keep(kanor::pending&);
bool more();

// None of it, or none that is sure.
void fine(int a, int b, int (&c)[4], int* d, int n, kanor::team t, std::vector<int> v) {
  @communicate (async = p) { a@0 <<= b@1; c[1]@0 <<= b@2; d[0]@0 <<= b@1; v[n]@1 <<= b@2 }
  @communicate { a@1 <<= b@0; c[2]@0 <<= b@1 }
  ++d;
  n = 2;
  @communicate { d[0]@0 <<= b@1; v[n]@1 <<= b@0; c[1]@0 <<= b@1 }
  @communicate (team = t) { a@0 <<= b@0 }
  @communicate { a@i <<= b@i where i in world, i > 0 }
  if (more()) p.wait();
  @communicate { a@0 <<= b@1 }
  for (int k = 0; k < 2; ++k) {
    @communicate (async = q) { b@0 <<= a@1 }
    q.wait();
  }
  @communicate (async = q) { b@0 <<= a@1 }
  keep(q);
  @communicate { b@0 <<= a@2 }
  @communicate (async = r) { a@2 <<= b@1 }
  if (more()) goto end;
  r.wait();
end:
  r.wait();
  @communicate (async = s) { a@3 <<= b@1 }
  const auto end_it = [&s] { s.wait(); };
  end_it();
  @communicate { a@3 <<= b@2 }
  @communicate (async = u) { a@4 <<= b@1 }
  kanor::pending moved = std::move(u);
  moved.wait();
  @communicate { a@4 <<= b@2 }
  @communicate (async = w) { a@5 <<= b@1 }
  w.wait();
  w = std::move(moved);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %kanorc -c %s -o %t.o 2>&1 | %check_output
// RUN: %kanorc -Wno-kanor-nonuniform -Werror -c %s -o %t.o
// RUN: %not %kanorc -Werror=kanor-nonuniform -c %s -o %t.o 2> %t.error
// RUN: %FileCheck --check-prefix=ERROR %s < %t.error
// ERROR: error: 'me' in a rank expression depends on the rank, but must be the same on all ranks [-Werror=kanor-nonuniform]
// RUN: %kanorc -Werror=kanor-nonuniform -Wno-error=kanor-nonuniform -c %s -o %t.o
// Values that every rank must find alike, where it is not certain: each with what led there.
#include <kanor/kanor.hpp>

#include <cstdlib>
#include <vector>

using kanor::world;
int measure();
void refill(std::vector<int>& list);
int counter = 0;

static int nearest(int from) { return from / 2; }
static void shift(int by) {
  int x = 0, y = 0;
  @communicate { x@i <<= y@i where i in world, by > 0 }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:48: warning: 'by' in a filter depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@i <<= y@i where i in world, by > 0 }
// CHECK-NEXT:                                               ^~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE+127]]:9: note: the parameter 'by' is 'me' in this call
// CHECK-NEXT:  shift(me);
// CHECK-NEXT:        ^~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE+26]]:18: note: 'me' was assigned 'world.rank()' here
// CHECK-NEXT:  const int me = world.rank();
// CHECK-NEXT:                 ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: broadcast it first, or use 'knows = sender' if only the senders know it
}

static void together() {
  int x = 0, y = 0;
  @communicate { x@0 <<= y@1 }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:3: warning: some ranks may not reach this block: control flow depends on the rank [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@0 <<= y@1 }
// CHECK-NEXT:  ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE+152]]:16: note: it is called here
// CHECK-NEXT:  if (me == 1) together();
// CHECK-NEXT:               ^~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE+149]]:7: note: whether a rank comes here depends on 'me == 1'
// CHECK-NEXT:  if (me == 1) together();
// CHECK-NEXT:      ^~~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE+8]]:18: note: 'me' was assigned 'world.rank()' here
// CHECK-NEXT:  const int me = world.rank();
// CHECK-NEXT:                 ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: all ranks must execute the block: choose the senders and receivers with sets and filters, or use 'team ='
}

void f(int count) {
  int x = 0, y = 0;
  const int me = world.rank();
  @communicate { x@me <<= y@0 }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:20: warning: 'me' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@me <<= y@0 }
// CHECK-NEXT:                   ^~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-5]]:18: note: 'me' was assigned 'world.rank()' here
// CHECK-NEXT:  const int me = world.rank();
// CHECK-NEXT:                 ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: for each rank itself, bind a name: '@i' and 'where i in world'
// CHECK-NEXT:kanorc: note: broadcast it first, or use 'knows = sender' if only the senders know it
  int root = me + 1;
  @communicate { x@i <<= y@root where i in {0 ... root} }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:51: warning: 'root' in a set depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@i <<= y@root where i in {0 ... root} }
// CHECK-NEXT:                                                  ^~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-5]]:14: note: 'root' was assigned 'me + 1' here
// CHECK-NEXT:  int root = me + 1;
// CHECK-NEXT:             ^~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-18]]:18: note: 'me' was assigned 'world.rank()' here
// CHECK-NEXT:  const int me = world.rank();
// CHECK-NEXT:                 ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: broadcast it first, or use 'knows = sender' if only the senders know it
  @communicate { x@i <<= y@i where i in world, let b = world.rank() + i, b > 0 }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:56: warning: 'world.rank()' in a 'let' depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@i <<= y@i where i in world, let b = world.rank() + i, b > 0 }
// CHECK-NEXT:                                                       ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: broadcast it first, or use 'knows = sender' if only the senders know it

  int chosen = 0;
  if (me > 2) chosen = 1;
  @communicate { x@chosen <<= y@0 }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:20: warning: 'chosen' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@chosen <<= y@0 }
// CHECK-NEXT:                   ^~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-5]]:7: note: the value of 'chosen' depends on 'me > 2'
// CHECK-NEXT:  if (me > 2) chosen = 1;
// CHECK-NEXT:      ^~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-37]]:18: note: 'me' was assigned 'world.rank()' here
// CHECK-NEXT:  const int me = world.rank();
// CHECK-NEXT:                 ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: broadcast it first, or use 'knows = sender' if only the senders know it

  @communicate { x@count <<= y@0 }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:20: warning: 'count' in a rank expression may differ between ranks, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@count <<= y@0 }
// CHECK-NEXT:                   ^~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-48]]:12: note: 'count' is a parameter of a function that other files may call
// CHECK-NEXT:void f(int count) {
// CHECK-NEXT:           ^~~~~
// CHECK-NEXT:kanorc: note: if it is the same on all ranks, declare it '{{\[\[}}kanor::uniform]]'
  @communicate { x@measure() <<= y@counter }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:20: warning: 'measure()' in a rank expression may differ between ranks, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@measure() <<= y@counter }
// CHECK-NEXT:                   ^~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-4]]:20: note: the result of 'measure()' may differ between ranks
// CHECK-NEXT:  @communicate { x@measure() <<= y@counter }
// CHECK-NEXT:                   ^~~~~~~~~
// CHECK-NEXT:kanorc: note: if it is the same on all ranks, declare it '{{\[\[}}kanor::uniform]]'
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-8]]:36: warning: 'counter' in a rank expression may differ between ranks, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@measure() <<= y@counter }
// CHECK-NEXT:                                   ^~~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-99]]:5: note: other files may change 'counter'
// CHECK-NEXT:int counter = 0;
// CHECK-NEXT:    ^~~~~~~
// CHECK-NEXT:kanorc: note: if it is the same on all ranks, declare it '{{\[\[}}kanor::uniform]]'

  std::vector<int> list(3);
  refill(list);
  @communicate { x@i <<= y@i where i in list }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:41: warning: 'list' in a set may differ between ranks, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@i <<= y@i where i in list }
// CHECK-NEXT:                                        ^~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-5]]:3: note: 'list' may be changed by this call
// CHECK-NEXT:  refill(list);
// CHECK-NEXT:  ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-8]]:3: note: the result of 'refill(list)' may differ between ranks
// CHECK-NEXT:  refill(list);
// CHECK-NEXT:  ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: if it is the same on all ranks, declare it '{{\[\[}}kanor::uniform]]'

  const int half = nearest(me);
  @communicate { x@half <<= y@0 }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:20: warning: 'half' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@half <<= y@0 }
// CHECK-NEXT:                   ^~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-5]]:20: note: 'half' was assigned 'nearest(me)' here
// CHECK-NEXT:  const int half = nearest(me);
// CHECK-NEXT:                   ^~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-124]]:39: note: 'nearest()' returns 'from / 2' here
// CHECK-NEXT:static int nearest(int from) { return from / 2; }
// CHECK-NEXT:                                      ^~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-11]]:28: note: the parameter 'from' is 'me' in this call
// CHECK-NEXT:  const int half = nearest(me);
// CHECK-NEXT:                           ^~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-94]]:18: note: 'me' was assigned 'world.rank()' here
// CHECK-NEXT:  const int me = world.rank();
// CHECK-NEXT:                 ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: broadcast it first, or use 'knows = sender' if only the senders know it
  shift(me);

  int got = 0;
  @communicate { got@0 <<= y@1 }
  @communicate { x@got <<= y@0 }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:20: warning: 'got' in a rank expression may differ between ranks, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@got <<= y@0 }
// CHECK-NEXT:                   ^~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-5]]:18: note: 'got' is received here, but not all ranks receive the same value
// CHECK-NEXT:  @communicate { got@0 <<= y@1 }
// CHECK-NEXT:                 ^~~
// CHECK-NEXT:kanorc: note: if it is the same on all ranks, declare it '{{\[\[}}kanor::uniform]]'

  const kanor::team row = world.split(me % 2, 0);
  @communicate { x@row.size() - 1 <<= y@0 }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:20: warning: 'row.size()' in a rank expression is the same only within the team 'row', which is not this block's team [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@row.size() - 1 <<= y@0 }
// CHECK-NEXT:                   ^~~~~~~~~~

  int* place = &x;
  @communicate { x@0 <<= y@0 where reinterpret_cast<long>(place) % 2 == 0 }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:36: warning: 'reinterpret_cast<long>(place)' in a filter may differ between ranks, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@0 <<= y@0 where reinterpret_cast<long>(place) % 2 == 0 }
// CHECK-NEXT:                                   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-4]]:36: note: 'reinterpret_cast<long>(place)' is an address, which differs between ranks
// CHECK-NEXT:  @communicate { x@0 <<= y@0 where reinterpret_cast<long>(place) % 2 == 0 }
// CHECK-NEXT:                                   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: if it is the same on all ranks, declare it '{{\[\[}}kanor::uniform]]'

  if (me == 0) @communicate { x@0 <<= y@1 }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:16: warning: some ranks may not reach this block: control flow depends on the rank [-Wkanor-nonuniform]
// CHECK-NEXT:  if (me == 0) @communicate { x@0 <<= y@1 }
// CHECK-NEXT:               ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-4]]:7: note: whether a rank comes here depends on 'me == 0'
// CHECK-NEXT:  if (me == 0) @communicate { x@0 <<= y@1 }
// CHECK-NEXT:      ^~~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-134]]:18: note: 'me' was assigned 'world.rank()' here
// CHECK-NEXT:  const int me = world.rank();
// CHECK-NEXT:                 ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: all ranks must execute the block: choose the senders and receivers with sets and filters, or use 'team ='
  if (me == 1) together();
  for (int k = 0; k < std::rand(); ++k) @communicate { x@0 <<= y@1 }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:41: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
}

static std::vector<int> from_all(const int& own) {
  std::vector<int> all(static_cast<std::size_t>(world.size()));
  @communicate { all[static_cast<std::size_t>(i)]@j <<= own@i where i, j in world }
  return all;
}
static std::vector<int> copies(const int& own) { return {own, own}; }

void loops_over_results(int x) {
  int common = 0, different = 0;
  for (const int one : from_all(world.rank())) common += one;
  if (common > 3) @communicate { x@0 <<= x@1 }
// CHECK-NOT:{{.*}}warning{{.*}}
  for (const int one : copies(world.rank())) different += one;
  if (different > 3) @communicate { x@0 <<= x@1 }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:22: warning: some ranks may not reach this block: control flow depends on the rank [-Wkanor-nonuniform]
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

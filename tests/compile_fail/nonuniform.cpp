// RUN: %kanorc -c %s -o %t.o 2>&1 | %check_output
// RUN: %kanorc -Wno-kanor-nonuniform -Werror -c %s -o %t.o
// RUN: %not %kanorc -Werror=kanor-nonuniform -c %s -o %t.o 2> %t.error
// RUN: %FileCheck --check-prefix=ERROR %s < %t.error
// ERROR: error: 'me' in a rank expression depends on the rank, and must be the same on all ranks [-Werror=kanor-nonuniform]
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
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:48: warning: 'by' in a filter depends on the rank, and must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@i <<= y@i where i in world, by > 0 }
// CHECK-NEXT:                                               ^~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE+126]]:9: note: the parameter 'by' is 'me' in this call
// CHECK-NEXT:  shift(me);
// CHECK-NEXT:        ^~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE+26]]:18: note: 'me' was assigned 'world.rank()' here
// CHECK-NEXT:  const int me = world.rank();
// CHECK-NEXT:                 ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: what one rank knows can be broadcast first; where only the senders know it: 'knows = sender'
}

static void together() {
  int x = 0, y = 0;
  @communicate { x@0 <<= y@1 }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:3: warning: not all ranks reach this block: whether they do depends on the rank [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@0 <<= y@1 }
// CHECK-NEXT:  ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE+151]]:16: note: it is called here
// CHECK-NEXT:  if (me == 1) together();
// CHECK-NEXT:               ^~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE+148]]:7: note: which ranks come here depends on 'me == 1'
// CHECK-NEXT:  if (me == 1) together();
// CHECK-NEXT:      ^~~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE+8]]:18: note: 'me' was assigned 'world.rank()' here
// CHECK-NEXT:  const int me = world.rank();
// CHECK-NEXT:                 ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: all ranks execute the same blocks; who takes part is said by filters and sets, or by 'team ='
}

void f(int count) {
  int x = 0, y = 0;
  const int me = world.rank();
  @communicate { x@me <<= y@0 }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:20: warning: 'me' in a rank expression depends on the rank, and must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@me <<= y@0 }
// CHECK-NEXT:                   ^~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-5]]:18: note: 'me' was assigned 'world.rank()' here
// CHECK-NEXT:  const int me = world.rank();
// CHECK-NEXT:                 ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: what one rank knows can be broadcast first; where only the senders know it: 'knows = sender'
  int root = me + 1;
  @communicate { x@i <<= y@root where i in {0 ... root} }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:51: warning: 'root' in a set depends on the rank, and must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@i <<= y@root where i in {0 ... root} }
// CHECK-NEXT:                                                  ^~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-5]]:14: note: 'root' was assigned 'me + 1' here
// CHECK-NEXT:  int root = me + 1;
// CHECK-NEXT:             ^~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-17]]:18: note: 'me' was assigned 'world.rank()' here
// CHECK-NEXT:  const int me = world.rank();
// CHECK-NEXT:                 ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: what one rank knows can be broadcast first; where only the senders know it: 'knows = sender'
  @communicate { x@i <<= y@i where i in world, let b = world.rank() + i, b > 0 }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:56: warning: 'world.rank()' in a 'let' depends on the rank, and must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@i <<= y@i where i in world, let b = world.rank() + i, b > 0 }
// CHECK-NEXT:                                                       ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: what one rank knows can be broadcast first; where only the senders know it: 'knows = sender'

  int chosen = 0;
  if (me > 2) chosen = 1;
  @communicate { x@chosen <<= y@0 }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:20: warning: 'chosen' in a rank expression depends on the rank, and must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@chosen <<= y@0 }
// CHECK-NEXT:                   ^~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-5]]:7: note: which value 'chosen' has depends on 'me > 2'
// CHECK-NEXT:  if (me > 2) chosen = 1;
// CHECK-NEXT:      ^~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-36]]:18: note: 'me' was assigned 'world.rank()' here
// CHECK-NEXT:  const int me = world.rank();
// CHECK-NEXT:                 ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: what one rank knows can be broadcast first; where only the senders know it: 'knows = sender'

  @communicate { x@count <<= y@0 }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:20: warning: 'count' in a rank expression is not known to be the same on all ranks, as it must be [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@count <<= y@0 }
// CHECK-NEXT:                   ^~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-47]]:12: note: 'count' is a parameter of a function that other files may call
// CHECK-NEXT:void f(int count) {
// CHECK-NEXT:           ^~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on its declaration asserts that it is
  @communicate { x@measure() <<= y@counter }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:20: warning: 'measure()' in a rank expression is not known to be the same on all ranks, as it must be [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@measure() <<= y@counter }
// CHECK-NEXT:                   ^~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-4]]:20: note: nothing is known of what 'measure()' gives
// CHECK-NEXT:  @communicate { x@measure() <<= y@counter }
// CHECK-NEXT:                   ^~~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on its declaration asserts that it is
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-8]]:36: warning: 'counter' in a rank expression is not known to be the same on all ranks, as it must be [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@measure() <<= y@counter }
// CHECK-NEXT:                                   ^~~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-98]]:5: note: other files may change 'counter'
// CHECK-NEXT:int counter = 0;
// CHECK-NEXT:    ^~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on its declaration asserts that it is

  std::vector<int> list(3);
  refill(list);
  @communicate { x@i <<= y@i where i in list }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:41: warning: 'list' in a set is not known to be the same on all ranks, as it must be [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@i <<= y@i where i in list }
// CHECK-NEXT:                                        ^~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-5]]:3: note: 'list' may be changed by this call
// CHECK-NEXT:  refill(list);
// CHECK-NEXT:  ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-8]]:3: note: nothing is known of what 'refill(list)' gives
// CHECK-NEXT:  refill(list);
// CHECK-NEXT:  ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on its declaration asserts that it is

  const int half = nearest(me);
  @communicate { x@half <<= y@0 }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:20: warning: 'half' in a rank expression depends on the rank, and must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@half <<= y@0 }
// CHECK-NEXT:                   ^~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-5]]:20: note: 'half' was assigned 'nearest(me)' here
// CHECK-NEXT:  const int half = nearest(me);
// CHECK-NEXT:                   ^~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-123]]:39: note: 'nearest()' returns 'from / 2' here
// CHECK-NEXT:static int nearest(int from) { return from / 2; }
// CHECK-NEXT:                                      ^~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-11]]:28: note: the parameter 'from' is 'me' in this call
// CHECK-NEXT:  const int half = nearest(me);
// CHECK-NEXT:                           ^~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-93]]:18: note: 'me' was assigned 'world.rank()' here
// CHECK-NEXT:  const int me = world.rank();
// CHECK-NEXT:                 ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: what one rank knows can be broadcast first; where only the senders know it: 'knows = sender'
  shift(me);

  int got = 0;
  @communicate { got@0 <<= y@1 }
  @communicate { x@got <<= y@0 }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:20: warning: 'got' in a rank expression is not known to be the same on all ranks, as it must be [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@got <<= y@0 }
// CHECK-NEXT:                   ^~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-5]]:18: note: 'got' is received here, and not by all ranks alike
// CHECK-NEXT:  @communicate { got@0 <<= y@1 }
// CHECK-NEXT:                 ^~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on its declaration asserts that it is

  const kanor::team row = world.split(me % 2, 0);
  @communicate { x@row.size() - 1 <<= y@0 }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:20: warning: 'row.size()' in a rank expression is the same within the team 'row' only, and this block's ranks are others [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@row.size() - 1 <<= y@0 }
// CHECK-NEXT:                   ^~~~~~~~~~

  int* place = &x;
  @communicate { x@0 <<= y@0 where reinterpret_cast<long>(place) % 2 == 0 }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:36: warning: 'reinterpret_cast<long>(place)' in a filter is not known to be the same on all ranks, as it must be [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@0 <<= y@0 where reinterpret_cast<long>(place) % 2 == 0 }
// CHECK-NEXT:                                   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-4]]:36: note: 'reinterpret_cast<long>(place)' is an address, which is another one on each rank
// CHECK-NEXT:  @communicate { x@0 <<= y@0 where reinterpret_cast<long>(place) % 2 == 0 }
// CHECK-NEXT:                                   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: '{{\[\[}}kanor::uniform]]' on its declaration asserts that it is

  if (me == 0) @communicate { x@0 <<= y@1 }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:16: warning: not all ranks reach this block: whether they do depends on the rank [-Wkanor-nonuniform]
// CHECK-NEXT:  if (me == 0) @communicate { x@0 <<= y@1 }
// CHECK-NEXT:               ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-4]]:7: note: which ranks come here depends on 'me == 0'
// CHECK-NEXT:  if (me == 0) @communicate { x@0 <<= y@1 }
// CHECK-NEXT:      ^~~~~~~
// CHECK-NEXT:{{.*}}nonuniform.cpp:[[@LINE-133]]:18: note: 'me' was assigned 'world.rank()' here
// CHECK-NEXT:  const int me = world.rank();
// CHECK-NEXT:                 ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: all ranks execute the same blocks; who takes part is said by filters and sets, or by 'team ='
  if (me == 1) together();
  for (int k = 0; k < std::rand(); ++k) @communicate { x@0 <<= y@1 }
// CHECK:{{.*}}nonuniform.cpp:[[@LINE-1]]:41: warning: it is not known that all ranks reach this block, as they must [-Wkanor-nonuniform]
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

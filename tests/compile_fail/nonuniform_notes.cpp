// RUN: %kanorc -c %s -o %t.o 2>&1 | %check_output
// KIND: nonuniform
// Where values that ranks do not share come from: teams, changes in place, exceptions; and what one side alone knows.
#include <kanor/kanor.hpp>

#include <stdexcept>
#include <vector>

#include "Inputs/class_of_several_files.hpp"

using kanor::world;
int measure();

void teams() {
  int x = 0, y = 0;
  const kanor::team half = world.split(world.rank() % 2, 0);
  @communicate { x@half.world_rank(0) <<= y@0 }
// CHECK:{{.*}}nonuniform_notes.cpp:[[@LINE-1]]:20: warning: 'half.world_rank(0)' in a rank expression is the same only within the team 'half', which is not this block's team [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@half.world_rank(0) <<= y@0 }
// CHECK-NEXT:                   ^~~~~~~~~~~~~~~~~~
  @communicate { x@i <<= y@0 where i in half }
// CHECK:{{.*}}nonuniform_notes.cpp:[[@LINE-1]]:41: warning: 'half' in a set is the same only within the team 'half', which is not this block's team [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@i <<= y@0 where i in half }
// CHECK-NEXT:                                        ^~~~
  const int first = half.world_rank(0);
  @communicate { x@first <<= y@0 }
// CHECK:{{.*}}nonuniform_notes.cpp:[[@LINE-1]]:20: warning: 'first' in a rank expression is the same only within the team 'half', which is not this block's team [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@first <<= y@0 }
// CHECK-NEXT:                   ^~~~~
// CHECK-NEXT:{{.*}}nonuniform_notes.cpp:[[@LINE-5]]:21: note: 'first' was assigned 'half.world_rank(0)' here
// CHECK-NEXT:  const int first = half.world_rank(0);
// CHECK-NEXT:                    ^~~~~~~~~~~~~~~~~~
}

void grids() {
  int x = 0, y = 0;
  const kanor::team half = world.split(world.rank() % 2, 0);
  const kanor::grid<2> plane(half, {1, half.size()});
  @communicate (team = plane.team()) { x@plane.neighbor(i, 1, 1) <<= y@i where i in half }
  @communicate { x@plane(0, 0) <<= y@0 }
// CHECK:{{.*}}nonuniform_notes.cpp:[[@LINE-1]]:20: warning: 'plane' in a rank expression is the same only within the team 'half', which is not this block's team [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@plane(0, 0) <<= y@0 }
// CHECK-NEXT:                   ^~~~~
// CHECK-NEXT:{{.*}}nonuniform_notes.cpp:[[@LINE-6]]:24: note: 'plane' was assigned 'plane(half, {1, half.size()})' here
// CHECK-NEXT:  const kanor::grid<2> plane(half, {1, half.size()});
// CHECK-NEXT:                       ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  const kanor::grid<1> line(half, {world.rank()});
  @communicate (team = line.team()) { x@line(0) <<= y@0 }
// CHECK:{{.*}}nonuniform_notes.cpp:[[@LINE-1]]:41: warning: 'line' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate (team = line.team()) { x@line(0) <<= y@0 }
// CHECK-NEXT:                                        ^~~~
// CHECK-NEXT:{{.*}}nonuniform_notes.cpp:[[@LINE-5]]:24: note: 'line' was assigned 'line(half, {world.rank()})' here
// CHECK-NEXT:  const kanor::grid<1> line(half, {world.rank()});
// CHECK-NEXT:                       ^~~~~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: broadcast it first, or use 'knows = sender' if only the senders know it
}

void changes() {
  int x = 0, y = 0, root = 0;
  root += world.rank();
  @communicate { x@root <<= y@0 }
// CHECK:{{.*}}nonuniform_notes.cpp:[[@LINE-1]]:20: warning: 'root' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@root <<= y@0 }
// CHECK-NEXT:                   ^~~~
// CHECK-NEXT:{{.*}}nonuniform_notes.cpp:[[@LINE-5]]:11: note: 'root' was changed with 'world.rank()' here
// CHECK-NEXT:  root += world.rank();
// CHECK-NEXT:          ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: broadcast it first, or use 'knows = sender' if only the senders know it
  std::vector<int> list(3);
  list[1] = world.rank();
  @communicate { x@i <<= y@0 where i in list }
// CHECK:{{.*}}nonuniform_notes.cpp:[[@LINE-1]]:41: warning: 'list' in a set depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@i <<= y@0 where i in list }
// CHECK-NEXT:                                        ^~~~
// CHECK-NEXT:{{.*}}nonuniform_notes.cpp:[[@LINE-5]]:13: note: 'list' was changed with 'world.rank()' here
// CHECK-NEXT:  list[1] = world.rank();
// CHECK-NEXT:            ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: broadcast it first, or use 'knows = sender' if only the senders know it
  int count = 0;
  while (count < world.rank()) ++count;
  @communicate { x@count <<= y@0 }
// CHECK:{{.*}}nonuniform_notes.cpp:[[@LINE-1]]:20: warning: 'count' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@count <<= y@0 }
// CHECK-NEXT:                   ^~~~~
// CHECK-NEXT:{{.*}}nonuniform_notes.cpp:[[@LINE-5]]:10: note: the value of 'count' depends on 'count < world.rank()'
// CHECK-NEXT:  while (count < world.rank()) ++count;
// CHECK-NEXT:         ^~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: broadcast it first, or use 'knows = sender' if only the senders know it
  @communicate { x@i <<= y@0 where i in {0 ... world.rank()} }
// CHECK:{{.*}}nonuniform_notes.cpp:[[@LINE-1]]:48: warning: 'world.rank()' in a set depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@i <<= y@0 where i in {0 ... world.rank()} }
// CHECK-NEXT:                                               ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: broadcast it first, or use 'knows = sender' if only the senders know it
  @communicate { x@world.rank() <<= y@0 }
// CHECK:{{.*}}nonuniform_notes.cpp:[[@LINE-1]]:20: warning: 'world.rank()' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@world.rank() <<= y@0 }
// CHECK-NEXT:                   ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: for each rank itself, bind a name: '@i' and 'where i in world'
// CHECK-NEXT:kanorc: note: broadcast it first, or use 'knows = sender' if only the senders know it
}

struct Settings {
  int root = 0, width = 0;
};

void members() {
  int x = 0, y = 0;
  Settings common, own;
  own.root = world.rank();
  @communicate { x@common.root <<= y@0 }
  @communicate { x@own.root <<= y@own.width }
// CHECK:{{.*}}nonuniform_notes.cpp:[[@LINE-1]]:20: warning: 'own.root' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@own.root <<= y@own.width }
// CHECK-NEXT:                   ^~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_notes.cpp:[[@LINE-6]]:14: note: 'own.root' was assigned 'world.rank()' here
// CHECK-NEXT:  own.root = world.rank();
// CHECK-NEXT:             ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: for each rank itself, bind a name: '@i' and 'where i in world'
// CHECK-NEXT:kanorc: note: broadcast it first, or use 'knows = sender' if only the senders know it
}

void may_throw() {
  int x = 0, y = 0;
  try {
    y = measure();
  } catch (...) {
    x = 1;
  }
  @communicate { x@x <<= y@0 }
// CHECK:{{.*}}nonuniform_notes.cpp:[[@LINE-1]]:20: warning: 'x' in a rank expression may differ between ranks, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@x <<= y@0 }
// CHECK-NEXT:                   ^
// CHECK-NEXT:kanorc: note: an exception may be thrown on some ranks only
// CHECK-NEXT:kanorc: note: if it is the same on all ranks, declare it '{{\[\[}}kanor::uniform]]'
}

void in_a_loop() {
  int x = 0, y = 0;
  for (int turn = 0; turn < 3; ++turn) {
    try {
      y = measure();
    } catch (...) {
      x = 1;
    }
    @communicate { x@x <<= y@0 }
// CHECK:{{.*}}nonuniform_notes.cpp:[[@LINE-1]]:22: warning: 'x' in a rank expression may differ between ranks, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:kanorc: note: an exception may be thrown on some ranks only
  }
  x = 0;
  try {
    for (int turn = 0; turn < 3; ++turn) y = measure();
  } catch (...) {
    x = 1;
  }
  @communicate { x@x <<= y@0 }
// CHECK:{{.*}}nonuniform_notes.cpp:[[@LINE-1]]:20: warning: 'x' in a rank expression may differ between ranks, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:kanorc: note: an exception may be thrown on some ranks only
  // What is declared there is gone where it is caught, and the loops go on.
  for (int round = 0; round < 3; ++round) {
    try {
      for (int root = 0; root < 3; ++root) {
        @communicate { x@root <<= y@0 }
        if (root == round) throw round;
      }
    } catch (int) {
    }
    @communicate { x@round <<= y@0 }
  }
}

void exceptions() {
  int x = 0, y = 0;
  try {
    if (world.rank() == 1) throw std::runtime_error("here");
    y = 1;
  } catch (const std::runtime_error&) {
    @communicate { x@0 <<= y@1 }
// CHECK:{{.*}}nonuniform_notes.cpp:[[@LINE-1]]:5: warning: some ranks may not reach this block: control flow depends on the rank [-Wkanor-nonuniform]
// CHECK-NEXT:    @communicate { x@0 <<= y@1 }
// CHECK-NEXT:    ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}nonuniform_notes.cpp:[[@LINE-7]]:9: note: whether a rank comes here depends on 'world.rank() == 1'
// CHECK-NEXT:    if (world.rank() == 1) throw std::runtime_error("here");
// CHECK-NEXT:        ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: all ranks must execute the block: choose the senders and receivers with sets and filters, or use 'team ='
  }
}

void sides() {
  int x = 0, y = 0, target = world.rank();
  @communicate (knows = sender) { x@target <<= y@world.rank() }
  @communicate (knows = receiver) { x@world.rank() <<= y@target }
  @communicate (knows = both) { x@target <<= y@0 }
// CHECK:{{.*}}nonuniform_notes.cpp:[[@LINE-1]]:35: warning: 'target' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate (knows = both) { x@target <<= y@0 }
// CHECK-NEXT:                                  ^~~~~~
// CHECK-NEXT:{{.*}}nonuniform_notes.cpp:[[@LINE-7]]:30: note: 'target' was assigned 'world.rank()' here
// CHECK-NEXT:  int x = 0, y = 0, target = world.rank();
// CHECK-NEXT:                             ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: for each rank itself, bind a name: '@i' and 'where i in world'
// CHECK-NEXT:kanorc: note: broadcast it first, or use 'knows = sender' if only the senders know it
}

static void through_a_table(int root) {
  int x = 0;
  @communicate { x@i <<= x@root where i in world }
// CHECK:{{.*}}nonuniform_notes.cpp:[[@LINE-1]]:28: warning: 'root' in a rank expression may differ between ranks, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@i <<= x@root where i in world }
// CHECK-NEXT:                           ^~~~
// CHECK-NEXT:{{.*}}nonuniform_notes.cpp:[[@LINE-6]]:33: note: 'root' is a parameter of a function that is called through its address, from unknown places
// CHECK-NEXT:static void through_a_table(int root) {
// CHECK-NEXT:                                ^~~~
// CHECK-NEXT:kanorc: note: if it is the same on all ranks, declare it '{{\[\[}}kanor::uniform]]'
}

static void called_alone(int root) {
  int x = 0;
  @communicate { x@i <<= x@root where i in world }
}

void (*const table[])(int) = {through_a_table};

void runs_one_of(int which) {
  table[which](0);
  called_alone(0);
}

namespace {
struct Member {
  int root = 0;
  void run() {
    int x = 0;
    @communicate { x@i <<= x@root where i in world }
// CHECK:{{.*}}nonuniform_notes.cpp:[[@LINE-1]]:30: warning: 'root' in a rank expression may differ between ranks, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:    @communicate { x@i <<= x@root where i in world }
// CHECK-NEXT:                             ^~~~
// CHECK-NEXT:{{.*}}nonuniform_notes.cpp:[[@LINE-6]]:8: note: code that has this function's address may call this for different objects on different ranks
// CHECK-NEXT:  void run() {
// CHECK-NEXT:       ^~~
// CHECK-NEXT:kanorc: note: if it is the same on all ranks, declare it '{{\[\[}}kanor::uniform]]'
  }
};
}  // namespace

void (Member::*const kept)() = &Member::run;

void runs(Member& member) { (member.*kept)(); }

void Shared::run() {
  int x = 0;
  @communicate { x@i <<= x@root where i in world }
// CHECK:{{.*}}nonuniform_notes.cpp:[[@LINE-1]]:28: warning: 'root' in a rank expression may differ between ranks, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@i <<= x@root where i in world }
// CHECK-NEXT:                           ^~~~
// CHECK-NEXT:{{.*}}nonuniform_notes.cpp:[[@LINE-6]]:14: note: other files may call this for different objects on different ranks
// CHECK-NEXT:void Shared::run() {
// CHECK-NEXT:             ^~~
// CHECK-NEXT:kanorc: note: if it is the same on all ranks, declare it '{{\[\[}}kanor::uniform]]'
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

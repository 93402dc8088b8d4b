// RUN: %kanorc -c %s -o %t.o 2>&1 | %check_output
// KIND: nonuniform
// What members have: one variable for all objects of a class, unless the object is a variable that shows it itself.
#include <kanor/kanor.hpp>

#include <memory>
#include <vector>

using kanor::world;

namespace {

struct Set { int r = 0; void set() { r = world.rank() % 2; } };
struct Made { int r; Made() : r(world.rank() % 2) {} };
struct Filled { int r = 0; Filled() { r = world.rank() % 2; } };
class Hidden {
 public:
  explicit Hidden(int r) : r_(r) {}
  int r() const { return r_; }

 private:
  int r_;
};
struct Shown { int r = 0; } shown;
struct Pointed { int r = 0; };
struct Given { int r = 0; };
struct Element { int r = 0; };
struct Copied { int r = 0; };
struct Inner { int r; Inner() : r(world.rank() % 2) {} };
struct Outer { Inner inner; };
struct Passed { int r = 0; };
struct Returned { int r = 0; };
struct Received { int r = 0; };

void give(Given& given) { given.r = world.rank() % 2; }
void ask(const Passed& passed) {
  int x = 0;
  @communicate { x@passed.r <<= 1@0 }
// CHECK:{{.*}}nonuniform_members.cpp:[[@LINE-1]]:20: warning: 'passed.r' in a rank expression may differ between ranks, but must be the same on all ranks [-Wkanor-nonuniform]
}
Returned make() {
  Returned made;
  made.r = world.rank() % 2;
  return made;
}

}  // namespace

// Other files may fill these, whatever this one does with objects of their class.
struct Options { int root = 0; std::vector<int> list; [[kanor::uniform]] int same = 0; };
extern Options options, several[2], own, received_options, named;
[[kanor::uniform]] extern Options known;
struct Settings { static int root; static Options all; };

void unseen() {
  int x = 0;
  @communicate { x@options.root <<= 1@0 }
// CHECK:{{.*}}nonuniform_members.cpp:[[@LINE-1]]:20: warning: 'options.root' in a rank expression may differ between ranks{{.*}}
// CHECK:{{.*}}nonuniform_members.cpp:[[@LINE-8]]:16: note: other files may change 'options.root'
  @communicate { x@several[1].root <<= 1@0 }
// CHECK:{{.*}}nonuniform_members.cpp:[[@LINE-1]]:20: warning: 'several[1].root' in a rank expression may differ between ranks{{.*}}
  @communicate { x@options.list[0] <<= 1@0 }
// CHECK:{{.*}}nonuniform_members.cpp:[[@LINE-1]]:20: warning: 'options.list' in a rank expression may differ between ranks{{.*}}
  @communicate { x@Settings::root <<= 1@0 }
// CHECK:{{.*}}nonuniform_members.cpp:[[@LINE-1]]:20: warning: 'Settings::root' in a rank expression may differ between ranks{{.*}}
  @communicate { x@Settings::all.root <<= 1@0 }
// CHECK:{{.*}}nonuniform_members.cpp:[[@LINE-1]]:20: warning: 'Settings::all.root' in a rank expression may differ between ranks{{.*}}
  @communicate { x@options.same <<= 1@known.root }
  own.root = 0;
  @communicate { x@own.root <<= 1@0 }
  @communicate { received_options@i <<= received_options@0 where i in world }
  @communicate { x@received_options.root <<= 1@0 }
  const Options* const kept = &several[0];
  @communicate { x@kept->root <<= 1@0 }
// CHECK:{{.*}}nonuniform_members.cpp:[[@LINE-1]]:20: warning: 'kept->root' in a rank expression may differ between ranks{{.*}}
  const Options& same = named;
  @communicate { x@same.root <<= 1@0 }
// CHECK:{{.*}}nonuniform_members.cpp:[[@LINE-1]]:20: warning: 'same.root' in a rank expression may differ between ranks{{.*}}
}

void f() {
  int x = 0;
  Set set;
  set.set();
  @communicate { x@set.r <<= 1@0 }
// CHECK:{{.*}}nonuniform_members.cpp:[[@LINE-1]]:20: warning: 'set.r' in a rank expression may differ between ranks, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { x@set.r <<= 1@0 }
// CHECK-NEXT:                   ^~~~~
// CHECK-NEXT:{{.*}}nonuniform_members.cpp:13:42: note: 'r' was changed with 'world.rank() % 2' here
// CHECK-NEXT:struct Set { int r = 0; void set() { r = world.rank() % 2; } };
// CHECK-NEXT:                                         ^~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: broadcast it first, or use 'knows = sender' if only the senders know it
// CHECK-NEXT:kanorc: note: the member 'r' counts as one variable for all objects of its class; if it is the same on all ranks, declare it '{{\[\[}}kanor::uniform]]', or copy it to a variable that is
  Made made;
  @communicate { x@made.r <<= 1@0 }
// CHECK:{{.*}}nonuniform_members.cpp:[[@LINE-1]]:20: warning: 'made.r' in a rank expression may differ between ranks{{.*}}
  Filled filled;
  @communicate { x@filled.r <<= 1@0 }
// CHECK:{{.*}}nonuniform_members.cpp:[[@LINE-1]]:20: warning: 'filled.r' in a rank expression may differ between ranks{{.*}}
  const Hidden hidden(world.rank() % 2);
  @communicate { x@hidden.r() <<= 1@0 }
// CHECK:{{.*}}nonuniform_members.cpp:[[@LINE-1]]:20: warning: 'hidden.r()' in a rank expression may differ between ranks{{.*}}
  if (hidden.r() == 1) @communicate { x@0 <<= 1@0 }
// CHECK:{{.*}}nonuniform_members.cpp:[[@LINE-1]]:24: warning: some ranks may not reach this block, but all must [-Wkanor-nonuniform]
  shown.r = world.rank() % 2;
  @communicate { x@shown.r <<= 1@0 }
// CHECK:{{.*}}nonuniform_members.cpp:[[@LINE-1]]:20: warning: 'shown.r' in a rank expression depends on the rank{{.*}}
  const auto pointed = std::make_unique<Pointed>();
  pointed->r = world.rank() % 2;
  @communicate { x@pointed->r <<= 1@0 }
// CHECK:{{.*}}nonuniform_members.cpp:[[@LINE-1]]:20: warning: 'pointed->r' in a rank expression may differ between ranks{{.*}}
  Given given;
  give(given);
  @communicate { x@given.r <<= 1@0 }
// CHECK:{{.*}}nonuniform_members.cpp:[[@LINE-1]]:20: warning: 'given.r' in a rank expression may differ between ranks{{.*}}
  std::vector<Element> elements(3);
  elements[0].r = world.rank() % 2;
  @communicate { x@elements[0].r <<= 1@0 }
// CHECK:{{.*}}nonuniform_members.cpp:[[@LINE-1]]:20: warning: 'elements[0].r' in a rank expression may differ between ranks{{.*}}
  Copied from;
  from.r = world.rank() % 2;
  const Copied to = from;
  @communicate { x@to.r <<= 1@0 }
// CHECK:{{.*}}nonuniform_members.cpp:[[@LINE-1]]:20: warning: 'to.r' in a rank expression may differ between ranks{{.*}}
  Outer outer;
  @communicate { x@outer.inner.r <<= 1@0 }
// CHECK:{{.*}}nonuniform_members.cpp:[[@LINE-1]]:20: warning: 'outer.inner.r' in a rank expression may differ between ranks{{.*}}
  Passed passed;
  passed.r = world.rank() % 2;
  ask(passed);
  @communicate { x@make().r <<= 1@0 }
// CHECK:{{.*}}nonuniform_members.cpp:[[@LINE-1]]:20: warning: 'make()' in a rank expression {{.*}}
// CHECK:{{.*}}nonuniform_members.cpp:[[@LINE-2]]:20: warning: 'make().r' in a rank expression {{.*}}
  Received received;
  @communicate { received@i <<= received@0 where i in world }
  @communicate { x@received.r <<= 1@0 }
  received.r = world.rank() % 2;
  @communicate { x@received.r <<= 1@0 }
// CHECK:{{.*}}nonuniform_members.cpp:[[@LINE-1]]:20: warning: 'received.r' in a rank expression depends on the rank, {{.*}}
}

namespace {

class Solver {
 public:
  Solver(int root, int steps) : root_(root), steps_(steps) {}
  void run() {
    for (int step = 0; step < steps_; ++step)
      @communicate { values_[0]@root_ <<= values_[0]@size_ - 1; sum_@i << + << rank_@j where i, j in world }
  }

 private:
  int rank_ = world.rank(), size_ = world.size(), root_, steps_, sum_ = 0;
  std::vector<int> values_ = std::vector<int>(4, rank_);
};
struct Part { int first, count; };
Part part(int rank) { return {rank * 4, 4}; }
struct Plan { int root = 0; std::vector<int> order; };

/// A reference to what is declared uniform, and a const copy of it, are uniform too.
class Field {
 public:
  Field(const kanor::grid<2>& grid, int root) : grid_(grid), root_(root) {}
  int right() {
    const auto& same = grid_;
    const auto copy = same;
    const int root = root_;
    auto other = grid_;
    int x = 0;
    @communicate {
      x@i <<= 1@same.neighbor(i, 0, 1) where i in world;
      x@copy.neighbor(i, 0, 1) <<= 1@root where i in world, copy.extent(0) > root
    }
    @communicate { x@i <<= 1@other.neighbor(i, 0, 1) where i in world }
// CHECK:{{.*}}nonuniform_members.cpp:[[@LINE-1]]:30: warning: 'other' in a rank expression is the same only within the team 'grid_.team()', {{.*}}
    return x;
  }

 private:
  [[kanor::uniform]] kanor::grid<2> grid_;
  [[kanor::uniform]] int root_;
};

}  // namespace

void fields(const kanor::grid<2>& grid) { Field(grid, world.rank()).right(); }

void what_all_have_alike() {
  int x = 0;
  Solver solver(0, 3);
  solver.run();
  const Part mine = part(world.rank()), last = part(world.size() - 1);
  x = mine.first;
  @communicate { x@i <<= x@last.first / 4 where i in world, k in {part(i).first ... part(i).first + last.count} }
  Plan plan;
  if (world.rank() == 0) plan = {1, {0}};
  @communicate { plan@i <<= plan@0 where i in world }
  @communicate { x@i <<= x@plan.root where i in world }
}

// Nothing is said: other files may call this for any object, and the members are declared uniform.
class Asserted {
 public:
  explicit Asserted(int r) : r_(r), list_(2, r) {}
  void ask() {
    int x = 0;
    @communicate { x@r_ <<= 1@list_[0] where k in kanor::range(0, list_.size()), k == r_ }
  }

 private:
  [[kanor::uniform]] int r_;
  [[kanor::uniform]] std::vector<int> list_;
};

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %kanorc -c %s -o %t.o 2>&1 | %check_output
// KIND: nonuniform
// Members that are changed by way of a reference, a pointer or an iterator: the change is the member's, and what says
// which object is meant stays as it was. Each class is for one case.
#include <kanor/kanor.hpp>

#include <map>
#include <memory>
#include <vector>

using kanor::world;

namespace {

template <int>
struct Sim {
  double& at(int i) { return x[static_cast<std::size_t>(i)]; }
  std::vector<double> x = std::vector<double>(4);
  double v = 0;
  const int first = 0;
  int steps = 3, changed = 0;
  kanor::grid<1> line{world};
};
struct Node { int steps = 1; int* pointer = nullptr; };
struct Place { int root = 0; };

void by_reference(Sim<0>& s) {
  s.x[1] = world.rank();
  for (int t = 0; t < s.steps; ++t)
    @communicate { s.x[0]@(i + 1) % world.size() <<= s.x[1]@i where i in world }
  s.changed = world.rank();
  @communicate { s.x[0]@s.changed <<= s.x[1]@s.first }
// CHECK:{{.*}}nonuniform_references.cpp:[[@LINE-1]]:25: warning: 's.changed' in a rank expression may differ {{.*}}
}

void by_pointer(Sim<1>* s) {
  s->v = world.rank();
  for (int t = 0; t < s->steps; ++t)
    @communicate { s->v@(i + 1) % world.size() <<= s->v@i where i in world }
}

void by_pointer_in_it(Node* node) {
  *node->pointer = world.rank();
  int x = 0;
  @communicate { x@node->steps <<= x@0 }
// CHECK:{{.*}}nonuniform_references.cpp:[[@LINE-1]]:20: warning: 'node->steps' in a rank expression may differ {{.*}}
}

void by_accessor(Sim<2>& mine) {
  mine.at(1) = world.rank();
  @communicate { mine.at(0)@i <<= mine.at(1)@mine.line.neighbor(i, 0, 1) where i in world }
  @communicate { mine.at(0)@mine.line.neighbor(i, 0, 1) <<= mine.at(mine.first)@i where i in world }
}

void by_its_grid(Sim<6>& mine) {
  @communicate { mine.v@i <<= 1@0 where i in mine.line.team() }
// CHECK:{{.*}}nonuniform_references.cpp:[[@LINE-1]]:46: warning: 'mine.line.team()' in a set is the same only within the team 'line.team()', which is not this block's team [-Wkanor-nonuniform]
// CHECK-NEXT:  @communicate { mine.v@i <<= 1@0 where i in mine.line.team() }
// CHECK-NEXT:                                             ^~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: execute the block in that team: '@communicate (team = mine.line.team()) { ... }'
}

void by_range(std::vector<Sim<3>>& all) {
  for (Sim<3>& s : all) {
    s.v = world.rank();
    for (int t = 0; t < s.steps; ++t)
      @communicate { s.v@(i + 1) % world.size() <<= s.v@i where i in world }
  }
}

void by_iterator(std::map<int, Sim<4>>& all) {
  for (auto it = all.begin(); it != all.end(); ++it) {
    it->second.v = world.rank();
    it->second.at(1) = world.rank();
    @communicate { it->second.v@0 <<= it->second.v@it->second.steps }
  }
}

void by_owner(std::unique_ptr<Sim<5>> s) {
  s->v = world.rank();
  @communicate { s->v@s->steps <<= s->v@0 }
}

void another_object() {
  Place one, other;
  Place* chosen = &one;
  Place** leads_to_it = &chosen;
  if (world.rank() > 0) *leads_to_it = &other;
  int x = 0;
  @communicate { x@chosen->root <<= x@0 }
// CHECK:{{.*}}nonuniform_references.cpp:[[@LINE-1]]:20: warning: 'chosen' in a rank expression depends on the rank{{.*}}
}

}  // namespace

int main() {
  Sim<0> a;
  by_reference(a);
  Sim<1> b;
  by_pointer(&b);
  Node node;
  node.pointer = &node.steps;
  by_pointer_in_it(&node);
  Sim<2> c;
  by_accessor(c);
  Sim<6> d;
  by_its_grid(d);
  std::vector<Sim<3>> several(2);
  by_range(several);
  std::map<int, Sim<4>> sorted;
  by_iterator(sorted);
  by_owner(std::make_unique<Sim<5>>());
  another_object();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

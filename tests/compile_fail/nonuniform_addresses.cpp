// RUN: %kanorc -c %s -o %t.o 2>&1 | %check_output
// KIND: nonuniform
// Variables that are changed through an address that is kept somewhere: in members, elements, tuples and functions.
#include <kanor/kanor.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <sstream>
#include <tuple>
#include <utility>
#include <vector>

using kanor::world;

int measure(std::vector<int*>& all);

namespace {

struct Target { int* number; };
struct Bound { int& number; };
class Setter {
 public:
  explicit Setter(int& number) : number_(number) {}
  void set(int value) { number_ = value; }

 private:
  int& number_;
};
class Listeners {
 public:
  void add(int& number) { all_.push_back(&number); }
  void tell(int value) {
    for (int* one : all_) *one = value;
  }

 private:
  std::vector<int*> all_;
};
struct Untyped { void* number; };
static void keep(Untyped& in, int* number) { in.number = number; }
static void set_first(std::vector<int*>& all, int value) { *all[0] = value; }
static int* shown = nullptr;
static void set_shown(int value) { *shown = value; }
static int& first_of(std::vector<int*>& all) { return *all[0]; }
static int& counter() {
  static int count = 0;
  return count;
}

void members(int me) {
  int x = 0, a = 0;
  Target target{&a};
  *target.number = me;
  @communicate { x@a <<= 1@0 }
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-1]]:20: warning: 'a' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-3]]:20: note: 'a' was changed with 'me' here
  int b = 0;
  Bound bound{b};
  bound.number = me;
  @communicate { x@b <<= 1@0 }
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-1]]:20: warning: 'b' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-3]]:18: note: 'b' was changed with 'me' here
  int c = 0;
  Setter setter(c);
  setter.set(me);
  @communicate { x@c <<= 1@0 }
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-1]]:20: warning: 'c' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE+21]]:16: note: 'c' was changed with 'me' here
  int d = 0;
  const auto made = std::make_unique<Target>();
  made->number = &d;
  int* number = made->number;
  *number = me;
  @communicate { x@d <<= 1@0 }
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-1]]:20: warning: 'd' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-3]]:13: note: 'd' was changed with 'me' here
  int e = 0;
  Untyped untyped{};
  keep(untyped, &e);
  *static_cast<int*>(untyped.number) = me;
  @communicate { x@e <<= 1@0 }
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-1]]:20: warning: 'e' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-3]]:40: note: 'e' was changed with 'me' here
}

void containers(int me) {
  int x = 0, a = 0;
  std::vector<int*> listed{&a};
  *listed[0] = me;
  @communicate { x@a <<= 1@0 }
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-1]]:20: warning: 'a' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-3]]:16: note: 'a' was changed with 'me' here
  int b = 0;
  std::vector<int*> pushed;
  pushed.push_back(&b);
  set_first(pushed, me);
  @communicate { x@b <<= 1@0 }
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-1]]:20: warning: 'b' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-10]]:16: note: 'b' was changed with 'me' here
  int c = 0;
  int* array[1] = {&c};
  *array[0] = me;
  @communicate { x@c <<= 1@0 }
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-1]]:20: warning: 'c' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-3]]:15: note: 'c' was changed with 'me' here
  int d = 0;
  Listeners listeners;
  listeners.add(d);
  listeners.tell(me);
  @communicate { x@d <<= 1@0 }
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-1]]:20: warning: 'd' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-23]]:16: note: 'd' was changed with 'me' here
  int e = 0;
  std::vector<std::reference_wrapper<int>> wrapped{e};
  wrapped.front().get() = me;
  @communicate { x@e <<= 1@0 }
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-1]]:20: warning: 'e' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-3]]:27: note: 'e' was changed with 'me' here
  int f = 0;
  std::vector<int*> given{&f};
  x = measure(given);
  @communicate { x@f <<= 1@0 }
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-1]]:20: warning: 'f' in a rank expression may differ between ranks, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-3]]:7: note: 'f' may be changed by this call
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-4]]:7: note: the result of 'measure(given)' may differ between ranks
}

void others(int me) {
  int x = 0, a = 0;
  std::pair<int*, int> pair(&a, 1);
  *pair.first = me;
  @communicate { x@a <<= 1@0 }
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-1]]:20: warning: 'a' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-3]]:17: note: 'a' was changed with 'me' here
  int b = 0;
  auto tied = std::tie(b);
  std::get<0>(tied) = me;
  @communicate { x@b <<= 1@0 }
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-1]]:20: warning: 'b' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-3]]:23: note: 'b' was changed with 'me' here
  int c = 0;
  std::optional<int*> perhaps = &c;
  **perhaps = me;
  @communicate { x@c <<= 1@0 }
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-1]]:20: warning: 'c' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-3]]:15: note: 'c' was changed with 'me' here
  int d = 0;
  const std::function<void()> stored = [&] { d = me; };
  stored();
  @communicate { x@d <<= 1@0 }
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-1]]:20: warning: 'd' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-4]]:50: note: 'd' was assigned 'me' here
  int e = 0;
  std::reference_wrapper<int> wrapped(x);
  wrapped = std::ref(e);
  wrapped.get() = me;
  @communicate { x@e <<= 1@0 }
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-1]]:20: warning: 'e' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-3]]:19: note: 'e' was changed with 'me' here
  int f = 0;
  int* single = nullptr;
  int** twice = &single;
  *twice = &f;
  *single = me;
  @communicate { x@f <<= 1@0 }
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-1]]:20: warning: 'f' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-3]]:13: note: 'f' was changed with 'me' here
  int g = 0;
  shown = &g;
  set_shown(me);
  @communicate { x@g <<= 1@0 }
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-1]]:20: warning: 'g' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-130]]:45: note: 'g' was changed with 'value' here
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-4]]:13: note: the parameter 'value' is 'me' in this call
  int h = 0;
  std::vector<int*> all{&h};
  first_of(all) = me;
  @communicate { x@h <<= 1@0 }
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-1]]:20: warning: 'h' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-3]]:19: note: 'h' was changed with 'me' here
  counter() = me;
  @communicate { x@counter() <<= 1@0 }
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-1]]:20: warning: 'counter()' in a rank expression depends on the rank, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-137]]:10: note: 'counter()' returns 'count' here
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-4]]:15: note: 'count' was changed with 'me' here
}

void without_a_value() {
  int x = 0, k;
  @communicate { x@k <<= 1@0 }
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-1]]:20: warning: 'k' in a rank expression may differ between ranks, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-3]]:14: note: 'k' is never assigned a value
  int told[2];
  @communicate { x@told[1] <<= 1@0 }
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-1]]:20: warning: 'told' in a rank expression may differ between ranks, but must be the same on all ranks [-Wkanor-nonuniform]
// CHECK:{{.*}}nonuniform_addresses.cpp:[[@LINE-3]]:7: note: 'told' is never assigned a value
}

// None of these.
void followed(int me, int count, char** words) {
  int x = 0, a = 1, b = 0, c = me, ours = 1, read;
  std::vector<const char*> texts;
  for (int i = 0; i < count; ++i) texts.push_back(words[i]);
  struct Other { int* theirs; };
  struct Seen { const int* number; } seen{&a};
  Other other{&c};
  *other.theirs = me;
  @communicate { x@a <<= 1@0 }
  @communicate { x@*seen.number <<= 1@0 }
  std::vector<double*> numbers;
  double number = 0;
  numbers.push_back(&number);
  *numbers[0] = me;
  @communicate { x@b <<= 1@0 }
  std::vector<int> counts(4);
  struct View { int* first; } view{counts.data()};
  view.first[0] = me;
  @communicate { x@static_cast<int>(counts.size()) - 4 <<= 1@0 }
  std::vector<std::unique_ptr<Target>> owned;
  owned.push_back(std::make_unique<Target>());
  owned[0]->number = &c;
  *owned[0]->number = me;
  @communicate { x@ours <<= 1@0 }
  std::istringstream("1") >> read;
  @communicate { x@read <<= 1@0 }
  int chosen;
  if (world.size() > 1)
    chosen = 1;
  else
    chosen = 0;
  @communicate { x@chosen <<= 1@0 }
}

}  // namespace

int main(int count, char** words) {
  const int me = world.rank();
  members(me);
  containers(me);
  others(me);
  without_a_value();
  followed(me, count, words);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

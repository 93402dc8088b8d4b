// RUN: %kanorc -c %s -o %t.o 2>&1 | %check_output
// KIND: nonuniform
// Members that are changed without their names: by pointers to members, as bytes, as another member of a union, by
// constructors that the library calls, and by exceptions. Each class is for one case.
#include <kanor/kanor.hpp>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

using kanor::world;

namespace {

int x;
int odd() { return world.rank() % 2; }

struct Pointed { int r = 0, other = 0; long far = 0; };
struct Invoked { int r = 0; };
struct Read { int r = 0; };
struct Base { int r = 0; };
struct Derived : Base { long more = 0; };
struct Bytes { int r = 0; };
struct Copied { int r = 0; };
struct Placed { int r = 0; };
struct Foreign { int r = 0; };
struct Thrown { int r = 0; };
union Either { int a; int b; struct { int first, second; } both; };
union Unlike { int a; int b; };
struct Beside { union { int a; int b; }; int c; };

void by_pointer(int Pointed::* member) {
  Pointed object;
  object.*member = odd();
  @communicate { x@object.r <<= 1@0 }
// CHECK:{{.*}}nonuniform_unnamed.cpp:[[@LINE-1]]:20: warning: 'object.r' in a rank expression may differ {{.*}}
  @communicate { x@object.far <<= 1@0 }
  Invoked invoked;
  std::invoke(&Invoked::r, invoked) = odd();
  @communicate { x@invoked.r <<= 1@0 }
// CHECK:{{.*}}nonuniform_unnamed.cpp:[[@LINE-1]]:20: warning: 'invoked.r' in a rank expression may differ {{.*}}
  Read read;
  read.r = odd();
  int Read::* const from = &Read::r;
  const int got = (&read)->*from;
  @communicate { x@got <<= 1@0 }
// CHECK:{{.*}}nonuniform_unnamed.cpp:[[@LINE-1]]:20: warning: 'got' in a rank expression may differ {{.*}}
  Derived derived;
  int Derived::* const inherited = &Derived::r;
  derived.*inherited = odd();
  @communicate { x@derived.r <<= 1@derived.more }
// CHECK:{{.*}}nonuniform_unnamed.cpp:[[@LINE-1]]:20: warning: 'derived.r' in a rank expression may differ {{.*}}
}

void as_bytes() {
  Bytes bytes;
  *reinterpret_cast<int*>(&bytes) = odd();
  @communicate { x@bytes.r <<= 1@0 }
// CHECK:{{.*}}nonuniform_unnamed.cpp:[[@LINE-1]]:20: warning: 'bytes.r' in a rank expression may differ {{.*}}
  Copied copied;
  const int value = odd();
  std::memcpy(&copied, &value, sizeof value);
  @communicate { x@copied.r <<= 1@0 }
// CHECK:{{.*}}nonuniform_unnamed.cpp:[[@LINE-1]]:20: warning: 'copied.r' in a rank expression may differ {{.*}}
  Placed placed;
  new (&placed) Placed{odd()};
  @communicate { x@placed.r <<= 1@0 }
// CHECK:{{.*}}nonuniform_unnamed.cpp:[[@LINE-1]]:20: warning: 'placed.r' in a rank expression may differ {{.*}}
  const int words[2] = {odd(), 0};
  const auto* foreign = reinterpret_cast<const Foreign*>(words);
  @communicate { x@foreign->r <<= 1@0 }
// CHECK:{{.*}}nonuniform_unnamed.cpp:[[@LINE-1]]:20: warning: 'foreign->r' in a rank expression depends on the rank{{.*}}
}

void unions() {
  Either either;
  either.b = odd();
  @communicate { x@either.a <<= 1@0 }
// CHECK:{{.*}}nonuniform_unnamed.cpp:[[@LINE-1]]:20: warning: 'either.a' in a rank expression may differ {{.*}}
  @communicate { x@either.both.first <<= 1@0 }
// CHECK:{{.*}}nonuniform_unnamed.cpp:[[@LINE-1]]:20: warning: 'either.both.first' in a rank expression may differ {{.*}}
  const Unlike made{.b = odd()};
  @communicate { x@made.a <<= 1@0 }
// CHECK:{{.*}}nonuniform_unnamed.cpp:[[@LINE-1]]:20: warning: 'made.a' in a rank expression {{.*}}
  Beside beside{};
  beside.b = odd();
  @communicate { x@beside.a <<= 1@beside.c }
// CHECK:{{.*}}nonuniform_unnamed.cpp:[[@LINE-1]]:20: warning: 'beside.a' in a rank expression may differ {{.*}}
}

void exceptions() {
  int root = 0;
  try {
    throw odd();
  } catch (int code) {
    root = code;
  }
  @communicate { x@root <<= 1@0 }
// CHECK:{{.*}}nonuniform_unnamed.cpp:[[@LINE-1]]:20: warning: 'root' in a rank expression may differ {{.*}}
  try {
    throw Thrown{odd()};
  } catch (const Thrown& thrown) {
    root = thrown.r;
  }
  @communicate { x@root <<= 1@0 }
// CHECK:{{.*}}nonuniform_unnamed.cpp:[[@LINE-1]]:20: warning: 'root' in a rank expression may differ {{.*}}
}

/// Each number is for a class of its own, and for what its objects are made of.
template <int>
struct Made {
  Made(int r = 0) : r(r) {}  // NOLINT: converts
  int r;
};
template <int>
struct Filled {
  int r = 0;
};

void by_the_library() {
  const auto unique = std::make_unique<Made<0>>(odd());
  @communicate { x@unique->r <<= 1@0 }
// CHECK:{{.*}}nonuniform_unnamed.cpp:[[@LINE-1]]:20: warning: 'unique->r' in a rank expression may differ {{.*}}
  std::vector<Made<1>> emplaced;
  emplaced.emplace_back(odd());
  @communicate { x@emplaced[0].r <<= 1@0 }
// CHECK:{{.*}}nonuniform_unnamed.cpp:[[@LINE-1]]:20: warning: 'emplaced[0].r' in a rank expression may differ {{.*}}
  std::optional<Made<2>> optional;
  optional.emplace(odd());
  @communicate { x@optional->r <<= 1@0 }
// CHECK:{{.*}}nonuniform_unnamed.cpp:[[@LINE-1]]:20: warning: 'optional->r' in a rank expression may differ {{.*}}
  const std::vector<int> numbers(2, odd());
  const std::vector<Made<3>> ranged(numbers.begin(), numbers.end());
  @communicate { x@ranged[0].r <<= 1@0 }
// CHECK:{{.*}}nonuniform_unnamed.cpp:[[@LINE-1]]:20: warning: 'ranged[0].r' in a rank expression may differ {{.*}}
  std::vector<Made<4>> assigned(2);
  std::copy(numbers.begin(), numbers.end(), assigned.begin());
  @communicate { x@assigned[0].r <<= 1@0 }
// CHECK:{{.*}}nonuniform_unnamed.cpp:[[@LINE-1]]:20: warning: 'assigned[0].r' in a rank expression may differ {{.*}}
  const auto filled = std::make_shared<Filled<0>>(odd());
  @communicate { x@filled->r <<= 1@0 }
// CHECK:{{.*}}nonuniform_unnamed.cpp:[[@LINE-1]]:20: warning: 'filled->r' in a rank expression may differ {{.*}}
}

// Nothing is said: the library makes objects of what is the same, or of objects, or only counts them.
void same() {
  const auto unique = std::make_unique<Made<5>>(1);
  std::vector<Made<6>> several;
  several.resize(odd());
  several.emplace_back(1);
  Made<6> other;
  std::swap(other, several.back());
  std::pair<Made<7>, int> pair(Made<7>(0), odd());
  pair.second = odd();
  const auto added = std::make_pair(Made<8>(0), odd());
  Filled<1> cleared;
  std::memset(&cleared, 0, sizeof cleared);
  @communicate {
    x@unique->r <<= 1@other.r;
    x@pair.first.r <<= 1@added.first.r;
    x@cleared.r <<= 1@0
  }
}

}  // namespace

int main() {
  by_pointer(&Pointed::r);
  as_bytes();
  unions();
  exceptions();
  by_the_library();
  same();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

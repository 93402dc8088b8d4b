// RUN: %kanorc -c %s -o %t.o 2>&1 | %check_output
// KIND: nonuniform
// Destructors run without being named. What they change is changed where a scope ends, and not before.
#include <kanor/kanor.hpp>

#include <memory>
#include <optional>
#include <vector>

using kanor::world;

namespace {

int x;

struct Sets {
  int& target;
  ~Sets() { target = world.rank(); }
};
struct Holds { Sets sets; };
struct Base { virtual ~Base() = default; };
struct Derived : Base {
  explicit Derived(int& target) : target(target) {}
  ~Derived() override { target = world.rank(); }
  int& target;
};
Sets make(int& target) { return Sets{target}; }

void of_a_variable() {
  int root = 0;
  {
    const Sets sets{root};
    @communicate { x@root <<= 1@0 }
  }
  @communicate { x@root <<= 1@0 }
// CHECK:{{.*}}nonuniform_destructors.cpp:[[@LINE-1]]:20: warning: 'root' in a rank expression depends on the rank{{.*}}
}

void of_a_member() {
  int root = 0;
  { Holds holds{{root}}; }
  @communicate { x@root <<= 1@0 }
// CHECK:{{.*}}nonuniform_destructors.cpp:[[@LINE-1]]:20: warning: 'root' in a rank expression depends on the rank{{.*}}
}

void of_a_temporary() {
  int root = 0;
  Sets{root};
  @communicate { x@root <<= 1@0 }
// CHECK:{{.*}}nonuniform_destructors.cpp:[[@LINE-1]]:20: warning: 'root' in a rank expression depends on the rank{{.*}}
}

void of_a_kept_temporary() {
  int root = 0;
  {
    const Sets& sets = Sets{root};
    const Sets made = make(root);
    @communicate { x@root <<= 1@0 }
  }
  @communicate { x@root <<= 1@0 }
// CHECK:{{.*}}nonuniform_destructors.cpp:[[@LINE-1]]:20: warning: 'root' in a rank expression depends on the rank{{.*}}
}

void of_what_is_deleted() {
  int root = 0;
  Sets* sets = new Sets{root};
  @communicate { x@root <<= 1@0 }
  delete sets;
  @communicate { x@root <<= 1@0 }
// CHECK:{{.*}}nonuniform_destructors.cpp:[[@LINE-1]]:20: warning: 'root' in a rank expression depends on the rank{{.*}}
}

void of_what_is_owned() {
  int root = 0;
  { const auto sets = std::make_unique<Sets>(root); }
  @communicate { x@root <<= 1@0 }
// CHECK:{{.*}}nonuniform_destructors.cpp:[[@LINE-1]]:20: warning: 'root' in a rank expression depends on the rank{{.*}}
}

void of_a_base() {
  int root = 0;
  { const std::unique_ptr<Base> sets = std::make_unique<Derived>(root); }
  @communicate { x@root <<= 1@0 }
// CHECK:{{.*}}nonuniform_destructors.cpp:[[@LINE-1]]:20: warning: 'root' in a rank expression depends on the rank{{.*}}
}

void of_elements() {
  int root = 0, other = 0;
  std::vector<std::unique_ptr<Sets>> several;
  several.push_back(std::make_unique<Sets>(root));
  several.clear();
  @communicate { x@root <<= 1@0 }
// CHECK:{{.*}}nonuniform_destructors.cpp:[[@LINE-1]]:20: warning: 'root' in a rank expression depends on the rank{{.*}}
  std::optional<Sets> perhaps;
  perhaps.emplace(other);
  perhaps.reset();
  @communicate { x@other <<= 1@0 }
// CHECK:{{.*}}nonuniform_destructors.cpp:[[@LINE-1]]:20: warning: 'other' in a rank expression depends on the rank{{.*}}
}

struct Executes {
  ~Executes() { @communicate { x@i <<= x@0 where i in world } }
};

void with_a_block() {
  int root = 0;
  { const Executes executes; root = 1; }
  @communicate { x@root <<= 1@0 }
}

}  // namespace

int main() {
  of_a_variable();
  of_a_member();
  of_a_temporary();
  of_a_kept_temporary();
  of_what_is_deleted();
  of_what_is_owned();
  of_a_base();
  of_elements();
  with_a_block();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %kanorc -c %s -o %t.o 2>&1 | %check_output
// KIND: nonuniform
// What a try block assigns: a rank that catches an exception, and goes on, has assigned only some of it.
#include <kanor/kanor.hpp>

#include <cstdlib>
#include <exception>

using kanor::world;

namespace {

int x, global;

void fail_somewhere() {
  if (world.rank() % 2 == 1) throw 1;
}
void set(int& target) { target = 2; }
void count() { ++global; }

void goes_on() {
  int root = 0;
  try {
    fail_somewhere();
    root = 1;
  } catch (int) {
  }
  @communicate { x@root <<= 1@0 }
// CHECK:{{.*}}nonuniform_exceptions.cpp:[[@LINE-1]]:20: warning: 'root' in a rank expression may differ {{.*}}
// CHECK-NEXT:  @communicate { x@root <<= 1@0 }
// CHECK-NEXT:                   ^~~~
// CHECK-NEXT:kanorc: note: an exception may be thrown on some ranks only
}

void by_other_functions() {
  int root = 0;
  try {
    for (int k = 0; k < 3; ++k) {
      fail_somewhere();
      set(root);
    }
    count();
  } catch (...) {
  }
  @communicate {
    x@root <<= 1@0;
    x@global <<= 1@0
  }
// CHECK:{{.*}}nonuniform_exceptions.cpp:[[@LINE-3]]:7: warning: 'root' in a rank expression may differ {{.*}}
// CHECK:{{.*}}nonuniform_exceptions.cpp:[[@LINE-3]]:7: warning: 'global' in a rank expression may differ {{.*}}
}

/// Whoever catches it never comes to the block behind.
int ends(bool by_return) {
  int root = 0;
  try {
    fail_somewhere();
    root = 1;
    @communicate { x@root <<= 1@0 }
  } catch (const std::exception&) {
    if (by_return) return 1;
    throw;
  } catch (...) {
    std::exit(1);
  }
  @communicate { x@root <<= 1@0 }
  return 0;
}

void inside() {
  try {
    int root = 0;
    fail_somewhere();
    root = 1;
    for (int k = 0; k < 3; ++k) @communicate { x@root <<= 1@k }
  } catch (...) {
  }
}

}  // namespace

int main() {
  goes_on();
  by_other_functions();
  inside();
  return ends(true);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

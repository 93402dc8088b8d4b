// A block of another file that not all ranks may reach is reported at the call that some may not make, once for
// each call.
// RUN: %kanorc -c %s -o %t.o 2>&1 | %check_output --implicit-check-not=warning:
#include <kanor/std/collectives.hpp>
#include <kanor/std/reorder.hpp>

using kanor::world;

void all_ranks(std::vector<int>& values) {
  kanor::rotate(values, 1);
  if (world.size() > 2) kanor::rotate(values, 2);
  const kanor::team upper = world.split(world.rank() > 3, 0);
  if (world.rank() > 3) values[0] = kanor::all_sum(3, upper);
}

void some_ranks(std::vector<int>& values) {
  if (world.rank() > 0) kanor::broadcast(values[0], 0);
// CHECK:{{.*}}nonuniform_calls.cpp:[[@LINE-1]]:25: warning: some ranks may not reach this call: control flow depends on the rank [-Wkanor-nonuniform]
// CHECK-NEXT:  if (world.rank() > 0) kanor::broadcast(values[0], 0);
// CHECK:{{.*}}broadcast.hpp:{{[0-9]+}}:3: note: it executes this block
// CHECK:{{.*}}nonuniform_calls.cpp:[[@LINE-4]]:7: note: whether a rank comes here depends on 'world.rank() > 0'
// CHECK:kanorc: note: all ranks must make the call; for some ranks only, the block needs a team of them
  while (values[0] > world.rank()) {
    kanor::rotate(values, 1);
// CHECK:{{.*}}nonuniform_calls.cpp:[[@LINE-1]]:5: warning: some ranks may not reach this call: control flow depends on the rank [-Wkanor-nonuniform]
// CHECK:{{.*}}.hpp:{{[0-9]+}}:3: note: it executes this block
// CHECK:{{.*}}nonuniform_calls.cpp:[[@LINE-4]]:10: note: whether a rank comes here depends on 'values[0] > world.rank()'
  }
}

int main() {
  std::vector<int> values{1, 2, 3};
  all_ranks(values);
  some_ranks(values);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

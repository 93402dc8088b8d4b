// RUN: %kanorc -c %s -o %t.o 2>&1 | %check_output
// A team is split by all of its members together, in files without blocks as well.
#include <kanor/kanor.hpp>

using kanor::world;

kanor::team halves() {
  if (world.rank() == 0) return world.split(0, 0);
// CHECK:{{.*}}split_without_blocks.cpp:[[@LINE-1]]:33: warning: some ranks may not reach this split: control flow depends on the rank [-Wkanor-nonuniform]
// CHECK-NEXT:  if (world.rank() == 0) return world.split(0, 0);
// CHECK-NEXT:                                ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}split_without_blocks.cpp:[[@LINE-4]]:7: note: whether a rank comes here depends on 'world.rank() == 0'
// CHECK-NEXT:  if (world.rank() == 0) return world.split(0, 0);
// CHECK-NEXT:      ^~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: all members of a team must call 'split'; ranks that need no team can use another colour
  if (world.size() > 2) return world;
  return world.split(world.rank() % 2, 0);
// CHECK:{{.*}}split_without_blocks.cpp:[[@LINE-1]]:10: warning: some ranks may not reach this split: control flow depends on the rank [-Wkanor-nonuniform]
}

kanor::team fine(int colour) {
  return world.size() > 3 ? world.split(colour, 0) : world.split(world.rank() / 2, 0);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

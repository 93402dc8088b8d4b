// RUN: %not %kanorc -Werror=kanor-nonuniform -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %kanorc --explain -Wno-kanor-nonuniform %s 2>&1 | %FileCheck --check-prefix=SHARING %s
// KIND: nonuniform
// What the fence of a window changes may differ between ranks, and is not shared.
#include <kanor/kanor.hpp>

#include <vector>

int main() {
  const int me = kanor::world.rank();
  int count = 1;
  std::vector<int> x(4000), y(4000);
  kanor::window<int> of_count(&count, 1);
  kanor::window of_x(x);
  of_count.put(0, 0, me);
  of_x.put(0, me, me);
  // CHECK-NOT: error
  of_count.fence();
  of_x.fence();
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: error: 'count' in a rank expression may differ between ranks, but must be the same on all ranks
  @communicate { y@i <<= x@count - 1 where i in world }
  // SHARING: [[@LINE-1]]:{{[0-9]+}}: remark: 'x' is copied: an object is created that may keep it
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A rank that starts threads of its own: they must see their rank's globals.
// RUN: %kanorc %s -o %t
// RUN: %kanorrun -n 3 %t > %t.out 2> %t.err
// RUN: %FileCheck %s --check-prefix=OUT < %t.out
// RUN: %not %kanorrun -n 3 --mode threads %t 2>&1 | %FileCheck %s --check-prefix=THREADS
// RUN: %run_everywhere --modes processes,mpi --ranks 1,2,4 %t
// OUT-COUNT-3: globals_threads rank {{[0-2]}} of 3: ok
// THREADS: kanor: {{.*}}thread
// THREADS-NOT: globals_threads rank
#include "check.hpp"

#include <thread>
#include <vector>

namespace {
int total = 0;
}

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank();
  std::vector<std::thread> workers;
  for (int k = 0; k < 3; ++k) {
    workers.emplace_back([k] { total += k + 1; });
    workers.back().join();
  }
  CHECK_EQ(total, 6);
  total += me;
  int sum = 0;
  @communicate { sum@i << + << total@s where i, s in world }
  CHECK_EQ(sum, 6 * n + n * (n - 1) / 2);
  return check::finish("globals_threads");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

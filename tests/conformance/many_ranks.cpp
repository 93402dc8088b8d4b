// RUN: %kanorc -O1 %s -o %t
// RUN: %run_everywhere --modes threads,processes,mpi --ranks 16 --timeout 30 %t
// RUN: %run_everywhere --modes threads,processes --ranks 64,100 --timeout 30 %t
// RUN: env KANOR_THREADS=8 %mpiexec -n 2 %t | sort > %t.mpi
// RUN: %kanorrun -n 16 --mode threads %t | sort > %t.threads
// RUN: diff %t.mpi %t.threads
// Many more ranks than cores must be slow only in proportion to the work.
#include "check.hpp"

#include <vector>

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank();
  int token = me;
  for (int round = 0; round < 50; ++round) {
    @communicate { token@(i + 1) % n <<= token@i where i in world }
  }
  CHECK_EQ(token, ((me - 50) % n + n) % n);
  std::vector<int> everyone(n);
  @communicate { everyone[i]@j <<= i * i@i where i, j in world }
  for (int i = 0; i < n; ++i) CHECK_EQ(everyone[i], i * i);
  for (int root = 0; root < n; root += 7) {
    int got = -1;
    long sum = -1;
    @communicate { got@i <<= 5 * root@root where i in world; sum@root << + << me@s where s in world }
    CHECK_EQ(got, 5 * root);
    CHECK_EQ(sum, me == root ? n * (n - 1L) / 2 : -1);
  }
  return check::finish("many_ranks");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// REQUIRES: mpi
// RUN: %kanorc %s -o %t && %run_everywhere --ranks 1,3 %t
// RUN: %host_cxx -x c -Wall -Wextra -shared -fPIC %S/Inputs/count_sends.c -o %t.so
// RUN: env MPIR_CVAR_NOLOCAL=1 UCX_TLS=tcp,self %mpiexec -n 3 env LD_PRELOAD=%t.so %t 2> %t.counts
// RUN: %FileCheck %s < %t.counts
// All that a block sends to one rank is one message, whatever statements, elements and types it is of: ten blocks are ten
// messages to each of two ranks.
// CHECK-DAG: process 0: 20 messages
// CHECK-DAG: process 1: 0 messages
// CHECK-DAG: process 2: 0 messages
#include "check.hpp"

#include <string>
#include <vector>

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank();
  std::vector<int> from(500), to(500), list;
  for (int k = 0; k < 500; ++k) from[static_cast<std::size_t>(k)] = 1000 * me + k;
  for (int round = 0; round < 10; ++round) {
    std::string text;
    int sum = -1;
    double grid[4][4] = {};
    @communicate {
      to[k]@i <<= from[k] + round@0 where i in world, i > 0, k in {0 ... 499};
      list@i <<= from@0 where i in world, i > 0;
      text@i << + << std::string(1, static_cast<char>('a' + k))@0 where k in {0 ... 25}, i in {1 ... n - 1};
      grid[:][1 : 2]@i <<= from[8 * i : 8]@0 where i in range(1, n);
      sum@i << max << from[k]@0 where i in world, 0 < i, k in {0 ... 9}
    }
    CHECK_EQ(to[7], me == 0 ? 0 : 7 + round);
    CHECK_EQ(text, me == 0 ? "" : "abcdefghijklmnopqrstuvwxyz");
    CHECK_EQ(sum, me == 0 ? -1 : 9);
    CHECK_EQ(grid[1][2], me == 0 ? 0.0 : 8.0 * me + 3);
    CHECK_EQ(list.size(), me == 0 ? 0u : 500u);
  }
  return check::finish("one_message");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: %kanorc %s -o %t && %run_everywhere --modes threads,processes,mpi,mpi-threads --ranks 1,2,3,8,9,17 %t
// Where only senders know, updates that meet come in the order of their senders' ranks, then in each sender's own. (In
// checked mode they are an error.)
#include "check.hpp"

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank();
  int last = -1;
  @communicate (knows = sender) { last@i <<= 10 * me + k@me where k in {0 ... 2}, i in world, (i + me) % 2 == 0 }
  int winner = n - 1;
  while ((winner + me) % 2 != 0) --winner;
  CHECK_EQ(last, winner < 0 ? -1 : 10 * winner + 2);

  // The receiver's own order counts where it is the one that knows.
  int mine = -1;
  @communicate (knows = receiver) { mine@me <<= 100 * me@(me + n - k) % n where k in {0 ... n - 1}, k != 1 }
  CHECK_EQ(mine, 100 * ((me + (n > 2 ? 1 : 0)) % n));
  return check::finish("one_sided_order");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

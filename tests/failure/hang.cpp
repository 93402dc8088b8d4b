// A job that hangs is reported, with where each rank waits; checked mode ends it. Ranks that compute do not hang.
// RUN: %kanorc %s -o %t
// RUN: %check_failure --at-once --set KANOR_CHECK=1 --set KANOR_HANG_SECONDS=2 --within 4 \
// RUN:   --message 'the job hangs: every rank waits or has ended, and nothing has moved for 2 seconds' \
// RUN:   --message 'rank 0: waits in the block at .*hang.cpp:50 .of a team of 2 ranks, as its rank 1. for data from rank 1$' \
// RUN:   --message 'rank 1: waits in the block at .*hang.cpp:48 .of a team of 2 ranks, as its rank 1. for data from rank 0$' \
// RUN:   --message 'the likely cause: ranks execute the blocks of different teams in contradicting orders$' \
// RUN:   --message 'rank 2: its main has ended .last (block|split) at .*hang.cpp:[0-9]+.$' %t crossed
// RUN: %check_failure --at-once --set KANOR_CHECK=1 --set KANOR_HANG_SECONDS=2 --within 4 --message 'rank 1: waits in the split at .*hang.cpp:[0-9]+ .of a team of 4 ranks, as its rank 1. for data from rank [0-3]$' %t split
// RUN: env KANOR_CHECK=1 KANOR_HANG_SECONDS=2 %run_everywhere --at-once --keep KANOR_CHECK,KANOR_HANG_SECONDS --modes threads,processes,mpi,mpi-threads --ranks 2,4 %t computes
// RUN: env KANOR_RANKS=3 KANOR_MODE=threads KANOR_HANG_SECONDS=1 %not timeout 4 %t crossed > %t.out 2>&1
// RUN: %FileCheck %s --check-prefixes=GOES-ON,ENDED < %t.out
// RUN: env KANOR_RANKS=3 KANOR_MODE=processes KANOR_HANG_SECONDS=1 %not timeout 4 %t crossed > %t.out 2>&1
// RUN: %FileCheck %s --check-prefixes=GOES-ON,ENDED < %t.out
// RUN: %if mpi %{ env KANOR_HANG_SECONDS=1 %not timeout 8 %mpiexec -n 2 %t crossed > %t.out 2>&1 %}
// RUN: %if mpi %{ %FileCheck %s --check-prefix=GOES-ON < %t.out %}
// RUN: env KANOR_RANKS=3 KANOR_MODE=processes KANOR_HANG_SECONDS=2 %t computes > %t.out 2>&1
// RUN: %FileCheck %s --check-prefix=COMPUTES < %t.out
// GOES-ON:      kanor: the job hangs: every rank waits or has ended, and nothing has moved for 1 second (KANOR_HANG_SECONDS)
// GOES-ON: kanor: rank 0: waits in the block at {{.*}}hang.cpp:[[@LINE+30]] for data from rank 1
// GOES-ON: kanor: rank 1: waits in the block at {{.*}}hang.cpp:[[@LINE+27]] for data from rank 0
// ENDED:        kanor: rank 2: {{has ended|its main has ended}} (last {{block|split}} at {{.*}}hang.cpp:{{[0-9]+}})
// GOES-ON: kanor: the job is not ended; with KANOR_CHECK=1 it is, and blocks in which ranks differ are found
// GOES-ON-NOT: kanor: rank
// COMPUTES-NOT: kanor:
// COMPUTES: has 0
#include <kanor/kanor.hpp>

#include <cstdio>
#include <ctime>
#include <string>
#include <unistd.h>

int main(int, char** argv) {
  const std::string how = argv[1];
  const int me = kanor::world.rank();
  int a = me, b = -1;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::fprintf(stderr, "failing at %lld.%09ld\n", static_cast<long long>(now.tv_sec), now.tv_nsec);

  if (how == "crossed") {
    // Ranks 0 and 1 execute the blocks of two teams, each in another order, and wait for each other.
    const kanor::team one = kanor::world.split(me < 2, me), other = kanor::world.split(me < 2, -me);
    const int first = me == 0 ? 1 : 0;
    for (int k = 0; k < 2 && me < 2; ++k)
      if (k == first)
        @communicate (team = one) { b@1 <<= a@0 }
      else
        @communicate (team = other) { b@1 <<= a@0 }
  }
  if (how == "split") {
    const kanor::team one = kanor::world.split(0, 0), other = kanor::world.split(0, 0);
    if (me == 1) one.split(0, 0);
    other.split(0, 0);
    if (me != 1) one.split(0, 0);
  }
  if (how == "computes") {
    if (me == 1) usleep(3'500'000);
    @communicate { b@i <<= a@1 where i in world }
    if (me == 0) usleep(3'500'000);
    @communicate { b@i <<= a@0 where i in world }
    std::printf("%d has %d\n", me, b);
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A signal handler finds the variables of its rank, however ranks are started.
// RUN: %kanorc %s -o %t 2> %t.warnings && test ! -s %t.warnings
// RUN: %run_everywhere --modes threads,processes,mpi,mpi-machines,mpi-threads --ranks 1,3 %t | %FileCheck %s
// RUN: %kanorc -DTIMER %s -o %t.timer && %run_everywhere --modes processes,mpi,mpi-machines --ranks 1,3 %t.timer | %FileCheck %s
// CHECK: ranks: 1
// CHECK-NEXT: caught 3, and 5 for all
// CHECK-NEXT: ranks: 3
// CHECK-COUNT-3: caught 3, and 7 for all
#include <kanor/kanor.hpp>

#include <csignal>
#include <cstdio>
#include <ctime>
#include <sys/time.h>
#include <unistd.h>

volatile std::sig_atomic_t caught = 0;

int main() {
  const int me = kanor::world.rank();
  std::signal(SIGUSR1, [](int) { caught = caught + 1; });
  std::signal(SIGALRM, [](int) { caught = caught + 2; });
  kill(getpid(), SIGUSR1);
#ifdef TIMER
  const itimerval soon{{0, 0}, {0, 1000}};
  setitimer(ITIMER_REAL, &soon, nullptr);
#else
  ualarm(1000, 0);
#endif
  for (int look = 0; look < 10000 && caught != 3; ++look) {
    const timespec pause{0, 1000000};
    nanosleep(&pause, nullptr);
  }
  int sum = 0;
  @communicate { sum@r << + << caught + (me == 0 ? 4 : 0) - 2@i where r, i in world }
  std::printf("caught %d, and %d for all\n", static_cast<int>(caught), sum);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Rank 2 is stopped for several times KANOR_HOST_SECONDS, as in a debugger; then it goes on, and so do the others.
#include <kanor/kanor.hpp>

#include <csignal>
#include <cstdio>
#include <unistd.h>

int main() {
  int token = 0;
  if (kanor::world.rank() == 2) {
    const pid_t rank = getpid();
    if (fork() == 0) {
      sleep(5);
      kill(rank, SIGCONT);
      _exit(0);
    }
    kill(rank, SIGSTOP);
    token = 7;
  }
  @communicate { token@i <<= token@2 where i in world }
  std::printf("rank %d has %d\n", kanor::world.rank(), token);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

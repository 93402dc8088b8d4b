// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ranks have forked ends with a job that fails; after a job that ends as it should it goes on.
// RUN: %kanorc %s -o %t
// RUN: %check_failure --message 'rank 2: .*out of luck' --modes threads %t throw
// RUN: %check_failure --message 'rank 2: .*out of luck' --modes processes,mpi,mpi-threads,kanorrun,openmpi %t throw orphans
// RUN: %check_failure --message 'rank 2: ended with exit status 3' --status 3 --modes threads %t exit
// RUN: %check_failure --message 'rank 2: ended with exit status 3' --status 3 --modes processes,mpi,mpi-threads,kanorrun,openmpi %t exit orphans
// RUN: %check_failure --message 'rank 2: segmentation fault' --modes threads %t segv
// RUN: %check_failure --message 'rank 2: segmentation fault' --modes processes,mpi,mpi-threads,kanorrun,openmpi %t segv orphans
// RUN: %check_failure --message 'rank 2: killed .SIGKILL' --status 137 --modes processes,mpi,kanorrun %t kill orphans
// RUN: %check_failure --modes openmpi %t kill orphans
// RUN: %check_failure --interrupt INT --status 130 --modes processes,mpi,kanorrun %t endless orphans
// RUN: %check_failure --interrupt TERM --status 143 --modes processes,mpi,kanorrun %t endless orphans
// RUN: %check_failure --interrupt KILL --status 137 --modes mpi,kanorrun %t endless orphans
// RUN: %kanorrun -n 2 --mode threads %t end | %FileCheck --check-prefix=GOES-ON %s
// RUN: %kanorrun -n 2 --mode processes %t end | %FileCheck --check-prefix=GOES-ON %s
// GOES-ON-DAG: a child of rank 0 goes on
// GOES-ON-DAG: a child of rank 1 goes on
#include <kanor/kanor.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace {

/// A child and a child of its own; with orphans also one whose parent has ended, as of a command that a shell
/// runs in the background.
void fork_some(const std::string& how, bool orphans) {
  const pid_t rank = getpid();
  const int me = kanor::world.rank();
  if (fork() != 0) {
    usleep(20'000);
    return;
  }
  if (how == "end") {
    while (getppid() == rank) usleep(1'000);
    usleep(100'000);
    std::printf("a child of rank %d goes on\n", me);
    std::fflush(stdout);
    _exit(0);
  }
  if (fork() == 0 && orphans && fork() != 0) _exit(0);
  for (;;) pause();
}

}  // namespace

int main(int arguments, char** argv) {
  const std::string how = argv[1];
  int token = 0;
  fork_some(how, arguments > 2);
  @communicate { token@i << + << 1@s where i, s in world }
  if (how == "end") return 0;
  if (kanor::world.rank() == 2) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    std::fprintf(stderr, "failing at %lld.%09ld\n", static_cast<long long>(now.tv_sec), now.tv_nsec);
    if (how == "throw") throw std::runtime_error("out of luck");
    if (how == "exit") std::exit(3);
    if (how == "segv") *reinterpret_cast<volatile int*>(8) = 1;
    if (how == "kill") kill(getpid(), SIGKILL);
    for (;;) pause();
  }
  @communicate { token@i <<= token@2 where i in world }
}

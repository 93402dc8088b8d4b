// A rank that does not handle a signal ends the job as if no rank did, and one that handles SIGABRT does so after its
// handler.
// RUN: %kanorc %s -o %t 2> %t.warnings && test ! -s %t.warnings
// RUN: %check_failure --message 'rank 2: segmentation fault.*handlers.cpp:[0-9]+' --status 139 %t segv
// RUN: %check_failure --message 'rank 2: aborted .SIGABRT.' --status 134 %t abort
// RUN: %check_failure --message 'rank 2: ended with exit status 4' --status 4 --modes threads,mpi,mpi-threads %t leave
// RUN: %check_failure --status 4 --modes processes %t leave
#include <kanor/kanor.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <unistd.h>

namespace {

void announce() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::fprintf(stderr, "failing at %lld.%09ld\n", static_cast<long long>(now.tv_sec), now.tv_nsec);
}

}  // namespace

int main(int, char** argv) {
  const std::string how = argv[1];
  const int me = kanor::world.rank();
  int token = 1;
  @communicate { token@i << + << 1@s where i, s in world }
  if (me != 2) std::signal(SIGSEGV, [](int) { _exit(5); });
  std::signal(SIGABRT, [](int) {});
  std::signal(SIGUSR1, [](int) { _exit(4); });
  @communicate { token@i << + << 1@s where i, s in world }
  if (me == 2) {
    announce();
    if (how == "segv") *reinterpret_cast<volatile int*>(8) = 1;
    if (how == "abort") std::abort();
    if (how == "leave") std::raise(SIGUSR1);
  }
  @communicate { token@i <<= token@2 where i in world }
  std::fprintf(stderr, "rank %d survived\n", me);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One rank ends the job in an initialiser, before its main: the others wait for it in a block of an initialiser.
// RUN: %kanorc %s -o %t
// RUN: %kanorc --globals=process %s -o %t.process
//
// RUN: %check_failure --message 'rank 2: .*out of luck' --status nonzero %t throw
// RUN: %check_failure --message 'rank 2: .*out of luck' --status nonzero --modes processes,mpi %t.process throw
// RUN: %check_failure --message 'rank 2: ended with exit status 3' --status 3 %t exit
// RUN: %check_failure --message 'rank 2: ended with exit status 3' --status 3 --modes processes,mpi %t.process exit
// RUN: %check_failure --message 'rank 2: ended with exit status 5' --status 5 --modes mpi %t.process _Exit
// RUN: %check_failure --status 5 --modes processes %t.process _Exit
// RUN: %check_failure --message 'rank 2: exit.0. was called .* before or after its main' --modes mpi %t.process exit-0
// RUN: %check_failure --message 'rank [0-3]: .*waits for data from rank 2, which has ended' --modes processes %t.process exit-0
// RUN: %check_failure --message 'rank 2: the reason' --modes processes,mpi %t.process kanor-abort
// RUN: %check_failure --message 'rank 2: segmentation fault' --status 139 --modes processes,mpi %t.process segv
// RUN: %check_failure --message 'rank 2: killed .SIGKILL' --status 137 --modes processes,mpi %t.process kill
//
// A block in an initialiser of what all ranks of a process share.
// RUN: %kanorc -DSHARED %s -o %t.shared && %not %kanorrun -n 2 %t.shared none 2>&1 | %FileCheck %s --check-prefix=SHARED
// SHARED: outside a rank: {{.*}}initialisers of variables that are {{\[\[}}kanor::shared]]
#include <kanor/error.hpp>
#include <kanor/kanor.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace {

void announce() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::fprintf(stderr, "failing at %lld.%09ld\n", static_cast<long long>(now.tv_sec), now.tv_nsec);
}

/// The program's first argument, which no initialiser is given.
std::string asked() {
  std::ifstream command("/proc/self/cmdline");
  std::string program, how;
  std::getline(command, program, '\0');
  std::getline(command, how, '\0');
  return how;
}

int begin() {
  const std::string how = asked();
  int token = 0;
  @communicate { token@i << + << 1@s where i, s in kanor::world }
  if (kanor::world.rank() == 2) {
    announce();
    if (how == "throw") throw std::runtime_error("out of luck");
    if (how == "exit") std::exit(3);
    if (how == "_Exit") std::_Exit(5);
    if (how == "exit-0") std::exit(0);
    if (how == "kanor-abort") kanor::abort("the reason");
    if (how == "segv") *reinterpret_cast<volatile int*>(8) = 1;
    if (how == "kill") kill(getpid(), SIGKILL);
  }
  @communicate { token@i << + << 1@s where i, s in kanor::world }
  return token;
}

#ifdef SHARED
[[kanor::shared]]
#endif
int token = begin();

}  // namespace

int main() { std::printf("rank %d: main has begun with %d\n", kanor::world.rank(), token); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One rank ends the job, in every way that a program can: the others are in a block that waits for it, in a long
// computation, or asleep. Where, and the message, differ by case; the rest is checked by check_failure.py.
// RUN: %kanorc %s -o %t
//
// RUN: %check_failure --message 'rank 2: .*out of luck.*ends.cpp:[0-9]+' --status nonzero %t throw
// RUN: %check_failure --message 'rank 2: .*ends.cpp:[0-9]+' %t throw-number
// RUN: %check_failure --message 'rank 2: ended with exit status 3' --status 3 %t exit
// RUN: %check_failure --message 'rank 2: ended with exit status 7' --status 7 %t return
// RUN: %check_failure --message 'rank 2: ended with exit status 5' --status 5 --modes threads,mpi,mpi-threads %t _Exit
// RUN: %check_failure --status 5 --modes processes %t _Exit
// RUN: %check_failure --message 'rank [0-3]: .*waits for data from rank 2, which has ended.*ends.cpp:[0-9]+' %t _exit-0
// RUN: %check_failure --message 'rank [0-3]: .*waits for data from rank 2, which has ended.*ends.cpp:[0-9]+' %t quick_exit-0
// RUN: %check_failure --message 'rank 2: execl.. was called on a rank.*fork.*ends.cpp:[0-9]+' --modes threads,mpi,mpi-threads %t exec
// RUN: %check_failure --message 'rank [0-3]: .*waits for data from rank 2, which has ended.*ends.cpp:[0-9]+' --modes processes %t exec
// RUN: %check_failure --message 'rank 2: .*ends.cpp:[0-9]+' %t abort
// RUN: %check_failure --message 'rank 2: .*ends.cpp:[0-9]+' %t segv
// RUN: %check_failure --message 'rank 2: segmentation fault: the stack has overflowed.*ulimit -s.*ends.cpp:[0-9]+' %t overflow
// RUN: %check_failure --message 'rank 2: .*ends.cpp:[0-9]+' %t divide
// RUN: %check_failure --message 'rank 2: killed .SIGKILL.*ends.cpp:[0-9]+' --status 137 --modes processes,mpi %t kill
// RUN: %check_failure --message 'the process of ranks 2 to 3: killed .SIGKILL' --status 137 --modes mpi-threads %t kill
// RUN: %check_failure --message 'rank 2: terminated .SIGTERM.*ends.cpp:[0-9]+' --status 143 --modes processes,mpi %t term
// RUN: %check_failure --message 'rank 2: hung up .SIGHUP.*ends.cpp:[0-9]+' --status 129 --modes processes,mpi %t hup
// RUN: %check_failure --message 'rank 2: .*SIGUSR1.*ends.cpp:[0-9]+' --status 138 --modes processes,mpi %t usr1
// RUN: %check_failure --message 'rank 2: ended with exit status 6.*ends.cpp:[0-9]+' --status 6 --modes processes,mpi %t unseen-exit
// RUN: %check_failure --message 'rank 2: segmentation fault' --status 139 --modes processes,mpi %t segv
// RUN: %check_failure --message 'rank 2: the reason.*ends.cpp:[0-9]+' %t kanor-abort
// RUN: %check_failure --message 'rank 2: .*terminate.*ends.cpp:[0-9]+' %t terminate
//
// Ways out with status 0 of more than a rank.
// RUN: %check_failure --message 'rank 2: exit.0. was called on a thread that the rank has started.*ends.cpp:[0-9]+' --modes threads,mpi-threads %t thread-exit
// RUN: %check_failure --message 'rank 2: _exit.0. was called on a thread that the rank has started.*ends.cpp:[0-9]+' --modes threads,mpi %t thread-_exit
// RUN: %check_failure --message 'rank 2: a library has called exit.0. on this rank' --modes threads %t library-exit
//
// Errors in a block.
// RUN: %check_failure --message 'rank [0-9]: .*ends.cpp:[0-9]+: in .a@i . n <<= a@0 .* for i = 0, .* 4, but the team has 4 ranks' %t rank-too-large
// RUN: %check_failure --message 'rank [0-9]: .*ends.cpp:[0-9]+: in .a@0 <<= a@n - n - 1.* -1, but the team has 4 ranks' %t rank-negative
// RUN: %check_failure --message 'rank 0: .*ends.cpp:[0-9]+: in .three@0 <<= v@1.*\b(3.*\b5|5.*\b3)\b' %t lengths
// RUN: %check_failure --message 'rank 0: .*ends.cpp:[0-9]+: in .v@0 .*\b(3.*\b2|2.*\b3)\b' %t fold-lengths
// RUN: %check_failure --message 'rank 1: .*thrown in a value.*in the block at .*ends.cpp:[0-9]+' %t throw-in-value
// RUN: %check_failure --message 'rank [0-9]: .*ends.cpp:[0-9]+: in .a@n <<= a@0.* 4, but the team has 4 ranks' %t caught
// RUN: %check_failure --message 'rank [0-9]: .*ends.cpp:[0-9]+' %t nested
//
// All ranks end at once, the lowest one last: its status counts; between MPI processes without common memory the
// first that says so.
// RUN: %check_failure --message 'rank 0: ended with exit status 10' --status 10 --hosts-status 10-13 %t all
// RUN: %check_failure --message 'rank [0-3]: ended with exit status 1[0-3]' --status 10-13 --modes mpi --set KANOR_DISABLE=node-memory %t all
//
// Somebody ends the job from outside: by Ctrl-C, politely, or so that nothing can be cleaned up.
// RUN: %check_failure --interrupt INT --status 130 --modes threads,processes %t endless
// RUN: %check_failure --interrupt TERM --status 143 --modes threads,processes %t endless
// RUN: %check_failure --interrupt KILL --status 137 --modes threads,processes,mpi,mpi-threads %t endless
// RUN: %check_failure --interrupt TERM --status 143 --modes mpi %t endless
// RUN: %check_failure --interrupt INT --status 130 --modes mpi %t endless
// RUN: %check_failure --interrupt KILL --victim hydra_pmi_proxy --modes mpi %t endless
//
// The first failure counts, and one rank is enough for a job of many.
// RUN: %check_failure --message 'rank 2: .*out of luck' --ranks 16 --modes threads,processes %t throw
#include <kanor/error.hpp>
#include <kanor/kanor.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <stdexcept>
#include <dlfcn.h>
#include <string>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

void announce() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::fprintf(stderr, "failing at %lld.%09ld\n", static_cast<long long>(now.tv_sec), now.tv_nsec);
}

const std::vector<int>& throwing(const std::vector<int>& value) {
  if (kanor::world.rank() == 1) throw std::runtime_error("thrown in a value");
  return value;
}

int inner(int x) {
  @communicate { x@0 <<= x@1 }
  return x;
}

int recurse(volatile char* above) {
  volatile char frame[1 << 16];
  frame[0] = above == nullptr ? 'a' : above[0];
  return recurse(frame) + frame[0];
}

void block_error(const std::string& how, std::vector<int>& v, int (&three)[3], int n) {
  std::vector<int> short_or_long(kanor::world.rank() == 1 ? 3 : 2);
  int a = 0;
  if (how == "rank-too-large") @communicate { a@i + n <<= a@0 where i in world }
  if (how == "rank-negative") @communicate { a@0 <<= a@n - n - 1 }
  if (how == "lengths") @communicate { three@0 <<= v@1 }
  if (how == "fold-lengths") @communicate { v@0 << + << short_or_long@i where i in world }
  if (how == "throw-in-value") @communicate { v@0 <<= throwing(v)@1 }
  if (how == "caught") try { @communicate { a@n <<= a@0 } } catch (...) {}
  if (how == "nested") @communicate { a@0 <<= inner(a)@1 }
}

}  // namespace

int main(int, char** argv) {
  const std::string how = argv[1];
  const int n = kanor::world.size(), me = kanor::world.rank();
  std::vector<int> v(5);
  int three[3] = {}, token = 0;
  for (int round = 0; round < 3; ++round) {
    @communicate { token@i << + << 1@s where i, s in world }
  }
  const bool in_block = how == "rank-too-large" || how == "rank-negative" || how == "lengths" || how == "fold-lengths" ||
                        how == "throw-in-value" || how == "caught" || how == "nested";
  if (me == 2 || in_block || how == "all") announce();
  if (in_block) block_error(how, v, three, n);
  if (how == "all") {
    usleep(static_cast<unsigned>(n - 1 - me) * 5'000);
    std::exit(10 + me);
  }
  if (me == 2) {
    if (how == "throw") throw std::runtime_error("out of luck");
    if (how == "throw-number") throw 42;
    if (how == "exit") std::exit(3);
    if (how == "return") return 7;
    if (how == "_Exit") std::_Exit(5);
    if (how == "_exit-0") _exit(0);
    if (how == "quick_exit-0") std::quick_exit(0);
    if (how == "thread-exit") std::thread([] { std::exit(0); }).join();
    if (how == "thread-_exit") std::thread([] { _exit(0); }).join();
    if (how == "library-exit") reinterpret_cast<void (*)(int)>(dlsym(RTLD_NEXT, "exit"))(0);
    if (how == "exec") execl("/bin/true", "true", nullptr);
    if (how == "abort") std::abort();
    if (how == "segv") *reinterpret_cast<volatile int*>(8) = 1;
    if (how == "overflow") return recurse(nullptr) % 2;
    if (how == "divide") return argv[0][0] / (n - token);
    if (how == "kill") kill(getpid(), SIGKILL);
    if (how == "term") kill(getpid(), SIGTERM);
    if (how == "hup") kill(getpid(), SIGHUP);
    if (how == "usr1") kill(getpid(), SIGUSR1);
    if (how == "unseen-exit") syscall(SYS_exit_group, 6);
    if (how == "kanor-abort") kanor::abort("the reason");
    if (how == "terminate") std::terminate();
  }
  // Nobody comes here with rank 2's value: one waits in the block, one computes, one sleeps.
  if (me == 3) sleep(30);
  volatile double busy = 1;
  if (me == 1)
    for (;;) busy = busy * 1.0000001;
  @communicate { token@i <<= token@2 where i in world }
  std::fprintf(stderr, "rank %d survived\n", me);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Blocks in the destructors of variables with static storage that cannot be completed: others execute none, or the job
// ends.
// RUN: %kanorc %s -o %t
// RUN: %check_failure --message 'rank 0: waits for data from rank [1-3], which has ended: .*destructors.cpp:[0-9]+' %t alone
// RUN: %check_failure --set KANOR_CHECK=1 --message 'checked mode: rank (0 executes the block at .*destructors.cpp:[0-9]+ where rank [13] has ended|[1-3] has ended where rank 0 executes the block at .*destructors.cpp:[0-9]+|0 executes the block at .*destructors.cpp:[0-9]+ where rank [13])' %t alone
// RUN: %check_failure --message 'rank 2: ended with exit status 7' --status 7 %t return
// RUN: %check_failure --message 'rank 2: ended with exit status 7' --status 7 %t exit
// RUN: %check_failure --message 'rank [0-3]: ended with exit status 5' --status 5 %t all
// RUN: %check_failure --message 'rank 2: the reason .last block at .*destructors.cpp:[0-9]+' --status 1 %t abort
#include <kanor/error.hpp>
#include <kanor/kanor.hpp>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

namespace {

void announce() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::fprintf(stderr, "failing at %lld.%09ld\n", static_cast<long long>(now.tv_sec), now.tv_nsec);
}

struct Sum {
  std::string how;
  ~Sum() {
    const int n = kanor::world.size(), me = kanor::world.rank();
    int sum = 0;
    if (how == "alone" && me != 0) return;
    if (how == "abort" && me == 2) kanor::abort("the reason");
    @communicate { sum@i << + << me@j where i, j in world }
    std::fprintf(stderr, "rank %d survived with %d of %d\n", me, sum, n);
  }
};

Sum last;

}  // namespace

int main(int, char** argv) {
  const int me = kanor::world.rank();
  int a = me;
  last.how = argv[1];
  @communicate { a@i <<= a@0 where i in world }
  announce();
  if (me == 2 && last.how == "return") return 7;
  if (me == 2 && last.how == "exit") std::exit(7);
  if (last.how == "return" || last.how == "exit") @communicate { a@i <<= a@2 where i in world }
  return last.how == "all" ? 5 : 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sets, ranks and sections that only a run shows to be impossible: each message has the line, the binding and the numbers.
// RUN: %kanorc -Wno-kanor-nonuniform %s -o %t
// RUN: %check_failure --modes threads,mpi --message 'rank [0-3]: a kanor::range has step 0 .in the block at .*bindings.cpp:[0-9]+' %t range-step
// RUN: %check_failure --modes threads,mpi --message 'rank [0-3]: a set of unsigned numbers begins with -1 .give both ends one type. .in the block at .*bindings.cpp:[0-9]+' %t unsigned-interval
// RUN: %check_failure --modes threads,mpi --message 'rank [0-3]: a set of unsigned numbers begins with -1' %t unsigned-list
// RUN: %check_failure --modes threads,mpi --message 'rank [0-3]: .*bindings.cpp:[0-9]+: in .a@i . j <<= a@0 .* for i = 3, j = 1, the receiver.s rank is 4, but the team has 4 ranks: 0 to 3' %t two-names
// RUN: %check_failure --modes threads,mpi --message 'rank [0-3]: .*bindings.cpp:[0-9]+: in .a@i << . << a@i - 1 .* for i = 0, the sender.s rank is -1, but the team has 4 ranks: 0 to 3' %t reduction
// RUN: %check_failure --modes threads,mpi --message 'rank [0-3]: .*bindings.cpp:[0-9]+: in .a@i <<= a@.i - 1. % n .* for i = 0, the sender.s rank is -1, but the team has 4 ranks: 0 to 3; .%. of a negative number is negative: add the number of ranks before it' %t remainder
// RUN: %check_failure --modes threads,mpi --message 'rank [0-3]: .*bindings.cpp:[0-9]+: in .a@wide <<= a@0., the receiver.s rank is 4294967297, but the team has 4 ranks: 0 to 3' %t wide
// RUN: %check_failure --modes threads,mpi --message 'rank 2: .*bindings.cpp:[0-9]+: in .a@to <<= a@me., the receiver.s rank is 9, but the team has 4 ranks: 0 to 3' %t sender-knows
// RUN: %check_failure --modes threads,mpi --message 'rank 2: .*bindings.cpp:[0-9]+: in .a@me <<= a@to., the sender.s rank is 9, but the team has 4 ranks: 0 to 3' %t receiver-knows
// RUN: %check_failure --modes threads,mpi --message 'rank [0-3]: .*bindings.cpp:[0-9]+: in .a@n <<= a@0., the receiver.s rank is 4, but the team has 4 ranks: 0 to 3' %t pending
// RUN: %check_failure --modes threads,mpi --message 'rank 0: .*bindings.cpp:[0-9]+: in .*for k = 0, the section .0 : 2 : 0. has stride 0, but a stride must be at least 1' %t section-stride
// RUN: %check_failure --modes threads,mpi --message 'rank 1: .*bindings.cpp:[0-9]+: in .*for k = 1, the section .-1 : 2. begins at element -1' %t section-first
// RUN: %check_failure --modes threads,mpi --message 'rank 3: .*bindings.cpp:[0-9]+: in .v@0 <<= v.list.@3., the section lists element 8, beyond length 8' %t listed-beyond
// RUN: %check_failure --modes threads,mpi --message 'rank 3: .*bindings.cpp:[0-9]+: in .*, the section lists element 7 in dimension 2, beyond length 4' %t listed-nowhere
// RUN: %check_failure --modes threads,mpi --message 'rank 2: .*bindings.cpp:[0-9]+: in .*, the section lists element -1 in dimension 2, before the first' %t listed-before
// RUN: %check_failure --modes threads,mpi --message 'rank 0: .*bindings.cpp:[0-9]+: in .v.list.@0 <<= v@3., the place has length 3, but the value has length 8' %t listed-lengths
// RUN: %check_failure --modes threads,mpi --message 'rank 0: .*bindings.cpp:[0-9]+: in .v.0 : n.@0 << . << v.0 : k.@k .* for k = 3, the place has length 4, but the value has length 3' %t fold-lengths
// RUN: %check_failure --modes threads,mpi --message 'rank [0-3]: .*bindings.cpp:[0-9]+: in .a@0 << fails << a@j .*, an exception left an expression of the block: std::runtime_error: no sum' %t operation 0
// RUN: %check_failure --modes threads,mpi --message 'rank [0-3]: .*bindings.cpp:[0-9]+: in .a@0 << fails << a@j .*, an exception left an expression of the block: std::runtime_error: no sum' %t operation 2
// RUN: %check_failure --modes threads,mpi --message 'rank [0-3]: .*bindings.cpp:[0-9]+: in .a@i << fails << a@j .*, an exception left an expression of the block: std::runtime_error: no sum' %t all-reduce 2
#include <kanor/kanor.hpp>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <stdexcept>
#include <string>
#include <vector>

int main(int, char** argv) {
  const std::string how = argv[1];
  const int me = kanor::world.rank(), n = kanor::world.size();
  int a = me;
  std::vector<int> v(8);
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::fprintf(stderr, "failing at %lld.%09ld\n", static_cast<long long>(now.tv_sec), now.tv_nsec);

  const int step = n - 4, minus = 3 - n;
  if (how == "range-step") @communicate { a@i <<= a@0 where i in range(0, n, step) }
  if (how == "unsigned-interval") @communicate { a@i <<= a@0 where i in {minus ... 2u} }
  if (how == "unsigned-list") @communicate { a@i <<= a@0 where i in {2u, minus} }
  if (how == "two-names") @communicate { a@i + j <<= a@0 where i in world, j in {0 ... n / 4}, i == 3 || j == 0 }
  if (how == "reduction") @communicate { a@i << + << a@i - 1 where i in world }
  if (how == "remainder") @communicate { a@i <<= a@(i - 1) % n where i in world }
  for (int turn = 0; argv[2] && turn < 4; ++turn) {
    const auto fails = [&](int x, int y) { return turn < std::atoi(argv[2]) ? x + y : throw std::runtime_error("no sum"); };
    if (how == "operation") @communicate { a@0 << fails << a@j where j in world }
    if (how == "all-reduce") @communicate { a@i << fails << a@j where i, j in world }
  }
  const long wide = (1L << 32) + n / 4;
  if (how == "wide") @communicate { a@wide <<= a@0 }
  const int to = me == 2 ? 9 : 0;
  if (how == "sender-knows") @communicate (knows = sender) { a@to <<= a@me }
  if (how == "receiver-knows") @communicate (knows = receiver) { a@me <<= a@to }
  if (how == "pending") {
    @communicate (async = started) { a@n <<= a@0 }
    started.wait();
  }
  if (how == "section-stride") @communicate { v@k <<= v[0 : 2 : k]@k where k in {0 ... 1} }
  std::vector<long> list{7, n * 2, 0};
  std::vector<std::vector<int>> rows(2, v);
  if (how == "listed-beyond") @communicate { v@0 <<= v[list]@3 }
  if (how == "listed-nowhere") @communicate { v[0 : 0]@2 <<= kanor::section(v, 2, 4)[0 : 0][list]@3 }
  list[1] = -1;
  if (how == "listed-before") @communicate { rows[:][list]@2 <<= v[0 : 6]@3 }
  list[1] = 1;
  if (how == "listed-lengths") @communicate { v[list]@0 <<= v@3 }
  if (how == "section-first") @communicate { v@k <<= v[0 - k : 2]@k where k in {0 ... 1} }
  if (how == "fold-lengths") @communicate { v[0 : n]@0 << + << v[0 : k]@k where k in {n - 1 ... n - 1} }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

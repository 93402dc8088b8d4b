// Messages about blocks of the standard library name the call in the program.
// RUN: %kanorc -Wall -Wextra -Wno-kanor-nonuniform -Werror %s -o %t
// RUN: %check_failure --message 'rank [0-3]: .*broadcast.hpp:[0-9]+: in .value@i <<= value@root where i in members.*the team has 4 ranks.* \(in kanor::broadcast at .*stdlib_calls.cpp:7001\)' %t root
// RUN: %check_failure --modes threads,mpi --message 'std::out_of_range: kanor::migrate at .*stdlib_calls.cpp:7002: an item.s owner is rank 40, and the team has 4 members' %t owner
// RUN: %check_failure --message 'rank 2: .*int.*\(in kanor::all_reduce at .*stdlib_calls.cpp:7003\)' %t throws
// RUN: %check_failure --modes threads,mpi --message 'rank 1: enough \(last kanor::exclusive_scan at .*stdlib_calls.cpp:7004\)' %t last
// RUN: %check_failure --modes threads,mpi --message 'rank 3: enough \(last block at .*stdlib_calls.cpp:7005\)' %t own-block
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank [0-3]: .*\((in|last) kanor::(barrier|all_sum) at .*stdlib_calls.cpp:700[67]\)' %t unlike
// RUN: %check_failure --modes threads,processes --set KANOR_CHECK=1 --set KANOR_HANG_SECONDS=1 --within 3 --message 'the job hangs' --message 'rank [01]: waits in kanor::rebalance at .*stdlib_calls.cpp:700[89] .of a team of 2 ranks' %t hang
#include <kanor/std/collectives.hpp>
#include <kanor/std/migrate.hpp>
#include <kanor/std/reorder.hpp>

#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

int main(int, char** argv) {
  using kanor::world;
  const std::string how = argv[1];
  const int me = world.rank();
  const kanor::team row = world.split(me / 2, me), column = world.split(me % 2, me);
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::fprintf(stderr, "failing at %lld.%09ld\n", static_cast<long long>(now.tv_sec), now.tv_nsec);
  std::vector<int> numbers{me, 10 * me};
  int value = me;
  const auto throwing = [](int a, int b) { return world.rank() == 2 ? throw a : a + b; };
#line 7001
  if (how == "root") kanor::broadcast(value, 9);
  if (how == "owner") kanor::migrate(numbers, [](int one) { return one == 10 ? 40 : 0; });
  if (how == "throws") kanor::all_reduce(me, throwing);
  if (how == "last") kanor::exclusive_scan(me, 0, std::plus<>());
  if (how == "own-block") kanor::barrier(), [&] { @communicate { value@i <<= value@0 where i in world } }();
  if (how == "unlike" && me == 1) kanor::barrier();
  if (how == "unlike") kanor::all_sum(me);
  if (how == "hang" && me == 0) kanor::rebalance(numbers, row);
  if (how == "hang" && me == 1) kanor::rebalance(numbers, column);
  if (how == "last" && me == 1) kanor::abort("enough");
  if (how == "own-block" && me == 3) kanor::abort("enough");
  // Those whose calls have gone well wait here for the others.
  @communicate { value@i <<= value@j where i, j in world, j == (i + 1) % world.size() }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

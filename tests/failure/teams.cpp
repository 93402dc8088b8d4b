// What goes wrong with teams and grids when a program runs.
// RUN: %kanorc %s -o %t
// RUN: %check_failure --message 'rank [0-9]: .*teams.cpp:[0-9]+: in .a@i <<= a@2.* for i = [01], the sender.s rank is 2, but the team has 2 ranks: 0 to 1' %t outside
// RUN: %check_failure --message 'rank [0-9]: .*teams.cpp:[0-9]+: in .a@i <<= a@0 .* for i = 2, the receiver.s rank is 2, but the team has 2 ranks: 0 to 1; .world. is the team of all ranks: use the block.s team' %t whole-world
// RUN: %check_failure --message 'rank 1: the block at .*teams.cpp:[0-9]+ is executed by this rank, which is not a member of its team of 2 ranks .0 and 2 of the world' --modes threads %t stranger
// RUN: %check_failure --message 'rank [0-9]: kanor::team::world_rank.2. in a team of 2 ranks' %t world-rank
// RUN: %check_failure --message 'rank [0-9]: kanor::grid<2> at .*teams.cpp:[0-9]+: the extents 2 x 3 are for 6 ranks, but the team has 4' %t product
// RUN: %check_failure --message 'rank [0-9]: kanor::grid<2>::neighbor of dimension 2, but the grid has 2 dimensions: 0 to 1' %t dimension
// RUN: %check_failure --message 'rank [0-9]: rank [0-9] calls kanor::team::split at line [0-9]+ while this rank is in the block at .*teams.cpp:[0-9]+|rank [0-9]: rank [0-9] (is in the block at .*teams.cpp:|(is|was) in the block at line )[0-9]+ while this rank calls kanor::team::split at .*teams.cpp:[0-9]+' %t split-meets-block
// RUN: %check_failure --message 'rank [0-9]: kanor::team::split is called at .*teams.cpp:[0-9]+ while the block at .*teams.cpp:[0-9]+ is being evaluated' %t split-in-block
// RUN: %check_failure --modes threads --message 'rank 1: kanor::team::rank.. was called by a rank that is not a member of the team of 2 ranks .0 and 2 of the world' %t stranger-number
// RUN: %check_failure --modes threads --message 'rank 1: the call of kanor::team::split at .*teams.cpp:[0-9]+ is executed by this rank, which is not a member of its team of 2 ranks .0 and 2 of the world' %t stranger-split
// RUN: %check_failure --modes threads --message 'rank 2: the block at .*teams.cpp:[0-9]+ is executed by this rank with the object of rank 0 for this team: every member must use the team that its own call of split returned' %t stranger-copy
// RUN: %check_failure --modes threads,mpi --message 'rank [0-9]: kanor::grid<2> at .*teams.cpp:[0-9]+: the extent of dimension 1 is -1' %t extent
// RUN: %check_failure --modes threads,mpi --message 'rank [0-9]: kanor::grid<1>::coords of rank 4, but the team has 4 ranks: 0 to 3' %t coordinates
// RUN: %check_failure --modes threads,mpi --message 'rank [0-9]: .*teams.cpp:[0-9]+: in .a@half.size.. <<= a@0., the receiver.s rank is 2, but the team has 2 ranks: 0 to 1' %t other-team
#include <kanor/kanor.hpp>

#include <cstdio>
#include <ctime>
#include <string>

namespace {

[[kanor::shared]] kanor::team of_rank_zero;

}  // namespace

int main(int, char** argv) {
  const std::string how = argv[1];
  const int me = kanor::world.rank();
  int a = me;
  const kanor::team half = kanor::world.split(me % 2, 0);
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::fprintf(stderr, "failing at %lld.%09ld\n", static_cast<long long>(now.tv_sec), now.tv_nsec);

  if (how == "outside") @communicate (team = half) { a@i <<= a@2 where i in half }
  if (how == "whole-world") @communicate (team = half) { a@i <<= a@0 where i in world }
  if (how == "stranger") {
    if (me == 0) of_rank_zero = half;
    @communicate { a@1 <<= a@0 }
    if (me == 1) @communicate (team = of_rank_zero) { a@0 <<= a@1 }
    @communicate { a@0 <<= a@1 }
  }
  if (how.starts_with("stranger-")) {
    if (me == 0) of_rank_zero = half;
    @communicate { a@1 <<= a@0 }
    if (me == 1 && how == "stranger-number") a = of_rank_zero.rank();
    if (me == 1 && how == "stranger-split") of_rank_zero.split(0, 0);
    @communicate { a@2 <<= a@0 }
    if (me == 2) @communicate (team = of_rank_zero) { a@1 <<= a@0 }
    @communicate { a@0 <<= a@1 }
  }
  if (how == "extent") kanor::grid<2>(kanor::world, {4, -1});
  if (how == "coordinates") return kanor::grid<1>(kanor::world).coords(4)[0];
  if (how == "other-team") @communicate (team = half) { a@half.size() <<= a@0 }
  if (how == "world-rank") return half.world_rank(2);
  if (how == "product") kanor::grid<2>(kanor::world, {2, 3});
  if (how == "dimension") return kanor::grid<2>(kanor::world).neighbor(me, 2, 1);
  if (how == "split-meets-block") {
    if (me < 2)
      kanor::world.split(0, 0);
    else
      @communicate { a@i <<= a@0 where i in world }
  }
  if (how == "split-in-block") @communicate { a@0 <<= half.split(0, 0).rank()@i where i in {me} }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What goes wrong with windows when a program runs.
// RUN: %kanorc %s -o %t
// RUN: %check_failure --message 'rank 1: put at .*windows.cpp:[0-9]+ into the memory of rank 4, but the window.s team has 4 ranks: 0 to 3' %t rank
// RUN: %check_failure --modes threads --message 'rank 1: put at .*windows.cpp:[0-9]+ into the memory of rank -1, but the window.s team has 4 ranks: 0 to 3' %t rank-below
// RUN: %check_failure --modes threads --message 'rank [0-3]: put at .*windows.cpp:[0-9]+ into the memory of rank 2, but the window.s team has 2 ranks: 0 to 1' %t rank-of-team
// RUN: %check_failure --message 'rank 0: put at .*windows.cpp:[0-9]+ into the memory of rank 3, element 7, but that rank has opened 7 elements: 0 to 6' %t index
// RUN: %check_failure --modes threads,mpi --message 'rank 0: put at .*windows.cpp:[0-9]+ into the memory of rank 3, element -1, but that rank has opened 7 elements: 0 to 6' %t index-below
// RUN: %check_failure --modes threads,mpi --message 'rank 3: put at .*windows.cpp:[0-9]+ into the memory of rank 2, element 0, but that rank has opened no elements' %t index-of-none
// RUN: %check_failure --modes threads --message 'rank 0: put at .*windows.cpp:[0-9]+ into the memory of rank 3, element 7, but that rank has opened 7 elements' %t index-behind-run
// RUN: %check_failure --modes threads --message 'rank 0: put at .*windows.cpp:[0-9]+ into the memory of rank 3, element -2, but that rank has opened 7 elements' %t index-before-run
// RUN: %check_failure --message 'rank 2: the kanor::window of .*windows.cpp:[0-9]+ is closed with puts that no fence has brought: call fence after the last put' %t closing
// RUN: %check_failure --modes threads --message 'rank 2: the kanor::window of .*windows.cpp:[0-9]+ is closed with puts that no fence has brought: call fence after the last put' %t closing-after-fence
// RUN: %check_failure --modes threads --message 'rank 1: uncaught exception of type std::runtime_error: of the program' %t exception
// RUN: %check_failure --message 'rank [0-3]: the fence at .*windows.cpp:[0-9]+ is reached while the block at .*windows.cpp:[0-9]+ is being evaluated' %t fence-in-block
// RUN: %check_failure --message 'rank [0-3]: a kanor::window is opened at .*windows.cpp:[0-9]+ while the block at .*windows.cpp:[0-9]+ is being evaluated' %t opening-in-block
// RUN: %check_failure --message 'rank 3: rank [0-2] of the team (is in the block at .*windows.cpp:|(is|was) in the block at line )[0-9]+ while this rank opens a kanor::window at .*windows.cpp:[0-9]+' %t opening-meets-block
// RUN: %check_failure --message 'rank 1: waits for data from rank [023], which has ended.*in the fence at .*windows.cpp:[0-9]+' %t fence-alone
// RUN: %check_failure --message 'rank 0: .*windows.cpp:[0-9]+: in .kanor::window::fence..., rank 1 has called fence of another window than this rank, which has called that of the window of .*windows.cpp:[0-9]+' %t other-window
// RUN: %check_failure --message 'rank [023]: rank 1 opens a window of elements of 8 bytes, and this rank one of 4 at .*windows.cpp:[0-9]+|rank 1: rank 0 opens a window of elements of 4 bytes, and this rank one of 8 at .*windows.cpp:[0-9]+' %t other-size
// RUN: %check_failure --modes threads --message 'rank 1: .*windows.cpp:[0-9]+ is executed by this rank, which is not a member of its team of 2 ranks .0 and 2 of the world' %t stranger-opens
// RUN: %check_failure --modes threads --message 'rank 1: the fence at .*windows.cpp:[0-9]+ is executed by this rank, which is not a member of its team of 2 ranks .0 and 2 of the world' %t stranger-fences
// RUN: %check_failure --modes threads --message 'rank 2: the fence at .*windows.cpp:[0-9]+ is executed by this rank with the object of rank 0 for this team: every member must use the team that its own call of split returned' %t member-fences
// RUN: %check_failure --modes threads --message 'rank 1: put at .*windows.cpp:[0-9]+ into the memory of rank 1: the window has been moved from' %t moved-put
// RUN: %check_failure --modes threads,mpi --message 'rank 1: the fence at .*windows.cpp:[0-9]+ is of a window that has been moved from' %t moved-fence
// RUN: %check_failure --set KANOR_CHECK=1 --message 'checked mode: rank [0-3] calls kanor::window::fence at .*windows.cpp:[0-9]+ for the window that was opened at position [0-9] where rank [0-3] executes the block at .*windows.cpp:[0-9]+|checked mode: rank [0-3] executes the block at .*windows.cpp:[0-9]+ where rank [0-3] calls kanor::window::fence at .*windows.cpp:[0-9]+ for the window that was opened at position [0-9]' %t fence-meets-block
// RUN: %check_failure --set KANOR_CHECK=1 --modes threads,mpi --message 'checked mode: rank [0-3] calls kanor::window::fence at .*windows.cpp:[0-9]+ for the window that was opened at position [0-9] where rank [0-3] calls kanor::team::split at .*windows.cpp:[0-9]+|checked mode: rank [0-3] calls kanor::team::split at .*windows.cpp:[0-9]+ where rank [0-3] calls kanor::window::fence at .*windows.cpp:[0-9]+ for the window that was opened at position [0-9]' %t fence-meets-split
// RUN: %check_failure --set KANOR_CHECK=1 --modes threads,mpi --message 'checked mode: rank [0-3] opens a kanor::window at .*windows.cpp:[0-9]+ where rank [0-3] calls kanor::window::fence at .*windows.cpp:[0-9]+|checked mode: rank [0-3] calls kanor::window::fence at .*windows.cpp:[0-9]+ for the window that was opened at position [0-9] where rank [0-3] opens a kanor::window at .*windows.cpp:[0-9]+' %t opening-meets-fence
// RUN: %check_failure --set KANOR_CHECK=1 --modes threads,mpi --message 'checked mode: rank [0-3] opens a kanor::window at .*windows.cpp:[0-9]+ where rank [0-3] executes the block at .*windows.cpp:[0-9]+|checked mode: rank [0-3] executes the block at .*windows.cpp:[0-9]+ where rank [0-3] opens a kanor::window at .*windows.cpp:[0-9]+' %t opening-meets-block
// RUN: %check_failure --set KANOR_CHECK=1 --modes threads,mpi --message 'checked mode: rank 0 has ended where rank [1-3] calls kanor::window::fence at .*windows.cpp:[0-9]+|checked mode: rank [1-3] calls kanor::window::fence at .*windows.cpp:[0-9]+ for the window that was opened at position [0-9] where rank 0 has ended' %t closing-others
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank 3: .*windows.cpp:[0-9]+: in .kanor::window::fence..., two puts write element 2 of this rank.s memory, one of rank 1 and one of rank 2' %t twice
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank 0: .*windows.cpp:[0-9]+: in .kanor::window::fence..., two puts write element 3 of this rank.s memory, both of rank 1' %t twice-by-one
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank 3: .*windows.cpp:[0-9]+: in .kanor::window::fence..., two puts write element [06] of this rank.s memory, one of rank 0 and one of rank 1' %t twice-in-runs
// RUN: %check_failure --set KANOR_CHECK=1 --modes threads,mpi --message 'checked mode: rank .* calls kanor::window::fence at .*windows.cpp:[0-9]+ for the window that was opened at position [0-9] where rank' %t other-window-without-puts
// RUN: env KANOR_CHECK=1 %run_everywhere --keep KANOR_CHECK --ranks 4 %t nothing
// RUN: %run_everywhere --ranks 4 --modes threads,processes --unchecked %t twice
#include <kanor/kanor.hpp>

#include <cstdio>
#include <ctime>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

[[kanor::shared]] kanor::team of_rank_zero;
[[kanor::shared]] kanor::window<int>* window_of_rank_zero;

int fenced(kanor::window<int>& w) {
  w.fence();
  return 1;
}

int opened(std::vector<int>& memory) {
  kanor::window<int> w(memory);
  return 1;
}

}  // namespace

int main(int, char** argv) {
  const std::string how = argv[1];
  const int me = kanor::world.rank();
  const kanor::team half = kanor::world.split(me % 2, 0);
  std::vector<int> memory(me == 2 ? 0 : 4 + static_cast<std::size_t>(me)), more(8);
  int a = me;
  kanor::window<int> w(memory);
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::fprintf(stderr, "failing at %lld.%09ld\n", static_cast<long long>(now.tv_sec), now.tv_nsec);

  // Elements that do not exist.
  if (how == "rank" && me == 1) w.put(4, 0, 5);
  if (how == "rank-below" && me == 1) w.put(-1, 0, 5);
  if (how == "rank-of-team") {
    kanor::window<int> of_half(more, half);
    of_half.put(2, 0, me);
  }
  if (how == "index" && me == 0) w.put(3, 7, 5);
  if (how == "index-below" && me == 0) w.put(3, -1, 5);
  if (how == "index-of-none" && me == 3) w.put(2, 0, 5);
  if (how == "index-behind-run" && me == 0) {
    for (int k = 0; k < 9; ++k) w.put(3, k, k);
  }
  if (how == "index-before-run" && me == 0) {
    for (int k = 6; k > -9; k -= 2) w.put(3, k, k);
  }

  // Closing.
  if (how == "closing") {
    kanor::window<int> closed(more);
    if (me == 2) closed.put(1, 3, 5);
    if (me == 2) closed.put(1, 4, 5);
  }
  if (how == "closing-after-fence") {
    if (me != 2) w.put(0, me, 5);
    w.fence();
    if (me == 2) w.put(me + 1, 3, 5);
  }
  if (how == "closing-others") {
    if (me != 0) w.fence();
  }
  if (how == "exception") {
    if (me == 1) throw std::runtime_error("of the program");
    w.fence();
  }

  // Steps of the team that are not the same.
  if (how == "fence-in-block") @communicate { a@0 <<= fenced(w)@i where i in {me} }
  if (how == "opening-in-block") @communicate { a@0 <<= opened(more)@i where i in {me} }
  if (how == "fence-meets-block") {
    if (me < 2)
      w.fence();
    else
      @communicate { a@i <<= a@0 where i in world }
  }
  if (how == "fence-meets-split") {
    if (me == 3)
      kanor::world.split(0, 0);
    else
      w.fence();
  }
  if (how == "opening-meets-fence") {
    if (me == 3)
      opened(more);
    else
      w.fence();
  }
  if (how == "opening-meets-block") {
    // Not a broadcast: over several hosts rank 0 sends that to another rank, and ends.
    if (me == 3)
      opened(more);
    else
      @communicate { a@3 <<= a@0 }
  }
  if (how == "other-window") {
    kanor::window<int> v(more);
    w.put(0, me, 5);
    v.put(0, me, 5);
    if (me == 1)
      v.fence();
    else
      w.fence();
  }
  if (how == "other-window-without-puts") {
    kanor::window<int> v(more);
    if (me == 1)
      v.fence();
    else
      w.fence();
  }
  if (how == "other-size") {
    std::vector<double> numbers(5);
    if (me == 1)
      kanor::window v(numbers);
    else
      kanor::window v(more);
  }
  if (how == "fence-alone" && me == 1) w.fence();

  // Ranks outside of the team.
  if (how == "stranger-opens" || how == "stranger-fences" || how == "member-fences") {
    kanor::window<int> of_half(more, half);
    if (me == 0) of_rank_zero = half, window_of_rank_zero = &of_half;
    @communicate { a@i <<= a@0 where i in world }
    if (me == 1 && how == "stranger-opens") kanor::window<int>(more, of_rank_zero);
    if (me == 1 && how == "stranger-fences") window_of_rank_zero->fence();
    if (me == 2 && how == "member-fences") window_of_rank_zero->fence();
    @communicate { a@0 << + << a@i where i in {1, 2} }
    @communicate { a@i <<= a@0 where i in world }
  }

  // Elements that two puts write. In an unchecked run the later one wins.
  if (how == "twice") {
    if (me == 1) w.put(3, 2, 5);
    if (me == 2) w.put(3, 2, 6);
    w.fence();
    if (me == 3) std::printf("the last one is %d\n", memory[2]);
  }
  if (how == "twice-by-one") {
    if (me == 1) w.put(0, 3, 5);
    if (me == 1) w.put(0, 3, 5);
    w.fence();
  }
  if (how == "twice-in-runs") {
    if (me == 1) {
      for (int k = 0; k < 7; k += 3) w.put(3, k, 5);
    }
    if (me == 0) {
      for (int k = 6; k >= 0; k -= 2) w.put(3, k, 5);
    }
    w.fence();
  }

  // Moved.
  if (how.starts_with("moved")) {
    const kanor::window<int> v(std::move(w));
    if (how == "moved-put" && me == 1) w.put(1, 0, 5);
    if (how == "moved-fence" && me == 1) w.fence();
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

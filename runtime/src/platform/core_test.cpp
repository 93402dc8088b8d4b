// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/core.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include "platform/machine.hpp"

namespace kanor::rt {
namespace {

TEST(Core, LeavingKeepsTheThreadFree) {
  const int cores = usable_cores();
  const int before = current_core();
  ASSERT_GE(before, 0);
  EXPECT_EQ(leave_core(before), cores > 1);
  EXPECT_EQ(usable_cores(), cores) << "the mask is as it was";
}

/// Pinned to one core, a thread has nowhere to go.
TEST(Core, StaysOnItsOnlyCore) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  const int core = current_core();
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_FALSE(leave_core(core));
  KeepApart apart(true);
  EXPECT_EQ(apart.from(core), core);
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

TEST(Core, MovesAwayOnceAndThenNotForAWhile) {
  if (usable_cores() < 2) GTEST_SKIP() << "needs two cores";
  KeepApart apart(true);
  int moves = 0;
  for (int tries = 0; tries < 20; ++tries) {
    const int core = current_core();  // the kernel may move the test in between, but not each time
    if (apart.from(core) != core) ++moves;
  }
  EXPECT_GE(moves, 1);
  EXPECT_LT(moves, 10);
}

}  // namespace
}  // namespace kanor::rt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/first_end.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

namespace kanor::rt {
namespace {

/// A number that no other test run uses for its launcher.
pid_t launcher() { return ::getpid(); }

TEST(FirstEnd, IsTheOnlyOne) {
  FirstEnd one(launcher(), {100, SIGKILL});
  EXPECT_TRUE(one.is_own());
  EXPECT_FALSE(one.has_company());
}

TEST(FirstEnd, IsTheEarliestAlthoughAnotherCameFirst) {
  const pid_t job = launcher() + (1 << 23);
  FirstEnd judge(job, {300, SIGKILL}), earliest(job, {100, SIGTERM}), last(job, {400, SIGKILL});
  EXPECT_FALSE(judge.is_own());
  EXPECT_TRUE(earliest.is_own());
  EXPECT_FALSE(earliest.has_company());
  EXPECT_FALSE(last.is_own());
}

TEST(FirstEnd, KnowsWhetherOthersEndedInTheSameWay) {
  const pid_t job = launcher() + (2 << 23);
  FirstEnd judge(job, {100, SIGTERM}), other(job, {200, SIGTERM | 0x80});  // with a core file
  EXPECT_TRUE(judge.is_own());
  EXPECT_TRUE(judge.has_company());
  EXPECT_FALSE(other.is_own());
}

TEST(FirstEnd, DoesNotWaitForAJudgeThatSaysNothing) {
  const pid_t job = launcher() + (3 << 23);
  FirstEnd silent(job, {300, SIGKILL}), other(job, {100, SIGKILL});
  EXPECT_FALSE(other.is_own());
}

TEST(WakeClock, LeavesOutTheTimeWithoutACore) {
  const WakeClock clock;
  ::usleep(1000);
  const auto woken = clock.woken_us();
  ::usleep(1000);
  EXPECT_LT(woken, clock.woken_us());
}

}  // namespace
}  // namespace kanor::rt

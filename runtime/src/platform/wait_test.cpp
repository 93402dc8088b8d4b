// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/wait.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace kanor::rt {
namespace {

/// How often a wait pauses that ends with a sleep of so long.
int pauses_until_sleep(SpinBudget& budget, int sleep_us = 200) {
  Backoff backoff(budget);
  int pauses = 0;
  while (backoff.pause()) ++pauses;
  if (sleep_us > 0) std::this_thread::sleep_for(std::chrono::microseconds(sleep_us));
  return pauses;
}

// Until `least` and `most` are reached, and then no further; where naps follow, most_before_naps.
TEST(Backoff, SpinsLessAfterSpinningInVain) {
  SpinBudget budget(true);
  const int first = pauses_until_sleep(budget);
  EXPECT_GT(first, 100);
  EXPECT_EQ(pauses_until_sleep(budget), first / 2);
  for (int i = 0; i < 20; ++i) pauses_until_sleep(budget);
  EXPECT_EQ(budget.spins(), 32);
}

TEST(Backoff, SpinsMoreAfterSuccess) {
  SpinBudget budget(true);
  for (int i = 0; i < 20; ++i) pauses_until_sleep(budget);
  {
    Backoff backoff(budget);
    EXPECT_TRUE(backoff.pause());
  }
  EXPECT_EQ(budget.spins(), 64);
  { const Backoff unused(budget); }
  EXPECT_EQ(budget.spins(), 64);
}

TEST(Backoff, SpinsMoreWhereTheSleepWasShort) {
  SpinBudget budget(true);
  for (int i = 0; i < 20; ++i) pauses_until_sleep(budget);
  ASSERT_EQ(budget.spins(), 32);
  // A thread that is preempted between its last spin and the end of the wait has slept long.
  for (int i = 0; i < 200 && budget.spins() < 2000; ++i) pauses_until_sleep(budget, 0);
  EXPECT_EQ(budget.spins(), 2000);
}

// A wait may yield less often than its budget says, where the machine that runs the test is busy.
TEST(Backoff, OnlyYieldsWhereCoresAreScarce) {
  SpinBudget budget(false);
  EXPECT_EQ(budget.spins(), 0);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(budget.yields(), 12);
  EXPECT_LE(pauses_until_sleep(budget), 12);
}

// least_asleep waits after the first long yield, most_asleep in the end; long_yield_us is long.
TEST(Backoff, SleepsAtOnceWhereYieldsTakeLong) {
  SpinBudget budget(false);
  const auto waits_asleep = [&](std::uint64_t yield_us) {
    EXPECT_FALSE(budget.yielded_for(yield_us));
    int waits = 0;
    while (budget.yields() == 0) ++waits;
    return waits;
  };
  EXPECT_TRUE(budget.yielded_for(500));
  EXPECT_EQ(budget.yields(), 12);
  EXPECT_EQ(waits_asleep(501), 16);
  EXPECT_EQ(waits_asleep(3000), 64);
  for (int i = 0; i < 10; ++i) waits_asleep(3000);
  EXPECT_EQ(waits_asleep(3000), 1024);
  for (int i = 0; i < 60; ++i) EXPECT_TRUE(budget.yielded_for(1));
  EXPECT_EQ(waits_asleep(3000), 16) << "yields that pay are taken up again";
}

TEST(Backoff, PutsOffNapsThatNobodyEnds) {
  SpinBudget scarce(false, false);
  EXPECT_EQ(scarce.yields(), 20);
  SpinBudget spare(true, false);
  const int first = pauses_until_sleep(spare);
  EXPECT_GT(first, 1000);
  EXPECT_EQ(pauses_until_sleep(spare), first) << "spinning in vain is better than a nap";
}

TEST(Futex, SleepsOnlyWhileTheWordIsAsExpected) {
  std::atomic<std::uint32_t> word{1};
  futex_wait(word, 0);  // returns at once
  const std::uint64_t before = monotonic_us();
  futex_wait(word, 1, 10'000);
  EXPECT_GE(monotonic_us() - before, 8'000u);
}

TEST(Futex, WakeEndsASleep) {
  std::atomic<std::uint32_t> word{0};
  std::thread sleeper([&] {
    while (word.load(std::memory_order_acquire) == 0) futex_wait(word, 0);
  });
  word.store(1, std::memory_order_release);
  futex_wake(word);
  sleeper.join();
}

}  // namespace
}  // namespace kanor::rt

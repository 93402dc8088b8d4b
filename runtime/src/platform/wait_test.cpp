// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/wait.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>

namespace kanor::rt {
namespace {

/// A wait that spins as long as it may, sleeps, and is woken so many microseconds after the spinning; it runs
/// again `wake_us` later. Returns how long it span.
std::uint64_t wait_asleep(SpinBudget& budget, std::uint64_t came_us, std::uint64_t wake_us = 0) {
  const std::uint64_t spin_us = budget.spin_us();
  budget.failed();
  budget.woke_after(wake_us);
  budget.came_after(came_us);
  return spin_us;
}

/// How often a wait pauses before it sleeps.
int pauses_until_sleep(SpinBudget& budget) {
  Backoff backoff(budget);
  int pauses = 0;
  while (backoff.pause()) ++pauses;
  return pauses;
}

TEST(Backoff, SpinsLessAfterSpinningInVain) {
  SpinBudget budget(true);
  EXPECT_EQ(wait_asleep(budget, 1000), 240u);
  EXPECT_EQ(wait_asleep(budget, 1000), 120u);
  for (int i = 0; i < 20; ++i) wait_asleep(budget, 1000);
  EXPECT_EQ(budget.spin_us(), 1u);
  EXPECT_GE(pauses_until_sleep(budget), 32);
}

TEST(Backoff, SpinsMoreAfterSuccess) {
  SpinBudget budget(true);
  for (int i = 0; i < 20; ++i) wait_asleep(budget, 1000);
  {
    Backoff backoff(budget);
    EXPECT_TRUE(backoff.pause());
  }
  EXPECT_EQ(budget.spin_us(), 2u);
  { const Backoff unused(budget); }
  EXPECT_EQ(budget.spin_us(), 2u);
}

TEST(Backoff, SpinsLongestWhereThatWouldHaveDone) {
  SpinBudget budget(true);
  for (int i = 0; i < 20; ++i) wait_asleep(budget, 241);
  ASSERT_EQ(budget.spin_us(), 1u);
  wait_asleep(budget, 240);
  EXPECT_EQ(budget.spin_us(), 240u);
}

// Within least_wake_us and most_wake_us.
TEST(Backoff, SpinsInProportionToWhatAWakeTakes) {
  const auto longest_us = [](std::uint64_t wake_us) {
    SpinBudget budget(true);
    for (int i = 0; i < 100; ++i) wait_asleep(budget, 0, wake_us);
    return budget.spin_us();
  };
  EXPECT_EQ(longest_us(11), 240u);
  EXPECT_EQ(longest_us(12), 240u);
  EXPECT_GT(longest_us(13), 240u);
  EXPECT_NEAR(static_cast<double>(longest_us(50)), 1000, 20);
  EXPECT_NEAR(static_cast<double>(longest_us(200)), 4000, 20);
  EXPECT_EQ(longest_us(201), 240u) << "another program had the core";
}

TEST(Backoff, SpinsAsLongAsTheBudgetSays) {
  SpinBudget budget(true);
  const std::uint64_t before = monotonic_us();
  pauses_until_sleep(budget);
  EXPECT_GE(monotonic_us() - before, 240u);
}

// What is awaited came when the sleeper was woken, not when it ran again.
TEST(Backoff, LearnsFromTheTimeOfTheWake) {
  const auto wait_woken_after = [](SpinBudget& budget, std::uint64_t woken_us) {
    Backoff backoff(budget);
    while (backoff.pause()) continue;
    const std::uint64_t failed_us = monotonic_us();
    backoff.woken_at(failed_us + woken_us);
    while (monotonic_us() < failed_us + 5000) continue;
  };
  SpinBudget budget(true);
  for (int i = 0; i < 10; ++i) wait_woken_after(budget, 4900);  // beyond what any wake is worth
  EXPECT_LT(budget.spin_us(), 240u);
  // A machine that is busy may take the core between the two looks at the clock.
  for (int i = 0; i < 100 && budget.spin_us() < 240; ++i) wait_woken_after(budget, 100);
  EXPECT_GE(budget.spin_us(), 240u);
}

// A wait may yield less often than its budget says, where the machine that runs the test is busy.
TEST(Backoff, OnlyYieldsWhereCoresAreScarce) {
  SpinBudget budget(false);
  EXPECT_EQ(budget.spin_us(), 0u);
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
  EXPECT_EQ(wait_asleep(spare, 1000), 5000u);
  EXPECT_EQ(wait_asleep(spare, 100'000), 5000u) << "spinning in vain is better than a nap";
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

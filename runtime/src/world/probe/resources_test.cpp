// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What memory jobs take, what they say about it, and where their ranks run.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "platform/core.hpp"
#include "platform/machine.hpp"
#include "platform/mapping.hpp"
#include "world/probe/run_program.hpp"

namespace kanor::rt::test {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

Outcome run(std::vector<std::string> arguments, Environment environment) {
  arguments.insert(arguments.begin(), KANOR_PROBE);
  return Program(std::move(arguments), std::move(environment)).finish();
}

std::vector<std::string> sorted_lines(const Outcome& outcome) {
  std::vector<std::string> all = lines(outcome.output);
  std::sort(all.begin(), all.end());
  return all;
}

/// The rank's line about memory.
struct Numbers {
  std::size_t pool = 0, all = 0, in_pages = 0, page = 0, in_huge_pages = 0, huge_page = 0;
};

Numbers numbers_of(const Outcome& outcome, int rank) {
  Numbers found;
  const std::string form = "kanor: rank " + std::to_string(rank) +
                           ": at most %zu bytes in its pool, %zu in all; now %zu bytes of message "
                           "memory are in pages of %zu, %zu in pages of %zu";
  int times = 0;
  for (const std::string& line : lines(outcome.errors))
    times += std::sscanf(line.c_str(), form.c_str(), &found.pool, &found.all, &found.in_pages, &found.page,
                         &found.in_huge_pages, &found.huge_page) == 6;
  EXPECT_EQ(times, 1) << outcome.errors;
  return found;
}

class Memory : public ::testing::TestWithParam<std::string> {
 protected:
  Environment ranks(int number) const {
    return {{"KANOR_MODE", GetParam()}, {"KANOR_RANKS", std::to_string(number)}, {"KANOR_STATS", "1"}};
  }

  /// Where the system says whether it has huge pages for this mode's ranks, and what it says.
  std::string path() const {
    return std::string("/sys/kernel/mm/transparent_hugepage/") +
           (GetParam() == "threads" ? "enabled" : "shmem_enabled");
  }
  std::string setting() const {
    std::string text;
    std::getline(std::ifstream(path()), text);
    return text;
  }
  /// Why they get none; empty if they do.
  std::string obstacle() const {
    if (setting().empty()) return "the system has no " + path();
    for (const char* never : {"[never]", "[deny]"})
      if (setting().find(never) != std::string::npos) return path() + " says " + setting();
    if (!gives_this_process()) return "the system has too few free ones now";
    return "";
  }
  /// Whether the same memory, without a runtime, gets what the test asks of one rank.
  bool gives_this_process() const {
    constexpr std::size_t bytes = 16 * mebibyte;
    const Mapping memory(GetParam() == "threads" ? Sharing::within_process : Sharing::with_forked_processes,
                         bytes);
    want_huge_pages(memory.data(), bytes);
    std::memset(memory.data(), 1, bytes);
    return resident_memory(memory.data(), bytes).in_huge_pages >= 14 * mebibyte;
  }
  bool gives_unasked() const {
    for (const char* given : {"[always]", "[within_size]", "[force]"})
      if (setting().find(given) != std::string::npos) return true;
    return false;
  }
};

INSTANTIATE_TEST_SUITE_P(Modes, Memory, ::testing::Values("threads", "processes"),
                         [](const auto& mode) { return mode.param; });

TEST_P(Memory, LargeBuffersLieInHugePagesWhereTheSystemHasThem) {
  if (const std::string why = obstacle(); !why.empty()) GTEST_SKIP() << why;
  const Outcome outcome = run({"large", "4", "8000000"}, ranks(2));
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  const Numbers numbers = numbers_of(outcome, 0);
  EXPECT_EQ(numbers.huge_page, huge_page_bytes());
  EXPECT_EQ(numbers.page, page_bytes());
  // 8000000 bytes fill three of 2 MiB; the other rank's buffer may be gone, or not be there yet.
  EXPECT_GE(numbers.in_huge_pages, 6 * mebibyte) << outcome.errors;
  EXPECT_EQ(numbers.in_huge_pages % numbers.huge_page, 0u);
}

TEST_P(Memory, IsTheSameWithoutHugePagesButForThePages) {
  const Outcome with = run({"large", "4", "8000000"}, ranks(2));
  Environment environment = ranks(2);
  environment["KANOR_DISABLE"] = "huge-pages";
  const Outcome without = run({"large", "4", "8000000"}, environment);
  EXPECT_EQ(without.status, 0) << without.errors;
  EXPECT_EQ(sorted_lines(with), sorted_lines(without));
  const Numbers numbers = numbers_of(without, 0);
  EXPECT_EQ(numbers.in_huge_pages, 0u) << without.errors;
  EXPECT_GE(numbers.in_pages, 8'000'000u) << without.errors;
  EXPECT_LT(numbers.in_pages, 36'000'000u) << without.errors;
}

/// A process for which the system has been told to give none, as a system that has none would.
TEST_P(Memory, IsTheSameWhereTheSystemGivesNoHugePages) {
  const Outcome with = run({"large", "4", "8000000"}, ranks(2));
  ASSERT_EQ(::prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0), 0);
  const Outcome without = run({"large", "4", "8000000"}, ranks(2));
  ASSERT_EQ(::prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0), 0);
  EXPECT_EQ(without.status, 0) << without.errors;
  EXPECT_EQ(sorted_lines(with), sorted_lines(without));
  EXPECT_EQ(numbers_of(without, 0).in_huge_pages, 0u) << without.errors;
  EXPECT_EQ(without.errors.find("huge"), std::string::npos) << "nothing to complain of: " << without.errors;
}

/// Buffers that all ranks have at a time must not be zeroed by the system for each message.
TEST_P(Memory, LargeBuffersAreNotFaultedInAgain) {
  const auto faults = [&](const char* rounds) {
    const Outcome outcome = run({"large", rounds, "3000000"}, ranks(8));
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    return outcome.page_faults;
  };
  // After the first rounds, in which ranks meet each other's buffers in an order that differs from run to
  // run.
  const long few = faults("40"), many = faults("80");
  EXPECT_LT(many - few, 3'000) << "40 rounds, in which 8 ranks write 700 pages each";
}

/// Rank 0 sends 50 MB, and never receives; rank 1 does not look for a while, and then takes all of it.
TEST_P(Memory, IsBoundedForWhoeverNeverReceives) {
  Environment environment = ranks(2);
  environment["KANOR_INFLIGHT"] = "1M";
  const Outcome outcome = run({"ahead", "500", "100000"}, environment);
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  const Numbers producer = numbers_of(outcome, 0), consumer = numbers_of(outcome, 1);
  // A message of 100000 bytes takes a block of 128 KiB.
  EXPECT_GE(producer.pool, mebibyte * 9 / 10) << outcome.errors;
  EXPECT_LE(producer.pool, mebibyte * 3 / 2) << outcome.errors;
  EXPECT_LE(consumer.pool, mebibyte / 4) << outcome.errors;
  EXPECT_LE(consumer.all, mebibyte * 3 / 2) << outcome.errors;
  EXPECT_LE(std::max(consumer.in_pages, producer.in_pages), 2 * mebibyte) << outcome.errors;
}

/// Little programs take little: their messages lie in the rings, and huge pages are for large buffers.
TEST_P(Memory, IsLittleForLittlePrograms) {
  const Outcome outcome = run({"ring", "5"}, ranks(8));
  const Numbers numbers = numbers_of(outcome, 7);
  EXPECT_LE(numbers.all, 8u * 128) << outcome.errors;
  EXPECT_LE(numbers.in_pages, mebibyte / 2) << outcome.errors;
  // A system that gives huge pages to everybody gives them to the blocks of several pools together.
  EXPECT_LE(numbers.in_huge_pages, gives_unasked() ? 4 * mebibyte : 0) << outcome.errors;
}

/// A machine of as many NUMA nodes as this one has processors, as hwloc is told.
class Binding : public Memory {
 protected:
  void SetUp() override {
    usable_ = usable_processors();
    if (usable_.size() < 2 || usable_.back() > 1000) GTEST_SKIP() << "needs two processors";
  }
  Environment nodes(int ranks_of_job) const {
    Environment environment = ranks(ranks_of_job);
    environment["HWLOC_SYNTHETIC"] = "node:" + std::to_string(usable_.back() + 1) + " core:1 pu:1";
    return environment;
  }
  std::string free() const { return place({}, usable_); }
  static std::string place(const std::string& rank, const std::vector<int>& processors) {
    std::string line = rank + " on";
    for (const int processor : processors) line += " " + std::to_string(processor);
    return line;
  }

  std::vector<int> usable_;
};

INSTANTIATE_TEST_SUITE_P(Modes, Binding, ::testing::Values("threads", "processes"),
                         [](const auto& mode) { return mode.param; });

TEST_P(Binding, RanksStayOnTheirNodes) {
  const int count = static_cast<int>(usable_.size());
  const Outcome outcome = run({"where"}, nodes(count));
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  for (int rank = 0; rank < count; ++rank) {
    const std::string line =
        place("rank " + std::to_string(rank), {usable_[static_cast<std::size_t>(rank)]}) + "\n";
    EXPECT_NE(outcome.output.find(line), std::string::npos) << line << outcome.output;
  }
}

TEST_P(Binding, IsSwitchedOff) {
  Environment environment = nodes(2);
  environment["KANOR_DISABLE"] = "binding";
  const Outcome outcome = run({"where"}, environment);
  EXPECT_EQ(sorted_lines(outcome), (std::vector{"rank 0" + free(), "rank 1" + free()}));
}

TEST_P(Binding, IsNoneOfOneNode) {
  Environment environment = ranks(2);
  environment["HWLOC_SYNTHETIC"] = "node:1 core:" + std::to_string(usable_.back() + 1) + " pu:1";
  EXPECT_EQ(sorted_lines(run({"where"}, environment)), (std::vector{"rank 0" + free(), "rank 1" + free()}));
}

TEST_P(Binding, IsNoneOfASingleRank) {
  EXPECT_EQ(sorted_lines(run({"where"}, nodes(1))), std::vector{"rank 0" + free()});
}

/// What the program was given is all that its ranks use.
TEST_P(Binding, StaysWithinWhatTheProgramWasGiven) {
  ASSERT_TRUE(bind_thread({usable_.back()}));
  const Outcome outcome = run({"where"}, nodes(2));
  ASSERT_TRUE(bind_thread(usable_));
  EXPECT_EQ(sorted_lines(outcome),
            (std::vector{place("rank 0", {usable_.back()}), place("rank 1", {usable_.back()})}));
}

}  // namespace
}  // namespace kanor::rt::test

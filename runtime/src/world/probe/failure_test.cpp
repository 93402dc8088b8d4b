// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jobs that fail: the message, the status, the time it takes, and what is left behind.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <regex>
#include <string>
#include <tuple>

#include "world/probe/run_program.hpp"

namespace kanor::rt::test {
namespace {

const std::string probe = KANOR_PROBE;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::int64_t patience_ms = 5'000;
#else
constexpr std::int64_t patience_ms = 1'000;
#endif
constexpr std::int64_t before_failure_ms = 30;

struct Kind {
  std::string how;
  int status;
  std::string message;
};

const Kind kinds[] = {
    {"exception", 1, "uncaught exception of type std::runtime_error: no more fuel"},
    {"number", 1, "uncaught exception of type int"},
    {"kanor", 1, "gave up"},
    {"fail", 1, "bad block"},
    {"terminate", 1, "std::terminate called without an exception"},
    {"abort", 128 + SIGABRT, "aborted (SIGABRT)"},
    {"segv", 128 + SIGSEGV, "segmentation fault"},
    {"overflow", 128 + SIGSEGV, "segmentation fault: the stack has overflowed; `ulimit -s` sets its size"},
    {"fpe", 128 + SIGFPE, "arithmetic fault (SIGFPE)"},
    {"ill", 128 + SIGILL, "illegal instruction"},
    {"bus", 128 + SIGBUS, "bus error"},
    {"exit", 3, "ended with exit status 3"},
    {"_exit", 5, "ended with exit status 5"},
};

class Failure : public ::testing::TestWithParam<std::string> {
 protected:
  Environment ranks(int number) const {
    return {{"KANOR_MODE", GetParam()}, {"KANOR_RANKS", std::to_string(number)}, {"KANOR_MEMORY", "64M"}};
  }
  Outcome run(const std::vector<std::string>& arguments, int number) const {
    std::vector<std::string> words{probe};
    for (const std::string& argument : arguments) words.push_back(argument);
    return Program(std::move(words), ranks(number)).finish();
  }
  bool processes() const { return GetParam() == "processes"; }
  /// What a crash adds, if nothing explains it.
  std::string advice() const {
    const std::string other_ways =
        "the ranks are threads; with KANOR_MODE=processes each is a process with libraries of its own; ";
    return "kanor: " + (processes() ? "" : other_ways) +
           "with KANOR_CHECK=1 blocks check elements and lengths\n";
  }
};

INSTANTIATE_TEST_SUITE_P(Modes, Failure, ::testing::Values("threads", "processes"),
                         [](const auto& mode) { return mode.param; });

TEST_P(Failure, EndsTheJobWhateverTheOthersDo) {
  for (const Kind& kind : kinds)
    for (const std::string others : {"wait", "compute", "finish"}) {
#if defined(__SANITIZE_THREAD__)
      // It keeps account of a thread that ends without the C library, and trips over its successor.
      if (!processes() && kind.how == "_exit") continue;
#endif
      SCOPED_TRACE(kind.how + " while others " + others);
      const Outcome outcome = run({"fail", kind.how, "1", others}, 4);
      EXPECT_EQ(outcome.status, kind.status);
      EXPECT_EQ(outcome.errors, "kanor: rank 1: " + kind.message + " (in the block at heat.cpp:12)\n" +
                                    (kind.status > 128 && kind.how != "overflow" ? advice() : ""));
      EXPECT_LT(outcome.duration_ms, patience_ms + before_failure_ms);
      EXPECT_FALSE(outcome.left_processes);
    }
}

TEST_P(Failure, RunningOutOfMessageMemoryIsSaid) {
  const Outcome outcome = run({"fail", "memory", "0", "wait"}, 2);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(
      outcome.errors,
      "kanor: rank 0: out of message memory: a message of 1048576 bytes needs a free piece of 2097152; all "
      "ranks use 67108864 of 67108864 bytes (KANOR_MEMORY sets the limit) (in the block at heat.cpp:12)\n");
}

TEST_P(Failure, WhatOthersPrintedComesOut) {
  const Outcome outcome = run({"fail", "segv", "2", "print"}, 4);
  EXPECT_EQ(outcome.status, 128 + SIGSEGV);
  EXPECT_EQ(count(outcome.output, "has printed this without a line end"), 3) << outcome.output;
}

TEST_P(Failure, AStreamThatSomebodyHoldsDoesNotBlockTheEnd) {
  const Outcome outcome = run({"stdin"}, 2);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.output, "printed before");
  EXPECT_LT(outcome.duration_ms, patience_ms + before_failure_ms);
}

TEST_P(Failure, MessagesOfSeveralStayWhole) {
  const Outcome outcome = run({"fail", "exception", "-1", "wait"}, 8);
  EXPECT_EQ(outcome.status, 1);
  const auto told = lines(outcome.errors);
  ASSERT_GE(told.size(), 1u) << outcome.errors;
  ASSERT_LE(told.size(), 2u) << outcome.errors;
  constexpr std::size_t digit = 12;  // in "kanor: rank 3"
  const std::string rank = told[0].substr(digit, 1);
  EXPECT_TRUE(rank >= "0" && rank <= "7") << told[0];
  EXPECT_EQ(told[0], "kanor: rank " + rank +
                         ": uncaught exception of type std::runtime_error: no more fuel (in the block at "
                         "heat.cpp:12)");
  // Which others come as far before the job ends is not defined.
  if (told.size() > 1) {
    EXPECT_TRUE(std::regex_match(
        told[1], std::regex("kanor: [1-7] more ranks? reports? the same error as rank " + rank)))
        << told[1];
  }
  EXPECT_FALSE(outcome.left_processes);
}

TEST_P(Failure, SeveralCrashesEndTheJobOnce) {
  const Outcome outcome = run({"fail", "segv", "-1", "wait"}, 8);
  EXPECT_EQ(outcome.status, 128 + SIGSEGV);
  const auto told = lines(outcome.errors);
  EXPECT_EQ(std::count_if(told.begin(), told.end(),
                          [](const std::string& line) { return line.rfind("kanor: rank ", 0) == 0; }),
            1)
      << outcome.errors;
  EXPECT_LT(outcome.duration_ms, patience_ms + before_failure_ms);
  EXPECT_FALSE(outcome.left_processes);
}

TEST_P(Failure, SignalsToTheJobEndItQuietly) {
  for (const int signal : {SIGTERM, SIGINT})
    for (const std::string what : {"sleep", "wait"}) {
      Program job({probe, what}, ranks(3));
      ASSERT_TRUE(job.wait_output("ready", processes() ? 3 : 0));
      job.signal(signal);
      const Outcome outcome = job.finish();
      EXPECT_EQ(outcome.status, 128 + signal);
      EXPECT_EQ(outcome.errors, "");
      EXPECT_FALSE(outcome.left_processes);
    }
}

TEST(ProcessFailure, AKilledRankIsNamed) {
  for (const std::string what : {"sleep", "wait"}) {
    Program job({probe, what}, {{"KANOR_MODE", "processes"}, {"KANOR_RANKS", "3"}});
    ASSERT_TRUE(job.wait_output("ready", 3));
    const std::vector<pid_t> children = children_of(job.process());
    ASSERT_EQ(children.size(), 3u);
    ::kill(children[2], SIGKILL);
    const Outcome outcome = job.finish();
    EXPECT_EQ(outcome.status, 128 + SIGKILL);
    EXPECT_EQ(outcome.errors, "kanor: rank 2: killed (SIGKILL)\n");
    EXPECT_FALSE(outcome.left_processes);
  }
}

TEST(ProcessFailure, AKilledRanksBlockIsNamed) {
  const Outcome outcome =
      Program({probe, "fail", "kill", "1", "wait"}, {{"KANOR_MODE", "processes"}, {"KANOR_RANKS", "3"}})
          .finish();
  EXPECT_EQ(outcome.status, 128 + SIGKILL);
  EXPECT_EQ(outcome.errors, "kanor: rank 1: killed (SIGKILL) (in the block at heat.cpp:12)\n");
  EXPECT_FALSE(outcome.left_processes);
}

TEST(ProcessFailure, NothingOutlivesAKilledSupervisor) {
  for (const std::string what : {"sleep", "wait"}) {
    Program job({probe, what}, {{"KANOR_MODE", "processes"}, {"KANOR_RANKS", "4"}});
    ASSERT_TRUE(job.wait_output("ready", 4));
    job.signal(SIGKILL);
    const Outcome outcome = job.finish();
    EXPECT_EQ(outcome.status, 128 + SIGKILL);
    EXPECT_FALSE(outcome.left_processes);
  }
}

}  // namespace
}  // namespace kanor::rt::test

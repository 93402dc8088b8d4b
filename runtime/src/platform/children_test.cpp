// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/children.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

namespace kanor::rt {
namespace {

constexpr std::int64_t limit_us = 5'000'000;

/// Forks a process that waits for ever, and holds the pipe's end.
void fork_sleeper() {
  if (::fork() == 0)
    for (;;) ::pause();
}

/// In a process of its own, whose children are no others': makes some, ends them, and answers whether the
/// writing end of a pipe that all of them had is closed.
template <class Make>
bool ends_all(Make make) {
  int ends[2];
  if (::pipe(ends) != 0) return false;
  const pid_t parent = ::fork();
  if (parent == 0) {
    make();
    end_descendants(limit_us);
    ::close(ends[1]);
    char byte = 0;
    _exit(::read(ends[0], &byte, 1) == 0 && ::waitpid(-1, nullptr, 0) < 0 ? 0 : 1);
  }
  ::close(ends[0]);
  ::close(ends[1]);
  int how = 0;
  ::waitpid(parent, &how, 0);
  return how == 0;
}

TEST(Children, AreEnded) {
  EXPECT_TRUE(ends_all([] {
    for (int i = 0; i < 300; ++i) fork_sleeper();
  }));
}

TEST(Children, OfOtherThreadsAreEnded) {
  EXPECT_TRUE(ends_all([] {
    std::thread(fork_sleeper).join();
    std::thread([] {
      fork_sleeper();
      for (;;) ::pause();
    }).detach();
    ::usleep(20'000);
  }));
}

TEST(Children, OfChildrenAreEndedAlsoInASessionOfTheirOwn) {
  EXPECT_TRUE(ends_all([] {
    adopt_orphans();
    const pid_t child = ::fork();
    if (child == 0) {
      ::setsid();
      fork_sleeper();
      _exit(0);
    }
    ::waitpid(child, nullptr, 0);
    if (::fork() == 0) {
      fork_sleeper();
      for (;;) ::pause();
    }
    ::usleep(20'000);
  }));
}

TEST(Children, NoneAreAwaited) {
  EXPECT_TRUE(ends_all([] {}));
}

}  // namespace
}  // namespace kanor::rt

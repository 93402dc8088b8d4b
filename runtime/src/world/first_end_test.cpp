// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/first_end.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <string>

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

/// A socket with an abstract name.
class Stranger {
 public:
  explicit Stranger(const std::string& text) : socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    text.copy(name.sun_path + 1, sizeof name.sun_path - 1);
    const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
    EXPECT_EQ(::bind(socket_, reinterpret_cast<const sockaddr*>(&name), bytes), 0);
  }
  Stranger(const Stranger&) = delete;
  Stranger& operator=(const Stranger&) = delete;
  ~Stranger() { ::close(socket_); }

 private:
  const int socket_;
};

TEST(FirstEnd, DoesNotMeetAnotherLauncherWithTheNumber) {
  const pid_t job = launcher() + (4 << 23);
  const Stranger other_container("kanor-job-" + std::to_string(job));
  FirstEnd one(job, {100, SIGKILL});
  EXPECT_TRUE(one.is_own());
}

TEST(MeetingName, IsOfTheUserAndTheProcess) {
  EXPECT_EQ(meeting_name(launcher()), meeting_name(launcher()));
  EXPECT_NE(meeting_name(launcher()), meeting_name(::getppid()));
  EXPECT_EQ(meeting_name(launcher()).rfind("kanor-job-" + std::to_string(::getuid()) + "-", 0), 0u);
}

/// What it is in a child, which `enter` has taken elsewhere; empty where the system refuses that.
template <class Enter>
std::string name_in_child(pid_t of, const Enter& enter) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string name = enter() ? meeting_name(of) : "";
    const ssize_t written = ::write(ends[1], name.data(), name.size());
    ::_exit(written < 0 ? 1 : 0);
  }
  ::close(ends[1]);
  ::waitpid(child, nullptr, 0);
  char text[200];
  const ssize_t bytes = ::read(ends[0], text, sizeof text);
  ::close(ends[0]);
  return {text, static_cast<std::size_t>(bytes < 0 ? 0 : bytes)};
}

TEST(MeetingName, IsOfThePidNamespace) {
  const auto enter = [] {
    if (::unshare(CLONE_NEWPID) != 0) return false;
    const pid_t first = ::fork();
    if (first == 0) return true;  // this one is inside
    ::waitpid(first, nullptr, 0);
    ::_exit(0);
  };
  const std::string inside = name_in_child(launcher(), enter);
  if (inside.empty()) GTEST_SKIP() << "no namespaces for this user";
  EXPECT_NE(inside, meeting_name(launcher()));
  EXPECT_EQ(name_in_child(launcher(), [] { return true; }), meeting_name(launcher()))
      << "in the same namespace";
}

TEST(MeetingName, IsOfTheStart) {
  // The number of a process that is gone may come again.
  const pid_t child = ::fork();
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  const std::string running = meeting_name(child);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_NE(meeting_name(child), running);
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

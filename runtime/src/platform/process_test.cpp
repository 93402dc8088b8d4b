// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/process.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kanor::rt {
namespace {

/// A child that sleeps until it is killed.
class Sleeper {
 public:
  Sleeper() : process_(::fork()) {
    if (process_ == 0) {
      ::prctl(PR_SET_NAME, "a) T (sleeper");
      for (;;) ::pause();
    }
  }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;
  ~Sleeper() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  int process() const { return process_; }
  void wait_for_stop() const { ::waitpid(process_, nullptr, WUNTRACED); }

 private:
  const pid_t process_;
};

TEST(HaltOf, IsStoppedFromAStopUntilItGoesOn) {
  const Sleeper sleeper;
  EXPECT_FALSE(halt_of(sleeper.process()).is_stopped);
  ::kill(sleeper.process(), SIGSTOP);
  sleeper.wait_for_stop();
  EXPECT_TRUE(halt_of(sleeper.process()).is_stopped);
  EXPECT_EQ(halt_of(sleeper.process()).debugger, 0);
  ::kill(sleeper.process(), SIGCONT);
  ::waitpid(sleeper.process(), nullptr, WCONTINUED);
  EXPECT_FALSE(halt_of(sleeper.process()).is_stopped);
}

TEST(HaltOf, NamesTheDebugger) {
  const Sleeper sleeper;
  EXPECT_EQ(debugger_of(sleeper.process()), 0);
  if (::ptrace(PTRACE_SEIZE, sleeper.process(), nullptr, nullptr) != 0) GTEST_SKIP() << "ptrace is forbidden";
  EXPECT_FALSE(halt_of(sleeper.process()).is_stopped) << "it runs under the debugger";
  EXPECT_EQ(debugger_of(sleeper.process()), ::getpid());
  ::ptrace(PTRACE_INTERRUPT, sleeper.process(), nullptr, nullptr);
  sleeper.wait_for_stop();
  EXPECT_TRUE(halt_of(sleeper.process()).is_stopped);
  EXPECT_EQ(halt_of(sleeper.process()).debugger, ::getpid());
}

TEST(HaltOf, KnowsNothingOfOneThatIsGone) {
  int gone = 0;
  {
    const Sleeper sleeper;
    gone = sleeper.process();
  }
  EXPECT_FALSE(halt_of(gone).is_stopped);
  EXPECT_EQ(program_name(gone), "");
}

TEST(ProgramName, IsThatOfTheProcess) {
  ::prctl(PR_SET_NAME, "two words");
  EXPECT_EQ(program_name(::getpid()), "two words");
}

}  // namespace
}  // namespace kanor::rt

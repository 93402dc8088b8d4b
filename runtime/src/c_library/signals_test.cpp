// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_library/signals.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "c_library/library_state.hpp"
#include "platform/signals.hpp"

namespace kanor::rt {
namespace {

thread_local volatile sig_atomic_t caught = 0;
thread_local siginfo_t last_info;
thread_local std::string* order = nullptr;

void count(int) { caught = caught + 1; }
void count_tenfold(int) { caught = caught + 10; }
void keep_info(int, siginfo_t* info, void*) {
  last_info = *info;
  caught = caught + 1;
}

void sleep_ms(long milliseconds) {
  const timespec time{milliseconds / 1000, milliseconds % 1000 * 1'000'000};
  ::nanosleep(&time, nullptr);
}

int times_caught() { return caught; }

/// Waits for handlers to be called so often, but not for ever. Returns how often they were.
int caught_in_time(int expected) {
  for (int look = 0; look < 5000 && caught < expected; ++look) sleep_ms(1);
  return caught;
}

/// Runs the function as several ranks: with the rank's number, and what lets it meet all others.
template <class Function>
void as_ranks(int ranks, const Function& function) {
  std::latch all_there(ranks), all_done(ranks);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      // It stays: a thread that passes a signal on may still visit it when all are done.
      enter_library_state(new LibraryState);
      enter_signals();
      // GCC 12's ThreadSanitizer loses signals that come during a thread's first call that may block.
      sleep_ms(0);
      function(rank, all_there);
      all_done.arrive_and_wait();
      leave_signals();
      enter_library_state(nullptr);
    });
  for (std::thread& thread : threads) thread.join();
}

bool process_has_default(int signal) {
  struct sigaction action {};
  return process_sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_DFL;
}

struct sigaction action_at(int signal) {
  struct sigaction action {};
  EXPECT_EQ(::sigaction(signal, nullptr, &action), 0);
  return action;
}

/// The signal that ends a child in which the function runs; 0: none.
template <class Function>
int death_of(Function function) {
  const pid_t child = ::fork();
  if (child == 0) {
    note_first_actions();
    function();
    ::_exit(0);
  }
  int how = 0;
  ::waitpid(child, &how, 0);
  return WIFSIGNALED(how) ? WTERMSIG(how) : 0;
}

class Signals : public testing::Test {
 protected:
  static void SetUpTestSuite() { note_first_actions(); }
};

TEST_F(Signals, CallTheHandlerOfTheRank) {
  as_ranks(3, [](int rank, std::latch& all_there) {
    caught = 0;
    EXPECT_EQ(::signal(SIGUSR1, rank == 0 ? count : count_tenfold), SIG_DFL);
    if (rank == 2) ::signal(SIGUSR1, SIG_IGN);
    all_there.arrive_and_wait();
    for (int time = 0; time <= rank; ++time) ::raise(SIGUSR1);
    EXPECT_EQ(times_caught(), (std::vector<int>{1, 20, 0}[static_cast<std::size_t>(rank)]));
  });
  EXPECT_TRUE(process_has_default(SIGUSR1)) << "all ranks are over";
}

TEST_F(Signals, HaveActionsThatTheRankFindsAgain) {
  as_ranks(2, [](int rank, std::latch& all_there) {
    struct sigaction action {};
    action.sa_sigaction = keep_info;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    ::sigemptyset(&action.sa_mask);
    ::sigaddset(&action.sa_mask, SIGTERM);
    EXPECT_EQ(rank == 0 ? ::sigaction(SIGUSR2, &action, nullptr) : 0, 0);
    all_there.arrive_and_wait();
    const struct sigaction found = action_at(SIGUSR2);
    if (rank == 1) {
      EXPECT_EQ(found.sa_handler, SIG_DFL);
      return;
    }
    EXPECT_EQ(found.sa_sigaction, &keep_info);
    EXPECT_EQ(found.sa_flags, SA_SIGINFO | SA_NODEFER);
    EXPECT_EQ(::sigismember(&found.sa_mask, SIGTERM), 1);
    EXPECT_EQ(::sigismember(&found.sa_mask, SIGINT), 0);
    ::raise(SIGUSR2);
    EXPECT_EQ(last_info.si_code, SI_TKILL);
    EXPECT_EQ(last_info.si_pid, ::getpid());
  });
}

TEST_F(Signals, RefuseWhatTheCLibraryRefuses) {
  as_ranks(1, [](int, std::latch&) {
    for (const int number : {0, -1, NSIG, SIGKILL, SIGSTOP}) {
      errno = 0;
      EXPECT_EQ(::signal(number, count), SIG_ERR);
      EXPECT_EQ(errno, EINVAL);
    }
    EXPECT_EQ(::signal(SIGUSR1, SIG_ERR), SIG_ERR);
    struct sigaction action {};
    EXPECT_EQ(::sigaction(SIGKILL, nullptr, &action), 0);
    EXPECT_EQ(::sigaction(SIGKILL, &action, nullptr), -1);
  });
}

TEST_F(Signals, ComeToAllRanksIfSentToTheProcess) {
  std::atomic<int> ready{0}, done{0};
  std::thread sender_waits([&] {
    as_ranks(3, [&](int rank, std::latch& all_there) {
      caught = 0;
      struct sigaction action {};
      action.sa_sigaction = keep_info;
      action.sa_flags = SA_SIGINFO;
      if (rank < 2) ::sigaction(SIGUSR1, &action, nullptr);
      if (rank == 2) ::signal(SIGUSR1, SIG_IGN);
      all_there.arrive_and_wait();
      ++ready;
      if (rank < 2) {
        EXPECT_EQ(caught_in_time(1), 1);
        EXPECT_EQ(last_info.si_code, SI_USER);
        EXPECT_EQ(last_info.si_pid, ::getpid());
        EXPECT_EQ(last_info.si_errno, 0);
      }
      ++done;
      while (done < 3) sleep_ms(1);
      EXPECT_EQ(times_caught(), rank < 2 ? 1 : 0);
    });
  });
  while (ready < 3) sleep_ms(1);
  ::kill(::getpid(), SIGUSR1);  // this thread is no rank
  sender_waits.join();
}

TEST_F(Signals, OfKillComeToTheRankThatCallsIt) {
  as_ranks(2, [](int rank, std::latch& all_there) {
    caught = 0;
    struct sigaction action {};
    action.sa_sigaction = keep_info;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(SIGUSR1, &action, nullptr);
    all_there.arrive_and_wait();
    EXPECT_EQ(rank == 0 ? ::kill(::getpid(), SIGUSR1) : 0, 0);
    sleep_ms(5);
    EXPECT_EQ(times_caught(), rank == 0 ? 1 : 0);
    if (rank != 0) return;
    EXPECT_EQ(last_info.si_code, SI_USER);
    EXPECT_EQ(last_info.si_pid, ::getpid());
    EXPECT_EQ(last_info.si_uid, ::getuid());
  });
}

TEST_F(Signals, OfKillComeToTheRankWithTheNumber) {
  std::atomic<pid_t> numbers[3] = {::getpid(), 0, 0};
  as_ranks(3, [&](int rank, std::latch& all_there) {
    if (rank != 0) {
      take_number_of_thread();
      numbers[rank] = static_cast<pid_t>(::syscall(SYS_gettid));
    }
    caught = 0;
    struct sigaction action {};
    action.sa_sigaction = keep_info;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(SIGUSR1, &action, nullptr);
    all_there.arrive_and_wait();
    EXPECT_EQ(::kill(numbers[(rank + 1) % 3], SIGUSR1), 0);
    EXPECT_EQ(caught_in_time(1), 1);
    EXPECT_EQ(last_info.si_pid, numbers[(rank + 2) % 3]);
    ::raise(SIGUSR1);
    EXPECT_EQ(caught_in_time(2), 2);
    EXPECT_EQ(last_info.si_pid, numbers[rank]);
  });
}

TEST_F(Signals, OfTheOldKindAreHandledOnce) {
  as_ranks(2, [](int rank, std::latch& all_there) {
    caught = 0;
    ::sysv_signal(SIGUSR1, count);
    all_there.arrive_and_wait();
    if (rank == 0) ::raise(SIGUSR1);
    EXPECT_EQ(times_caught(), rank == 0 ? 1 : 0);
    EXPECT_EQ(action_at(SIGUSR1).sa_handler, rank == 0 ? SIG_DFL : count);
  });
}

TEST_F(Signals, WaitWhileTheHandlerWantsThemBlocked) {
  as_ranks(2, [](int rank, std::latch&) {
    std::string text;
    order = &text;
    struct sigaction action {};
    action.sa_handler = [](int) {
      *order += 'a';
      ::raise(SIGUSR2);
      *order += 'c';
    };
    ::sigemptyset(&action.sa_mask);
    if (rank == 0) ::sigaddset(&action.sa_mask, SIGUSR2);
    ::sigaction(SIGUSR1, &action, nullptr);
    ::signal(SIGUSR2, [](int) { *order += 'b'; });
    ::raise(SIGUSR1);
    EXPECT_EQ(text, rank == 0 ? "acb" : "abc");
  });
}

TEST_F(Signals, AreHandledOneAfterTheOtherUnlessTheHandlerAllowsMore) {
  as_ranks(2, [](int rank, std::latch&) {
    std::string text;
    order = &text;
    struct sigaction action {};
    action.sa_handler = [](int number) {
      *order += '(';
      if (order->size() < 3) ::raise(number);
      *order += ')';
    };
    action.sa_flags = rank == 0 ? SA_NODEFER : 0;
    ::sigaction(SIGUSR1, &action, nullptr);
    ::raise(SIGUSR1);
    EXPECT_EQ(text, rank == 0 ? "((()))" : "()()");
  });
}

TEST_F(Signals, MayInterruptSystemCalls) {
  as_ranks(1, [](int, std::latch&) {
    ::signal(SIGUSR1, count);
    EXPECT_NE(action_at(SIGUSR1).sa_flags & SA_RESTART, 0);
    struct sigaction real {};
    process_sigaction(SIGUSR1, nullptr, &real);
    EXPECT_NE(real.sa_flags & SA_RESTART, 0);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    EXPECT_EQ(::siginterrupt(SIGUSR1, 1), 0);
#pragma GCC diagnostic pop
    ::signal(SIGUSR1, count);
    EXPECT_EQ(action_at(SIGUSR1).sa_flags & SA_RESTART, 0);
    process_sigaction(SIGUSR1, nullptr, &real);
    EXPECT_EQ(real.sa_flags & SA_RESTART, 0);
  });
}

TEST_F(Signals, OfAnAlarmComeToTheRankThatSetIt) {
  as_ranks(3, [](int rank, std::latch& all_there) {
    caught = 0;
    struct sigaction action {};
    action.sa_sigaction = keep_info;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(SIGALRM, &action, nullptr);
    all_there.arrive_and_wait();
    EXPECT_EQ(::alarm(0), 0u);
    if (rank == 0) ::ualarm(2000, 2000);
    if (rank == 1) ::alarm(1000);
    if (rank == 0) {
      EXPECT_GE(caught_in_time(3), 3);
      EXPECT_EQ(last_info.si_code, SI_KERNEL);
      EXPECT_EQ(last_info.si_pid, 0);
      ::ualarm(0, 0);
      return;
    }
    sleep_ms(20);
    EXPECT_EQ(times_caught(), 0);
    EXPECT_EQ(::alarm(0), rank == 1 ? 1000u : 0u);
  });
}

TEST_F(Signals, OfAChildAreThoseOfItsRank) {
  as_ranks(2, [](int rank, std::latch& all_there) {
    caught = 0;
    ::signal(SIGUSR1, rank == 0 ? count : SIG_IGN);
    ::signal(SIGUSR2, rank == 0 ? SIG_IGN : count_tenfold);
    all_there.arrive_and_wait();
    const pid_t child = ::fork();
    if (child == 0) {
      ::raise(SIGUSR1);
      ::raise(SIGUSR2);
      ::signal(SIGUSR1, SIG_IGN);  // the child's alone
      ::_exit(caught);
    }
    int how = 0;
    ::waitpid(child, &how, 0);
    EXPECT_EQ(WIFEXITED(how) ? WEXITSTATUS(how) : -1, rank == 0 ? 1 : 10);
    EXPECT_EQ(action_at(SIGUSR1).sa_handler, rank == 0 ? count : SIG_IGN);
  });
}

TEST_F(Signals, EndTheProcessIfTheRankDoesNotHandleThem) {
  const auto raise_on_other = [](int rank, std::latch& all_there) {
    if (rank == 0) ::signal(SIGTERM, count);
    all_there.arrive_and_wait();
    if (rank == 1) ::raise(SIGTERM);
  };
  EXPECT_EQ(death_of([&] { as_ranks(2, raise_on_other); }), SIGTERM);
  const auto handle_everywhere = [](int rank, std::latch& all_there) {
    ::signal(SIGTERM, count);
    all_there.arrive_and_wait();
    if (rank == 1) ::raise(SIGTERM);
  };
  EXPECT_EQ(death_of([&] { as_ranks(2, handle_everywhere); }), 0);
}

TEST_F(Signals, RunHandlersBeforeTheyEndTheProcess) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  static int to = -1;
  to = ends[1];
  const auto send_to_all = [](int rank, std::latch& all_there) {
    if (rank == 0) ::signal(SIGTERM, [](int) { (void)!::write(to, "x", 1); });
    all_there.arrive_and_wait();
    // Without the handlers for forks, which this process has twice.
    if (rank == 0 && ::_Fork() == 0) {
      ::kill(::getppid(), SIGTERM);  // another process's, whichever thread the system gives it to
      ::_exit(0);
    }
    sleep_ms(10'000);
  };
  EXPECT_EQ(death_of([&] { as_ranks(2, send_to_all); }), SIGTERM);
  ::close(ends[1]);
  char text[4];
  EXPECT_EQ(::read(ends[0], text, sizeof text), 1);
  ::close(ends[0]);
}

TEST_F(Signals, OfAbortEndTheProcessAfterTheHandler) {
  as_ranks(2, [](int rank, std::latch& all_there) {
    caught = 0;
    if (rank == 0) ::signal(SIGABRT, count);
    all_there.arrive_and_wait();
    handle_abort();
    EXPECT_EQ(times_caught(), rank == 0 ? 1 : 0);
    EXPECT_EQ(action_at(SIGABRT).sa_handler, SIG_DFL);
  });
}

}  // namespace
}  // namespace kanor::rt

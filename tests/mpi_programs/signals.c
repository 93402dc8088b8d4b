// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signals: every rank has its own handlers, and gets those that it raises, as if it were a process.
//
// The ranks handle one signal in different ways at once. A fault is an error of the rank that makes it;
// an alarm rings where it was set.
#include <errno.h>
#include <mpi.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static int rank, size;
static volatile sig_atomic_t caught, depth;
static volatile int last_code, last_process;
static char order[16];
static sigjmp_buf before_fault;

static void count(int number) { caught += number == SIGUSR1 ? 1 : 100; }
static void count_tenfold(int number) { caught += number == SIGUSR1 ? 10 : 1000; }
static void jump(int number) { siglongjmp(before_fault, number); }
static void note(int number, siginfo_t* info, void* context) {
  (void)number;
  (void)context;
  last_code = info->si_code;
  last_process = (int)info->si_pid;
  ++caught;
}

static void meet(void) { MPI_Barrier(MPI_COMM_WORLD); }

static void sleep_ms(long milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static void check_handlers(void) {
  caught = 0;
  CHECK(signal(SIGUSR1, rank % 2 ? count_tenfold : count) == SIG_DFL);
  CHECK(signal(SIGUSR2, rank % 3 ? SIG_IGN : count) == SIG_DFL);
  meet();
  for (int time = 0; time <= rank; ++time) CHECK_EQ(raise(SIGUSR1), 0);
  raise(SIGUSR2);
  meet();
  CHECK_EQ(caught, (rank % 2 ? 10 : 1) * (rank + 1) + (rank % 3 ? 0 : 100));
  CHECK(signal(SIGUSR1, SIG_IGN) == (rank % 2 ? count_tenfold : count));
  CHECK(signal(SIGUSR2, SIG_DFL) == (rank % 3 ? SIG_IGN : count));
  const int so_far = caught;
  raise(SIGUSR1);
  CHECK_EQ(caught, so_far);
  meet();
}

static void check_actions(void) {
  struct sigaction action, found;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = note;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  if (rank % 2) sigaddset(&action.sa_mask, SIGTERM);
  CHECK_EQ(sigaction(SIGUSR1, &action, NULL), 0);
  meet();
  CHECK_EQ(sigaction(SIGUSR1, NULL, &found), 0);
  CHECK(found.sa_sigaction == note);
  CHECK_EQ(found.sa_flags & (SA_SIGINFO | SA_NODEFER), SA_SIGINFO | SA_NODEFER);
  CHECK_EQ(sigismember(&found.sa_mask, SIGTERM), rank % 2);
  caught = 0;
  raise(SIGUSR1);
  CHECK_EQ(last_code, SI_TKILL);
  CHECK_EQ(last_process, getpid());
  // A process that signals itself.
  if (rank % 2) CHECK_EQ(kill(getpid(), SIGUSR1), 0);
  meet();
  CHECK_EQ(caught, 1 + rank % 2);
  CHECK_EQ(last_code, rank % 2 ? SI_USER : SI_TKILL);
  CHECK_EQ(last_process, getpid());
  CHECK_EQ(kill(getpid(), 0), 0);
  signal(SIGUSR1, SIG_DFL);
}

static void check_errors(void) {
  const int wrong[] = {0, -1, 1000, SIGKILL, SIGSTOP};
  for (int i = 0; i < 5; ++i) {
    errno = 0;
    CHECK(signal(wrong[i], count) == SIG_ERR);
    CHECK_EQ(errno, EINVAL);
  }
  struct sigaction found;
  CHECK_EQ(sigaction(SIGKILL, NULL, &found), 0);
  CHECK_EQ(sigaction(SIGSTOP, &found, NULL), -1);
}

/// The handler of the C standard's old signal(): for one signal.
static void check_once(void) {
  struct sigaction found;
  caught = 0;
  CHECK(__sysv_signal(SIGUSR1, count) == SIG_DFL);
  meet();
  if (rank % 2) raise(SIGUSR1);
  meet();
  CHECK_EQ(caught, rank % 2);
  sigaction(SIGUSR1, NULL, &found);
  CHECK(found.sa_handler == (rank % 2 ? SIG_DFL : count));
  signal(SIGUSR1, SIG_DFL);
}

static void add(char what) { order[strlen(order)] = what; }
static void outer(int number) {
  (void)number;
  add('a');
  raise(SIGUSR2);
  add('c');
}
static void inner(int number) {
  (void)number;
  add('b');
}
static void nested(int number) {
  add('(');
  if (++depth < 3) raise(number);
  add(')');
}

static void check_masks(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = outer;
  sigemptyset(&action.sa_mask);
  if (rank % 2) sigaddset(&action.sa_mask, SIGUSR2);
  sigaction(SIGUSR1, &action, NULL);
  signal(SIGUSR2, inner);
  meet();
  raise(SIGUSR1);
  CHECK_STR(order, rank % 2 ? "acb" : "abc");
  memset(order, 0, sizeof order);
  action.sa_handler = nested;
  action.sa_flags = rank % 2 ? SA_NODEFER : 0;
  sigemptyset(&action.sa_mask);
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  CHECK_STR(order, rank % 2 ? "((()))" : "()()()");
  signal(SIGUSR1, SIG_DFL);
  signal(SIGUSR2, SIG_DFL);
}

static void check_faults(void) {
  signal(SIGSEGV, jump);
  signal(SIGFPE, rank % 2 ? jump : SIG_DFL);
  meet();
  volatile int faults = 0;
  for (int time = 0; time < 3; ++time) {
    if (sigsetjmp(before_fault, 1) == SIGSEGV) {
      ++faults;
      continue;
    }
    *(volatile int*)(8 + 8 * (size_t)rank) = 1;
  }
  CHECK_EQ(faults, 3);
  volatile int zero = 0;
  if (rank % 2 && sigsetjmp(before_fault, 1) == 0) {
    zero = 7 / zero;  // of 1, gcc makes a comparison
    CHECK(0);
  }
  meet();
  signal(SIGSEGV, SIG_DFL);
  signal(SIGFPE, SIG_DFL);
}

static void check_pipes(void) {
  int ends[2];
  CHECK_EQ(pipe(ends), 0);
  close(ends[0]);
  caught = 0;
  signal(SIGPIPE, rank % 2 ? count : SIG_IGN);
  meet();
  errno = 0;
  CHECK_EQ(write(ends[1], "x", 1), -1);
  CHECK_EQ(errno, EPIPE);
  CHECK_EQ(caught, rank % 2 ? 100 : 0);
  close(ends[1]);
  meet();
  signal(SIGPIPE, SIG_DFL);
}

static void check_alarms(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = note;
  action.sa_flags = SA_SIGINFO;
  caught = 0;
  sigaction(SIGALRM, &action, NULL);
  meet();
  CHECK_EQ(alarm(0), 0);
  if (rank % 2) {
    ualarm(5000, 5000);
    while (caught < 3) pause();
    ualarm(0, 0);
    CHECK_EQ(last_code, SI_KERNEL);
  } else {
    CHECK_EQ(alarm(500 + (unsigned)rank), 0);
    sleep_ms(30);
    CHECK_EQ(caught, 0);
    CHECK_EQ(alarm(0), 500 + rank);
  }
  meet();
  if (rank == 0) {
    alarm(1);
    while (caught == 0) sleep_ms(5);
  }
  meet();
  if (rank % 2 == 0) CHECK_EQ(caught, rank == 0);
  signal(SIGALRM, SIG_DFL);
}

/// A handler that leaves the rank's main for good.
static void leave(int number) {
  (void)number;
  exit(check_failures ? 1 : 0);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check_part("handlers");
  check_handlers();
  check_part("actions");
  check_actions();
  check_part("errors");
  check_errors();
  check_part("once");
  check_once();
  check_part("masks");
  check_masks();
  check_part("faults");
  check_faults();
  check_part("pipes");
  check_pipes();
  check_part("alarms");
  check_alarms();
  signal(SIGUSR1, leave);
  check_failures = check_finish();
  if (rank % 2) raise(SIGUSR1);
  return check_failures;
}

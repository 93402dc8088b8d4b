// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each rank has a process's number of its own: for seeds and names, for signals, and before its children.
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#include "check.h"

enum { most_ranks = 16 };

static int rank, size;
static int numbers[most_ranks];
static volatile sig_atomic_t signals;
static volatile int sender;

static void count(int signal, siginfo_t* info, void* context) {
  (void)signal;
  (void)context;
  sender = (int)info->si_pid;
  ++signals;
}

static void check_numbers(void) {
  const int mine = (int)getpid();
  MPI_Allgather(&mine, 1, MPI_INT, numbers, 1, MPI_INT, MPI_COMM_WORLD);
  CHECK(mine > 0);
  CHECK_EQ((int)getpid(), mine);
  for (int i = 0; i < size; ++i) CHECK((numbers[i] == mine) == (i == rank));
  CHECK((int)getppid() != mine);
}

static void check_signals(void) {
  struct sigaction action = {.sa_sigaction = count, .sa_flags = SA_SIGINFO};
  sigemptyset(&action.sa_mask);
  sigaction(SIGUSR1, &action, NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_EQ(kill(getpid(), SIGUSR1), 0);
  while (signals < 1) usleep(1000);
  CHECK_EQ(sender, numbers[rank]);
  CHECK_EQ(raise(SIGUSR1), 0);
  CHECK_EQ(sender, numbers[rank]);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_EQ(signals, 2);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_EQ(kill(numbers[(rank + 1) % size], SIGUSR1), 0);
  while (signals < 3) usleep(1000);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_EQ(signals, 3);
  CHECK_EQ(sender, numbers[(rank + size - 1) % size]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check_part("numbers");
  check_numbers();
  check_part("signals");
  check_signals();
  return check_finish();
}

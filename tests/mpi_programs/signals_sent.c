// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signals that somebody sends to the job come to every rank, also to those that wait in MPI calls.
//
// Inputs/send_signals.py sends one at each "ready": SIGUSR1 and SIGTERM, which all ranks handle; or, if
// the argument is "end", SIGUSR2, which rank 0 alone handles.
#include <mpi.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static int rank, size;
static volatile sig_atomic_t caught, stops;

static void count(int number) { caught += number == SIGUSR1; }
static void stop(int number) { stops += number == SIGTERM; }
static void say(int number) {
  (void)number;
  if (write(STDOUT_FILENO, "handled\n", 8) != 8) _exit(3);
}

static void sleep_ms(long milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static void be_ready(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  check_part("ready");
}

static void check_caught(void) {
  int token = 0;
  be_ready();
  if (rank > 0) MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int look = 0; look < 4000 && caught == 0; ++look) sleep_ms(5);
  for (int to = 1; rank == 0 && to < size; ++to) MPI_Send(&token, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
  CHECK_EQ(caught, 1);
  CHECK_EQ(stops, 0);
}

static void check_stops(void) {
  be_ready();
  for (int look = 0; look < 4000 && stops == 0; ++look) sleep_ms(5);
  CHECK_EQ(stops, 1);
  CHECK_EQ(caught, 1);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  signal(SIGUSR1, count);
  signal(SIGTERM, stop);
  if (rank == 0) signal(SIGUSR2, say);
  if (argc > 1 && strcmp(argv[1], "end") == 0) {
    be_ready();
    for (int look = 0; look < 4000; ++look) sleep_ms(5);
  }
  check_caught();
  check_stops();
  return check_finish();
}

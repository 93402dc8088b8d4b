/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Handlers of atexit() and on_exit(), and functions of the program that the linker has called at its
 * end, take part in the job: each rank calls its own, the latest first, and all of them once.
 *
 * Arguments: how main ends ("return", "exit", "pthread_exit"), its status, and the one with which a
 * handler calls exit(), if any.
 */
#define _DEFAULT_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, step, status, given_status;

static void fail(const char* what) {
  fprintf(stderr, "rank %d of %d, step %d: %s\n", rank, size, step, what);
  MPI_Abort(MPI_COMM_WORLD, 77);
}

/* The steps come in this order, and each on all ranks. */
static void take_step(int number) {
  int sum = 0;
  if (++step != number) fail("steps are out of order");
  MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (sum != size * number) fail("the sum is wrong");
}

static void first(void) { take_step(1); }

static void second(int seen, void* argument) {
  if (argument != &step) fail("on_exit's argument is wrong");
  if (seen != status) fail("on_exit's status is wrong");
  take_step(2);
}

static void added(void) { take_step(4); }

static void third(void) {
  take_step(3);
  atexit(added);
}

static void fifth(void) {
  take_step(5);
  if (given_status >= 0) exit(status = given_status);
}

static void sixth(int seen, void* argument) {
  int next = (rank + 1) % size, before = (rank + size - 1) % size, got = -1;
  if (argument || seen != status) fail("on_exit's arguments are wrong");
  MPI_Sendrecv(&rank, 1, MPI_INT, next, 5, &got, 1, MPI_INT, before, 5, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  if (got != before) fail("the message is wrong");
  take_step(6);
}

__attribute__((destructor)) static void seventh(void) {
  int on = 0, off = 0;
  MPI_Initialized(&on);
  MPI_Finalized(&off);
  if (!on || off) fail("MPI does not run");
  take_step(7);
  /* Nobody waits for what is sent last; it must arrive although the sender is gone. */
  if (rank > 0) MPI_Send(&step, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
  for (int from = 1; rank == 0 && from < size; ++from) {
    int last = 0;
    MPI_Recv(&last, 1, MPI_INT, from, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (last != 7) fail("the last message is wrong");
  }
  MPI_Finalize();
  MPI_Finalized(&off);
  if (!off) fail("MPI has not ended");
  if (rank == 0) printf("all have ended\n");
}

int main(int argc, char** argv) {
  const char* way = argc > 1 ? argv[1] : "return";
  status = argc > 2 ? atoi(argv[2]) : 0;
  given_status = argc > 3 ? atoi(argv[3]) : -1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  on_exit(sixth, NULL);
  atexit(fifth);
  atexit(third);
  on_exit(second, &step);
  atexit(first);
  if (strcmp(way, "exit") == 0) exit(status);
  if (strcmp(way, "pthread_exit") == 0) pthread_exit(NULL);
  return status;
}

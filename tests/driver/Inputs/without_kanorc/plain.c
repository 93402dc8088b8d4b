/* C, without kanorc: passes a buffer round a ring, says what kind of rank it is, and ends by exit. */
#define _GNU_SOURCE
#include <kanor/opi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { count = 1000, tag = 7 };

static int runs; /* one for each process */

/* The buffer begins with 1 in each element; the other ranks add their number + 1 on its way round. */
static int sum_round_the_ring(int me, int ranks) {
  const int next = (me + 1) % ranks, previous = (me + ranks - 1) % ranks;
  int* numbers;
  MPI_Status status;
  int got = 0, sum = 0;
  if (me == 0) {
    if (OPI_Alloc(&numbers, count * sizeof *numbers) != MPI_SUCCESS) return -1;
    for (int i = 0; i < count; ++i) numbers[i] = 1;
    if (OPI_Give(&numbers, count, MPI_INT, next, tag, MPI_COMM_WORLD) != MPI_SUCCESS || numbers) return -2;
  }
  if (OPI_Take(&numbers, count, MPI_INT, previous, tag, MPI_COMM_WORLD, &status) != MPI_SUCCESS) return -3;
  MPI_Get_count(&status, MPI_INT, &got);
  if (status.MPI_SOURCE != previous || status.MPI_TAG != tag || got != count) return -4;
  if (me == 0) {
    sum = numbers[count - 1];
    OPI_Free(&numbers);
  } else {
    for (int i = 0; i < count; ++i) numbers[i] += me + 1;
    OPI_Give(&numbers, count, MPI_INT, next, tag, MPI_COMM_WORLD);
  }
  for (int rank = 1; me == 0 && rank < ranks; ++rank)
    MPI_Send(&sum, 1, MPI_INT, rank, tag + 1, MPI_COMM_WORLD);
  if (me != 0) MPI_Recv(&sum, 1, MPI_INT, 0, tag + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  return sum;
}

int main(int argc, char** argv) {
  int me = -1, ranks = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char* const kind = syscall(SYS_gettid) == getpid() ? "process" : "thread";
  const int run = __atomic_add_fetch(&runs, 1, __ATOMIC_RELAXED);
  const int sum = sum_round_the_ring(me, ranks);
  printf("%s, run %d, the ring's sum is %s\n", kind, run,
         sum == ranks * (ranks + 1) / 2 ? "right" : OPI_Error_text());
  MPI_Finalize();
  exit(sum < 0);
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

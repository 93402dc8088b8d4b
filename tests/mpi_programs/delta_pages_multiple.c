// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread waits for a delta message that is sent only after another thread's message has come.
#include <kanor/delta.h>
#include <pthread.h>
#include <stdlib.h>

#include "ring.h"

enum { n = 100000, delta_tag = 1, other_tag = 2 };
static double* elements;

static void* receive(void* unused) {
  int wrong = 0;
  Delta_recv(elements, n, MPI_DOUBLE, 0, delta_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < n; ++i) wrong += elements[i] != i;
  CHECK_EQ(wrong, 0);
  return unused;
}

int main(int argc, char** argv) {
  int provided, number = 0;
  pthread_t thread;
  MPI_Request sending;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  CHECK_EQ(provided, MPI_THREAD_MULTIPLE);
  find_place();
  elements = calloc(n, sizeof *elements);
  for (int round = 0; round < 20; ++round) {
    if (rank == 1) {
      CHECK_EQ(pthread_create(&thread, NULL, receive, NULL), 0);
      MPI_Send(&round, 1, MPI_INT, 0, other_tag, MPI_COMM_WORLD);
      CHECK_EQ(pthread_join(thread, NULL), 0);
    } else if (rank == 0) {
      MPI_Recv(&number, 1, MPI_INT, 1, other_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK_EQ(number, round);
      Delta_send_begin(elements, n, MPI_DOUBLE, 1, delta_tag, MPI_COMM_WORLD, &sending);
      for (int i = 0; i < n; ++i) elements[i] = i;
      Delta_wait(&sending, MPI_STATUS_IGNORE);
    }
    memset(elements, round, n * sizeof *elements);
  }
  free(elements);
  return check_finish();
}

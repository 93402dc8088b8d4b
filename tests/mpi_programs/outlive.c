/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A detached thread goes on when its rank has ended, and a key has a destructor of the program's. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static volatile long turns;

static void* work(void* nothing) {
  for (;;) ++turns;
  return nothing;
}

static void destroy(void* value) { free(value); }

int main(int argc, char** argv) {
  int rank;
  pthread_key_t key;
  pthread_t thread;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  pthread_key_create(&key, destroy);
  pthread_setspecific(key, malloc(10));
  pthread_create(&thread, NULL, work, NULL);
  pthread_detach(thread);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  if (rank == 0) usleep(100000);
  return 0;
}

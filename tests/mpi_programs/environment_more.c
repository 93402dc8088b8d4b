// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The environment in less usual uses.
//
// MPI_Init_thread without arguments; calls on another thread of a rank; one clock for all ranks;
// memory of no bytes and of many, which other ranks get messages from; MPI_INFO_ENV; questions before
// MPI_Init and after MPI_Finalize.
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

#include "check.h"

static int rank, size;

struct thread_result {
  int is_main, sum, rank;
};

static void* on_thread(void* argument) {
  struct thread_result* result = argument;
  MPI_Is_thread_main(&result->is_main);
  MPI_Comm_rank(MPI_COMM_WORLD, &result->rank);
  MPI_Allreduce(&rank, &result->sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return NULL;
}

static void check_threads(int provided) {
  int level = -1, is_main = 0;
  CHECK(provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE);
  MPI_Query_thread(&level);
  CHECK_EQ(level, provided);
  MPI_Is_thread_main(&is_main);
  CHECK_EQ(is_main, 1);
  if (provided < MPI_THREAD_SERIALIZED) return;
  pthread_t thread;
  struct thread_result result = {-1, -1, -1};
  CHECK_EQ(pthread_create(&thread, NULL, on_thread, &result), 0);
  pthread_join(thread, NULL);
  CHECK_EQ(result.is_main, 0);
  CHECK_EQ(result.rank, rank);
  CHECK_EQ(result.sum, size * (size - 1) / 2);
  MPI_Is_thread_main(&is_main);
  CHECK_EQ(is_main, 1);
}

// With one clock nobody leaves a barrier before the last rank has come.
static void check_clock(void) {
  int* is_global = NULL;
  int found = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &is_global, &found);
  for (int round = 0; round < 5; ++round) {
    double came = MPI_Wtime(), last = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    const double went = MPI_Wtime();
    MPI_Allreduce(&came, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (found && *is_global) CHECK(last <= went + MPI_Wtick());
    CHECK(came <= went);
  }
}

static void check_memory(void) {
  const int count = 300000;
  void* none = &rank;
  double *mine = NULL, *theirs = NULL;
  MPI_Info hints;
  MPI_Alloc_mem(0, MPI_INFO_NULL, &none);
  CHECK(none != (void*)&rank);
  MPI_Free_mem(none);
  MPI_Info_create(&hints);
  MPI_Info_set(hints, "some_hint", "of no meaning");
  MPI_Alloc_mem(count * (MPI_Aint)sizeof *mine, hints, &mine);
  MPI_Alloc_mem(count * (MPI_Aint)sizeof *mine, MPI_INFO_NULL, &theirs);
  MPI_Info_free(&hints);
  CHECK(mine != NULL && theirs != NULL && mine != theirs);
  for (int i = 0; i < count; ++i) mine[i] = rank + i, theirs[i] = -1;
  const int left = (rank + size - 1) % size;
  MPI_Request request;
  MPI_Irecv(theirs, count, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, &request);
  MPI_Send(mine, count, MPI_DOUBLE, (rank + 1) % size, 3, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += theirs[i] != left + i;
  CHECK_EQ(wrong, 0);
  MPI_Free_mem(mine);
  MPI_Free_mem(theirs);
}

static void check_info_of_job(void) {
  MPI_Info copy;
  char value[MPI_MAX_INFO_VAL + 1], key[MPI_MAX_INFO_KEY + 1];
  int keys = -1, copied = -1, found = 0, length = -1;
  MPI_Info_get_nkeys(MPI_INFO_ENV, &keys);
  CHECK(keys >= 0);
  MPI_Info_get(MPI_INFO_ENV, "maxprocs", MPI_MAX_INFO_VAL, value, &found);
  if (found) CHECK_EQ(atoi(value), size);
  MPI_Info_get(MPI_INFO_ENV, "command", MPI_MAX_INFO_VAL, value, &found);
  if (found) CHECK(strlen(value) > 0);
  MPI_Info_dup(MPI_INFO_ENV, &copy);
  MPI_Info_get_nkeys(copy, &copied);
  CHECK_EQ(copied, keys);
  for (int i = 0; i < keys; ++i) {
    MPI_Info_get_nthkey(MPI_INFO_ENV, i, key);
    MPI_Info_get_valuelen(copy, key, &length, &found);
    CHECK(found);
    MPI_Info_get(MPI_INFO_ENV, key, MPI_MAX_INFO_VAL, value, &found);
    CHECK(found);
    CHECK_EQ(strlen(value), length);
  }
  // The copy can be changed.
  MPI_Info_set(copy, "another", "value");
  MPI_Info_get_nkeys(copy, &copied);
  CHECK_EQ(copied, keys + 1);
  MPI_Info_free(&copy);
}

static void check_questions(int initialised, int finalised) {
  int flag = -1, version = 0, subversion = -1, length = -1;
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  MPI_Initialized(&flag);
  CHECK_EQ(flag, initialised);
  MPI_Finalized(&flag);
  CHECK_EQ(flag, finalised);
  MPI_Get_version(&version, &subversion);
  CHECK_EQ(version, MPI_VERSION);
  CHECK_EQ(subversion, MPI_SUBVERSION);
  MPI_Get_library_version(text, &length);
  CHECK(length > 0 && length < MPI_MAX_LIBRARY_VERSION_STRING);
  CHECK_EQ(strlen(text), length);
}

int main(void) {
  int provided = -1;
  check_questions(0, 0);
  MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
  check_questions(1, 0);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check_part("threads");
  check_threads(provided);
  check_part("clock");
  check_clock();
  check_part("memory");
  check_memory();
  check_part("information on the job");
  check_info_of_job();
  const int status = check_finish();
  check_failures = 0;
  check_questions(1, 1);
  return status || check_failures;
}

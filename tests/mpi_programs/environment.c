// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The environment of a program.
//
// Initialized, Finalized, Init_thread, Query_thread, Is_thread_main, Get_processor_name,
// Get_version, Get_library_version, Wtime, Wtick, Alloc_mem, Free_mem, Pcontrol, and Info objects.
// Errors are in errors.c.
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

#include "check.h"

static int rank, size;

static void check_before(void) {
  int flag = -1;
  MPI_Initialized(&flag);
  CHECK_EQ(flag, 0);
  MPI_Finalized(&flag);
  CHECK_EQ(flag, 0);
  int version = -1, subversion = -1;
  MPI_Get_version(&version, &subversion);
  CHECK(version >= 3);
}

static void check_threads(int provided) {
  int level = -1, main_thread = 0, flag = 0;
  CHECK(provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE);
  CHECK(MPI_THREAD_SINGLE < MPI_THREAD_FUNNELED && MPI_THREAD_FUNNELED < MPI_THREAD_SERIALIZED &&
        MPI_THREAD_SERIALIZED < MPI_THREAD_MULTIPLE);
  MPI_Query_thread(&level);
  CHECK_EQ(level, provided);
  MPI_Is_thread_main(&main_thread);
  CHECK(main_thread);
  MPI_Initialized(&flag);
  CHECK(flag);
  MPI_Finalized(&flag);
  CHECK(!flag);
}

static void check_names(void) {
  char name[MPI_MAX_PROCESSOR_NAME], version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = -1, major = 0, minor = -1;
  MPI_Get_processor_name(name, &length);
  CHECK(length > 0 && length < MPI_MAX_PROCESSOR_NAME);
  CHECK_EQ(strlen(name), length);
  MPI_Get_library_version(version, &length);
  CHECK(length > 0);
  CHECK_EQ(strlen(version), length);
  MPI_Get_version(&major, &minor);
  CHECK(major > 3 || (major == 3 && minor >= 1));
  CHECK(MPI_VERSION > 3 || (MPI_VERSION == 3 && MPI_SUBVERSION >= 1));
  CHECK_EQ(major, MPI_VERSION);
  CHECK_EQ(minor, MPI_SUBVERSION);
}

static void check_time(void) {
  const double start = MPI_Wtime(), tick = MPI_Wtick();
  CHECK(tick > 0 && tick < 0.1);
  double now = start, before = start;
  int backwards = 0;
  while (now < start + 0.01) {
    before = now;
    now = MPI_Wtime();
    backwards += now < before;
  }
  CHECK_EQ(backwards, 0);
  const struct timespec pause = {0, 20 * 1000 * 1000};
  const double asleep = MPI_Wtime();
  nanosleep(&pause, NULL);
  CHECK(MPI_Wtime() - asleep >= 0.0199);
  CHECK(MPI_Wtime() - asleep < 20);
}

static void check_memory(void) {
  int* memory = NULL;
  MPI_Alloc_mem(100000 * sizeof(int), MPI_INFO_NULL, &memory);
  CHECK(memory != NULL);
  for (int i = 0; i < 100000; ++i) memory[i] = rank + i;
  MPI_Sendrecv_replace(memory, 100000, MPI_INT, (rank + 1) % size, 1, (rank + size - 1) % size, 1,
                       MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK_EQ(memory[99999], (rank + size - 1) % size + 99999);
  MPI_Free_mem(memory);
}

static void check_info(void) {
  MPI_Info info, copy;
  char value[MPI_MAX_INFO_VAL + 1], key[MPI_MAX_INFO_KEY + 1], mine[32];
  int flag = -1, count = -1, length = -1, seen = 0;
  CHECK(MPI_MAX_INFO_KEY >= 32 && MPI_MAX_INFO_VAL >= 64);
  MPI_Info_create(&info);
  MPI_Info_get_nkeys(info, &count);
  CHECK_EQ(count, 0);
  snprintf(mine, sizeof mine, "rank %d", rank);
  MPI_Info_set(info, "first", "one");
  MPI_Info_set(info, "second", mine);
  MPI_Info_set(info, "third", "a longer value, with spaces; and signs = \"x\"");
  MPI_Info_set(info, "first", "uno");
  MPI_Info_get_nkeys(info, &count);
  CHECK_EQ(count, 3);
  MPI_Info_get(info, "first", MPI_MAX_INFO_VAL, value, &flag);
  CHECK(flag);
  CHECK_STR(value, "uno");
  MPI_Info_get(info, "second", MPI_MAX_INFO_VAL, value, &flag);
  CHECK_STR(value, mine);
  MPI_Info_get(info, "none", MPI_MAX_INFO_VAL, value, &flag);
  CHECK_EQ(flag, 0);
  MPI_Info_get_valuelen(info, "second", &length, &flag);
  CHECK(flag);
  CHECK_EQ(length, strlen(mine));
  MPI_Info_get_valuelen(info, "none", &length, &flag);
  CHECK_EQ(flag, 0);
  for (int i = 0; i < 3; ++i) {
    MPI_Info_get_nthkey(info, i, key);
    seen |= strcmp(key, "first") == 0    ? 1
            : strcmp(key, "second") == 0 ? 2
            : strcmp(key, "third") == 0  ? 4
                                         : 8;
  }
  CHECK_EQ(seen, 7);
  MPI_Info_dup(info, &copy);
  MPI_Info_delete(info, "second");
  MPI_Info_get_nkeys(info, &count);
  CHECK_EQ(count, 2);
  MPI_Info_get(info, "second", MPI_MAX_INFO_VAL, value, &flag);
  CHECK_EQ(flag, 0);
  MPI_Info_get_nkeys(copy, &count);
  CHECK_EQ(count, 3);
  MPI_Info_get(copy, "second", MPI_MAX_INFO_VAL, value, &flag);
  CHECK(flag);
  CHECK_STR(value, mine);
  // Keys and values of the greatest lengths.
  char* long_key = malloc(MPI_MAX_INFO_KEY);
  memset(long_key, 'k', MPI_MAX_INFO_KEY - 1);
  long_key[MPI_MAX_INFO_KEY - 1] = 0;
  MPI_Info_set(copy, long_key, "v");
  MPI_Info_get(copy, long_key, MPI_MAX_INFO_VAL, value, &flag);
  CHECK(flag);
  CHECK_STR(value, "v");
  free(long_key);
  MPI_Info_free(&info);
  CHECK(info == MPI_INFO_NULL);
  MPI_Info_free(&copy);
  MPI_Info_get_nkeys(MPI_INFO_ENV, &count);
  CHECK(count >= 0);
}

int main(int argc, char** argv) {
  int provided = -1;
  check_before();
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check_part("threads");
  check_threads(provided);
  check_part("names");
  check_names();
  check_part("time");
  check_time();
  check_part("memory");
  check_memory();
  check_part("info");
  check_info();
  MPI_Pcontrol(0);
  MPI_Pcontrol(1, "with", 2, "more");
  const int status = check_finish();
  int flag = 0, version, subversion;
  MPI_Finalized(&flag);
  if (!flag) return 1;
  MPI_Initialized(&flag);
  if (!flag) return 1;
  MPI_Get_version(&version, &subversion);
  return status;
}

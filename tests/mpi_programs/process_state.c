// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C library's own state: every rank has its own, as if it were a process.
//
// strtok, rand, getopt, errno, localtime's result, the environment, and memory of malloc that ranks
// free themselves, used by all ranks at once in turns.
#include <errno.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static int rank, size;

static void check_strtok(void) {
  char text[64];
  snprintf(text, sizeof text, "%d,%d;%d,end", rank, rank + 1, rank + 2);
  for (int i = 0; i < 4; ++i) {
    const char* word = strtok(i == 0 ? text : NULL, ",;");
    CHECK(word != NULL);
    if (word != NULL && i < 3) CHECK_EQ(atoi(word), rank + i);
    if (word != NULL && i == 3) CHECK_STR(word, "end");
    MPI_Barrier(MPI_COMM_WORLD);
  }
  CHECK(strtok(NULL, ",;") == NULL);
}

static unsigned draw(unsigned seed) {
  unsigned mixed = 0;
  srand(seed);
  for (int i = 0; i < 20; ++i) {
    mixed = mixed * 31 + (unsigned)rand();
    MPI_Barrier(MPI_COMM_WORLD);
  }
  return mixed;
}

static void check_rand(void) {
  unsigned mine = draw(7), least, most;
  MPI_Allreduce(&mine, &least, 1, MPI_UNSIGNED, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(&mine, &most, 1, MPI_UNSIGNED, MPI_MAX, MPI_COMM_WORLD);
  CHECK(mine == least && mine == most);
  CHECK(draw(7) == mine);
  unsigned other = draw(100 + rank);
  CHECK(draw(100 + rank) == other);
  // Of the same seed as its left neighbour's, the same numbers.
  unsigned of_left = other;
  MPI_Sendrecv_replace(&of_left, 1, MPI_UNSIGNED, (rank + 1) % size, 0, (rank + size - 1) % size, 0,
                       MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(draw(100 + (rank + size - 1) % size) == of_left);
}

static void check_getopt(void) {
  char program[] = "program", verbose[] = "-v", with[] = "-n", number[16], rest[] = "rest";
  snprintf(number, sizeof number, "%d", 100 + rank);
  char* arguments[] = {program, verbose, with, number, rest, NULL};
  char* swapped[] = {program, with, number, verbose, rest, NULL};
  char** mine = rank % 2 ? swapped : arguments;
  int seen_v = 0, seen_n = 0;
  optind = 1;
  opterr = 0;
  for (int i = 0; i < 3; ++i) {
    const int option = getopt(5, mine, "vn:");
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK((option == -1) == (i == 2));
    if (option == 'v') ++seen_v;
    if (option == 'n') seen_n = atoi(optarg);
    if (option == '?') CHECK(0);
  }
  CHECK_EQ(seen_v, 1);
  CHECK_EQ(seen_n, 100 + rank);
  CHECK_EQ(optind, 4);
}

static void check_errno(void) {
  errno = 1000 + rank;
  MPI_Barrier(MPI_COMM_WORLD);
  errno = 0;
  CHECK_EQ(strtol("99999999999999999999999", NULL, 10), 0x7fffffffffffffffL);
  CHECK_EQ(errno, ERANGE);
}

static void check_time(void) {
  // 1 January 1971 and as many days: the result stands in the library.
  const time_t when = 365 * 86400L + rank * 86400L;
  const struct tm* parts = gmtime(&when);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_EQ(parts->tm_mday, rank + 1);
  CHECK_EQ(parts->tm_year, 71);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void check_environment(void) {
  const char* path = getenv("PATH");
  CHECK(path != NULL && path[0] != 0);
  CHECK(getenv("KANOR_TESTS_NOT_SET") == NULL);
  char value[32], put[64];
  snprintf(value, sizeof value, "value %d", rank);
  CHECK_EQ(setenv("KANOR_TESTS_OF_A_RANK", value, 1), 0);
  static char kept[64];
  snprintf(put, sizeof put, "KANOR_TESTS_PUT=%d", 7 * rank);
  strcpy(kept, put);
  CHECK_EQ(putenv(kept), 0);
  if (rank == 0) setenv("KANOR_TESTS_OF_0", "here", 1);
  MPI_Barrier(MPI_COMM_WORLD);
  const char* mine = getenv("KANOR_TESTS_OF_A_RANK");
  CHECK(mine != NULL);
  if (mine != NULL) CHECK_STR(mine, value);
  mine = getenv("KANOR_TESTS_PUT");
  CHECK(mine != NULL);
  if (mine != NULL) CHECK_EQ(atoi(mine), 7 * rank);
  CHECK((getenv("KANOR_TESTS_OF_0") != NULL) == (rank == 0));
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank % 2) unsetenv("KANOR_TESTS_OF_A_RANK");
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK((getenv("KANOR_TESTS_OF_A_RANK") == NULL) == (rank % 2 == 1));
}

static void check_memory(void) {
  char* blocks[200];
  for (int i = 0; i < 200; ++i) {
    blocks[i] = malloc(100 + 97 * (size_t)i);
    memset(blocks[i], rank + i, 100 + 97 * (size_t)i);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  int wrong = 0;
  for (int i = 0; i < 200; ++i) {
    for (int k = 0; k < 100 + 97 * i; ++k) wrong += blocks[i][k] != (char)(rank + i);
    if (i % 2) blocks[i] = realloc(blocks[i], 10);
    free(blocks[i]);
  }
  CHECK_EQ(wrong, 0);
  double* zeros = calloc(10000, sizeof(double));
  for (int i = 0; i < 10000; ++i) wrong += zeros[i] != 0;
  CHECK_EQ(wrong, 0);
  free(zeros);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check_part("strtok");
  check_strtok();
  check_part("rand");
  check_rand();
  check_part("getopt");
  check_getopt();
  check_part("errno");
  check_errno();
  check_part("time");
  check_time();
  check_part("environment");
  check_environment();
  check_part("memory");
  check_memory();
  return check_finish();
}

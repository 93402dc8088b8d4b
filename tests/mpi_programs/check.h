/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the programs of this folder check their results with, in C89, C99 and C++.
 *
 * A check that fails says where, on which rank and what differed on stderr, and is counted. At the
 * end check_finish() adds the counts of all ranks: every rank's exit status is 1 if there was any.
 * Rank 0 alone prints to stdout: the name of each part as it begins, and the outcome.
 *
 * A program of several sources defines CHECK_ELSEWHERE in all of them but one.
 */
#ifndef KANOR_TESTS_MPI_PROGRAMS_CHECK_H
#define KANOR_TESTS_MPI_PROGRAMS_CHECK_H

#include <mpi.h>
#include <stdio.h>
#include <string.h>

#ifdef CHECK_ELSEWHERE
extern int check_failures;
#else
int check_failures = 0;
#endif

enum { check_most_messages = 20 };

#define CHECK_UNUSED __attribute__((unused))

/* This rank's number, or -1 outside of MPI. */
CHECK_UNUSED static int check_rank(void) {
  int on = 0, off = 0, number = -1;
  MPI_Initialized(&on);
  MPI_Finalized(&off);
  if (on && !off) MPI_Comm_rank(MPI_COMM_WORLD, &number);
  return number;
}

/* Counts a failure; whether it is to be printed. */
CHECK_UNUSED static int check_failed(const char* file, int line) {
  ++check_failures;
  if (check_failures > check_most_messages) return 0;
  fprintf(stderr, "%s:%d: rank %d: ", file, line, check_rank());
  return 1;
}

CHECK_UNUSED static void check_that(int good, const char* what, const char* file, int line) {
  if (!good && check_failed(file, line)) fprintf(stderr, "not true: %s\n", what);
}

CHECK_UNUSED static void check_equal(long actual, long expected, const char* what, const char* file,
                                     int line) {
  if (actual != expected && check_failed(file, line))
    fprintf(stderr, "%s is %ld, not %ld\n", what, actual, expected);
}

CHECK_UNUSED static void check_number(double actual, double expected, const char* what,
                                      const char* file, int line) {
  double difference = actual - expected;
  double most = 1e-9 * (expected < 0 ? -expected : expected) + 1e-12;
  if (!(difference <= most && -difference <= most) && check_failed(file, line))
    fprintf(stderr, "%s is %.17g, not %.17g\n", what, actual, expected);
}

CHECK_UNUSED static void check_text(const char* actual, const char* expected, const char* what,
                                    const char* file, int line) {
  if (strcmp(actual, expected) != 0 && check_failed(file, line))
    fprintf(stderr, "%s is \"%s\", not \"%s\"\n", what, actual, expected);
}

/* A condition; two whole numbers; two floating-point numbers; two strings. */
#define CHECK(condition) check_that((condition) ? 1 : 0, #condition, __FILE__, __LINE__)
#define CHECK_EQ(actual, expected) \
  check_equal((long)(actual), (long)(expected), #actual, __FILE__, __LINE__)
#define CHECK_NUM(actual, expected) \
  check_number((double)(actual), (double)(expected), #actual, __FILE__, __LINE__)
#define CHECK_STR(actual, expected) check_text((actual), (expected), #actual, __FILE__, __LINE__)

/* Begins a part of the program. */
CHECK_UNUSED static void check_part(const char* name) {
  if (check_rank() != 0) return;
  printf("%s\n", name);
  fflush(stdout);
}

/* Ends MPI; the exit status. */
CHECK_UNUSED static int check_finish(void) {
  int all = 0, rank;
  MPI_Allreduce(&check_failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf(all ? "failed\n" : "passed\n");
  fflush(stdout);
  MPI_Finalize();
  return all ? 1 : 0;
}

#endif

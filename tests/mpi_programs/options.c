// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// getopt, getopt_long and getopt_long_only: every rank reads its arguments at the same time as others, and
// all get what the C library's own functions give, which the first rank calls.
#define _GNU_SOURCE
#include <getopt.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "one_process.h"

enum { most_words = 8, room = 1 << 14 };

enum { letters_alone, long_names, long_only };

static int flag;

static const struct option names[] = {
    {"verbose", no_argument, NULL, 'v'},       {"version", no_argument, NULL, 'V'},
    {"size", required_argument, NULL, 's'},    {"colour", optional_argument, NULL, 'c'},
    {"flag", no_argument, &flag, 7},           {"alias-one", no_argument, NULL, 'a'},
    {"alias-two", no_argument, NULL, 'a'},     {NULL, 0, NULL, 0},
};

static const struct {
  int kind;
  const char* letters;
  const char* words[most_words];
} cases[] = {
    {letters_alone, "vn:o::", {"p", "-v", "-n", "3", "rest"}},
    {letters_alone, "vn:o::", {"p", "one", "-vn4", "two", "-o", "-ofive", "three"}},
    {letters_alone, "vn:", {"p", "a", "b", "-v", "-v", "c", "-n", "1"}},
    {letters_alone, "vn:", {"p", "a", "-v", "--", "-n", "b"}},
    {letters_alone, "+vn:", {"p", "-v", "a", "-n", "1"}},
    {letters_alone, "-vn:", {"p", "-v", "a", "-n", "1", "b"}},
    {letters_alone, ":vn:", {"p", "-x", "-v", "-n"}},
    {letters_alone, ":vn:", {"p", "-vxn", "-", "--"}},
    {letters_alone, "", {"p"}},
    {long_names, "vs:", {"p", "--verbose", "a", "--size", "3", "--size=4", "-s5"}},
    {long_names, ":v", {"p", "--ver", "--verb", "--siz", "9", "--s=1", "--unknown"}},
    {long_names, ":v", {"p", "--colour", "x", "--colour=red", "--flag", "--flag=1"}},
    {long_names, ":v", {"p", "--alias", "--al", "--size"}},
    {long_names, ":vW;", {"p", "-W", "verbose", "-Wsize=3", "-W"}},
    {long_names, "+v", {"p", "--flag", "a", "--flag"}},
    {long_only, ":vs:", {"p", "-verbose", "-size", "3", "-v", "-s", "4", "-colour=red"}},
    {long_only, ":vz", {"p", "-z", "-vz", "--verbose", "-unknown", "a", "-flag"}},
};

static int next(int kind, int count, char** words, const char* letters, int* index) {
  if (kind == letters_alone) return getopt(count, words, letters);
  if (kind == long_names) return getopt_long(count, words, letters, names, index);
  return getopt_long_only(count, words, letters, names, index);
}

// What one case gives, as text.
static void run_case(size_t number, char* text, size_t bytes) {
  char store[most_words][16];
  char* words[most_words + 1] = {NULL};
  int count = 0;
  while (count < most_words && cases[number].words[count]) {
    strcpy(store[count], cases[number].words[count]);
    words[count] = store[count];
    ++count;
  }
  size_t at = 0;
  optind = 0;
  opterr = 0;
  int option = 0;
  for (int call = 0; call < 2 * most_words; ++call) {
    int index = -1;
    if (option != -1) option = next(cases[number].kind, count, words, cases[number].letters, &index);
    at += (size_t)snprintf(text + at, bytes - at, "%d %s %d %d %d;", option, optarg ? optarg : "none", optind,
                           option == '?' || option == ':' ? optopt : 0, index);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  for (int i = 0; i < count; ++i) at += (size_t)snprintf(text + at, bytes - at, " %s", words[i]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  check_one_process();
  for (size_t number = 0; number < sizeof cases / sizeof *cases; ++number) {
    static char mine[room], of_first[room];
    flag = 0;
    run_case(number, mine, sizeof mine);
    strcpy(of_first, mine);
    MPI_Bcast(of_first, room, MPI_CHAR, 0, MPI_COMM_WORLD);
    CHECK_STR(mine, of_first);
  }
  return check_finish();
}

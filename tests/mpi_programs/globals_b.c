// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The second source of the program "globals", see globals_a.c: it defines what the first one uses.
#define CHECK_ELSEWHERE
#include "globals.h"

#include "check.h"

extern int defined_in_a;
extern char text_of_a[];
int old_style();  // a K&R function of globals_a.c

int shared_counter = 1;
int shared_array[16] = {[3] = 3, [15] = 15};
double shared_numbers[4] = {0.5, 1.5, 2.5, 3.5};
double* shared_pointer = &shared_numbers[2];
int big[big_length];

static int twice(int x) { return 2 * x; }
static int plus_counter(int x) { return x + shared_counter; }
static int count_calls(int x) {
  static int calls = 0;
  calls += x;
  return calls;
}

// Addresses of other globals, of parts of them, and of functions.
int (*const table[3])(int) = {twice, plus_counter, count_calls};
int* const pointers[4] = {&shared_counter, &shared_array[3], shared_array + 15,
                          &big[big_length - 1]};
struct node nodes[3] = {
    {"first", &shared_counter, &nodes[1], twice},
    {"second", &shared_array[3], &nodes[2], plus_counter},
    {"third", &header_static, &nodes[0], count_calls},
};

// The same name as a static of globals_a.c.
static int hidden = 40;

int next_of_b(void) { return ++hidden; }

int add_to_counter(int by) {
  shared_counter += by;
  return shared_counter;
}

int* address_of_header_static(void) { return &header_static; }

int call_through_callback(int (*callback)(void*), void* argument) { return callback(argument); }

int check_b(int rank) {
  CHECK_EQ(defined_in_a, 1000 + rank);
  CHECK_EQ(text_of_a[0], 'a' + rank);
  CHECK_STR(text_of_a + 1, "bcdef");
  CHECK_EQ(next_in_header(), 101);  // its own static local and variable
  header_static += rank;
  CHECK_EQ(next_in_header(), 102 + rank);
  CHECK_EQ(old_style(rank, 2.5, "three"), rank + 2 + 5);
  return rank + 1;
}

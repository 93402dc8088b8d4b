// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the two sources of the program "globals" share.
#ifndef KANOR_TESTS_MPI_PROGRAMS_GLOBALS_H
#define KANOR_TESTS_MPI_PROGRAMS_GLOBALS_H

enum { big_length = 1 << 20 };

struct node {
  const char* name;
  int* value;
  struct node* next;
  int (*function)(int);
};

// Defined in globals_b.c.
extern int shared_counter;
extern int shared_array[16];
extern double* shared_pointer;  // at shared_array's neighbour shared_numbers
extern double shared_numbers[4];
extern struct node nodes[3];
extern int (*const table[3])(int);
extern int big[big_length];  // 4 MiB of zeros
extern int* const pointers[4];

int add_to_counter(int by);
int next_of_b(void);  // the static counter of globals_b.c
int* address_of_header_static(void);
int call_through_callback(int (*callback)(void*), void* argument);
int check_b(int rank);

// One variable in each source.
static int header_static = 100;

// One static local in each source.
static inline int next_in_header(void) {
  static int calls = 0;
  return ++calls + header_static;
}

#endif

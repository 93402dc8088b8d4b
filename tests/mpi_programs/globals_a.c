// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Globals, in two sources (globals_a.c and globals_b.c): every rank has its own, as if it were a
// process.
//
// Globals with and without values, tentative definitions, statics in functions, in a header and of
// the same name in two sources, externs, pointers to other globals as initialisers, tables of
// functions, a K&R function, a large array of zeros, the arguments of main, and handlers of atexit.
#include "globals.h"

#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

int defined_in_a = 1000;
char text_of_a[] = "abcdef";
const char* text = "constant";
int tentative;
int tentative;
int tentative = 5;
int never_given;
static int hidden = 30;
static int rank, size;
static const int constant_table[] = {2, 3, 5, 7, 11};
static const int* current = constant_table;
int* own_address = &defined_in_a;
int** address_of_address = &own_address;
void* self_address = &self_address;
uintptr_t* nothing = NULL;
union {
  double number;
  unsigned char bytes[8];
} either = {1.0};
struct bits {
  unsigned low : 3, high : 5;
  int : 0;
  long rest;
} packed = {5, 17, -1};
_Alignas(64) char aligned[64] = "aligned";
volatile int changing = 9;
static int ended = 0;

int old_style(number, real, string)
int number;
double real;
const char* string;
{ return number + (int)real + (int)strlen(string); }

static int next_of_a(void) {
  static int first = 1;
  if (first) {
    first = 0;
    hidden += rank;
  }
  return ++hidden;
}

static long factorial(int n) {
  static int depth = 0, deepest = 0;
  ++depth;
  if (depth > deepest) deepest = depth;
  long result = n <= 1 ? 1 : n * factorial(n - 1);
  --depth;
  return depth == 0 ? result * 100 + deepest : result;
}

static int add_rank(void* argument) { return *(int*)argument + rank; }

static void last(void) {
  // Registered first, called last.
  if (ended != 1 || rank != defined_in_a - 1000) _exit(1);
  if (rank == 0) printf("atexit: the last handler\n");
  fflush(stdout);
}

static void before_last(void) {
  if (ended != 0) _exit(1);
  ended = 1;
  if (rank == 0) printf("atexit: the first handler\n");
  fflush(stdout);
}

// Values as the sources give them.
static void check_initial(void) {
  CHECK_EQ(defined_in_a, 1000);
  CHECK_EQ(tentative, 5);
  CHECK_EQ(never_given, 0);
  CHECK_EQ(shared_counter, 1);
  CHECK_EQ(shared_array[3] + shared_array[15] + shared_array[0], 18);
  CHECK(shared_pointer == &shared_numbers[2]);
  CHECK_NUM(*shared_pointer, 2.5);
  CHECK(own_address == &defined_in_a && *address_of_address == &defined_in_a);
  CHECK(self_address == (void*)&self_address);
  CHECK(nothing == NULL);
  CHECK_NUM(either.number, 1.0);
  CHECK(packed.low == 5 && packed.high == 17 && packed.rest == -1);
  CHECK_EQ((uintptr_t)aligned % 64, 0);
  CHECK_STR(aligned, "aligned");
  CHECK_STR(text, "constant");
  CHECK_EQ(*current, 2);
  CHECK(pointers[0] == &shared_counter && pointers[1] == &shared_array[3]);
  CHECK(pointers[2] == &shared_array[15] && pointers[3] == &big[big_length - 1]);
  for (int i = 0; i < 3; ++i) CHECK(nodes[i].next == &nodes[(i + 1) % 3]);
  CHECK_STR(nodes[2].next->next->name, "second");
  CHECK(nodes[0].value == &shared_counter && nodes[1].value == pointers[1]);
  CHECK(nodes[2].value == address_of_header_static());
  CHECK(nodes[1].function == table[1]);
  for (int i = 0; i < big_length; ++i)
    if (big[i] != 0) {
      CHECK_EQ(big[i], 0);
      break;
    }
}

// Every rank changes all of them in its own way.
static void change(void) {
  defined_in_a += rank;
  text_of_a[0] = (char)('a' + rank);
  text = rank % 2 ? "odd" : "even";
  tentative += 10 * rank;
  never_given = -rank;
  shared_array[3] += rank;
  shared_pointer = &shared_numbers[rank % 4];
  *shared_pointer = rank;
  own_address = &tentative;
  either.number = rank;
  packed.high = rank;
  packed.rest = 7 * rank;
  current += rank % 5;
  changing = changing + rank;
  aligned[63] = (char)rank;
  nodes[0].next = rank % 2 ? &nodes[2] : &nodes[1];
  for (int i = 0; i < big_length; i += 64) big[i] = rank + i;
}

static void check_changed(void) {
  CHECK_EQ(defined_in_a, 1000 + rank);
  CHECK_STR(text, rank % 2 ? "odd" : "even");
  CHECK_EQ(tentative, 5 + 10 * rank);
  CHECK_EQ(never_given, -rank);
  CHECK_EQ(*pointers[1], 3 + rank);
  CHECK(shared_pointer == &shared_numbers[rank % 4]);
  CHECK_NUM(shared_numbers[rank % 4], rank);
  CHECK_NUM(shared_numbers[(rank + 1) % 4], (rank + 1) % 4 + 0.5);
  CHECK_EQ(**address_of_address, 5 + 10 * rank);
  CHECK_NUM(either.number, rank);
  CHECK_EQ(packed.high, rank);
  CHECK_EQ(packed.rest, 7 * rank);
  CHECK_EQ(*current, constant_table[rank % 5]);
  CHECK_EQ(changing, 9 + rank);
  CHECK_EQ(aligned[63], rank);
  CHECK_STR(nodes[0].next->name, rank % 2 ? "third" : "second");
  int wrong = 0;
  for (int i = 0; i < big_length; i += 64) wrong += big[i] != rank + i;
  CHECK_EQ(wrong, 0);
}

static void check_functions(void) {
  for (int i = 1; i <= 10; ++i) {
    CHECK_EQ(next_of_a(), 30 + rank + i);
    CHECK_EQ(next_of_b(), 40 + i);
    CHECK_EQ(add_to_counter(rank + 1), 1 + i * (rank + 1));
    CHECK_EQ(table[0](i), 2 * i);
    CHECK_EQ(nodes[1].function(i), i + 1 + i * (rank + 1));
    CHECK_EQ(table[2](rank), i * rank);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  CHECK_EQ(*nodes[0].value, 1 + 10 * (rank + 1));
  CHECK_EQ(next_in_header(), 101);
  header_static += 1000 * (rank + 1);
  CHECK_EQ(next_in_header(), 102 + 1000 * (rank + 1));
  CHECK(address_of_header_static() != &header_static);
  CHECK_EQ(*address_of_header_static(), 100 + rank);
  CHECK_EQ(factorial(5 + rank % 3), (rank % 3 == 0   ? 12000
                                     : rank % 3 == 1 ? 72000
                                                     : 504000) +
                                        5 + rank % 3);
  CHECK_EQ(call_through_callback(add_rank, &shared_array[15]), 15 + rank);
  CHECK_EQ(old_style(1, 2.0, "abc"), 6);
}

// Globals as the buffers of messages.
static void check_messages(void) {
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  MPI_Sendrecv(&shared_counter, 1, MPI_INT, right, 1, &never_given, 1, MPI_INT, left, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK_EQ(never_given, 1 + 10 * (left + 1));
  CHECK_EQ(shared_counter, 1 + 10 * (rank + 1));
  MPI_Sendrecv_replace(big, big_length, MPI_INT, right, 2, left, 2, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
  CHECK_EQ(big[0], left);
  CHECK_EQ(big[640], left + 640);
  CHECK_EQ(big[641], 0);
  int sum = 0;
  MPI_Allreduce(&defined_in_a, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK_EQ(sum, 1000 * size + size * (size - 1) / 2);
  static int gathered[64];
  MPI_Allgather(&rank, 1, MPI_INT, gathered, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) CHECK_EQ(gathered[i], i);
  // A pointer to a global is each rank's own affair; what it points to is not.
  int value = 4711 + rank;
  MPI_Bcast(pointers[2], 1, MPI_INT, size - 1, MPI_COMM_WORLD);
  CHECK_EQ(shared_array[15], 15);
  MPI_Bcast(&value, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
  CHECK_EQ(value, 4711 + size - 1);
}

// The arguments belong to the rank: it may write to them.
static void check_arguments(int argc, char** argv) {
  CHECK(argc >= 1 && argv[argc] == NULL);
  CHECK(strlen(argv[0]) > 1);
  argv[0][0] = (char)('A' + rank);
  if (rank % 2) argv[0] = "renamed";
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank % 2)
    CHECK_STR(argv[0], "renamed");
  else
    CHECK_EQ(argv[0][0], 'A' + rank);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  atexit(last);
  atexit(before_last);
  check_initial();
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check_part("initial values");
  check_initial();
  MPI_Barrier(MPI_COMM_WORLD);
  check_part("changed values");
  change();
  MPI_Barrier(MPI_COMM_WORLD);
  check_changed();
  CHECK_EQ(check_b(rank), rank + 1);
  MPI_Barrier(MPI_COMM_WORLD);
  check_part("functions");
  check_functions();
  check_part("messages");
  check_messages();
  check_part("arguments");
  check_arguments(argc, argv);
  return check_finish();
}

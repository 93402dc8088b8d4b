// RUN: %kanorc --mpi-ranks=threads --host-cxx=cc -fown-messages --explain %s | %FileCheck %s
// RUN: %kanorc --mpi-ranks=threads --host-cxx=cc -fown-messages --explain %s | %FileCheck --check-prefix=ALL %s
//
// Messages and kinds of buffers that are never passed. One reason for each function; no message is passed.
#include <mpi.h>
#include <setjmp.h>
#include <stdlib.h>

// ALL-NOT: [-Rpass=kanor]

enum { N = 1000 };
static volatile double seen;
static void use(double number) { seen += number; }

static void part_of_it(int rank) {
  double out[2 * N], in[N];
  for (int i = 0; i < 2 * N; ++i) out[i] = rank;
  MPI_Send(out + N, N, MPI_DOUBLE, 1, 20, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 20, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: its buffer is a part of 'out'

static void received_in_part(int rank) {
  double out[N], in[2 * N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 21, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 21, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'MPI_Recv' may match it
// CHECK: 'MPI_Recv' copies: it is not known to fill all of 'in'

static void other_count(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N - 1, MPI_DOUBLE, 1, 22, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 22, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'MPI_Recv' may match it, and is not known to have as many elements

static void other_type(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_LONG, 1, 23, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 23, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'MPI_Recv' may match it, and is not known to have as many elements

static void own_type(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
  MPI_Type_commit(&pair);
  MPI_Send(out, N / 2, pair, 1, 24, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 24, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: its datatype is not a predefined one

static void count_changes(int rank) {
  int n = N;
  double *out = malloc(n * sizeof *out), in[N];
  for (int i = 0; i < n; ++i) out[i] = rank;
  n = rank;
  MPI_Send(out, n, MPI_DOUBLE, 1, 25, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 25, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
  free(out);
}
// CHECK: 'MPI_Send' copies: its number of elements may change

static void synchronous_partner(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 26, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i) out[i] = i;
  MPI_Ssend(out, N, MPI_DOUBLE, 1, 26, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 26, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'MPI_Ssend' may match the same messages, and copies
// CHECK: 'MPI_Ssend' copies: 'MPI_Ssend' always copies

static void volatile_elements(int rank) {
  volatile double out[N];
  double in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send((void*)out, N, MPI_DOUBLE, 1, 27, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 27, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: it is constant or volatile

static void union_member(int rank) {
  union {
    double numbers[N];
    char bytes[N * 8];
  } out;
  double in[N];
  for (int i = 0; i < N; ++i) out.numbers[i] = rank;
  MPI_Send(out.numbers, N, MPI_DOUBLE, 1, 28, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 28, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: its buffer is a part of 'out'

static void structure_member(int rank) {
  struct {
    double numbers[N];
  } out;
  double in[N];
  for (int i = 0; i < N; ++i) out.numbers[i] = rank;
  MPI_Send(out.numbers, N, MPI_DOUBLE, 1, 29, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 29, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: its buffer is a part of 'out'

static void goto_around(int rank) {
  double out[N], in[N];
again:
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 30, MPI_COMM_WORLD);
  if (rank == 7) goto again;
  MPI_Recv(in, N, MPI_DOUBLE, 0, 30, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: its function has labels

static jmp_buf place;
static void returns_twice(int rank) {
  double out[N], in[N];
  if (setjmp(place) == 0) {
    for (int i = 0; i < N; ++i) out[i] = rank + i;
    MPI_Send(out, N, MPI_DOUBLE, 1, 31, MPI_COMM_WORLD);
  }
  MPI_Recv(in, N, MPI_DOUBLE, 0, 31, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: its function calls one that returns twice

static void assembler(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  __asm__ volatile("" : : : "memory");
  MPI_Send(out, N, MPI_DOUBLE, 1, 32, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 32, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: its function has assembler

static void variable_length(int rank) {
  double out[rank + N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 33, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 33, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: its length is not constant

#define SENT(buffer, tag) MPI_Send(buffer, N, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD)
static void in_a_macro(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  SENT(out, 34);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 34, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: the call stands in a macro or a header

static void small(int rank) {
  double out[10], in[10];
  for (int i = 0; i < 10; ++i) out[i] = rank;
  MPI_Send(out, 10, MPI_DOUBLE, 1, 39, MPI_COMM_WORLD);
  MPI_Recv(in, 10, MPI_DOUBLE, 0, 39, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' is copied faster than it changes hands

static void initialised(int rank) {
  double out[N] = {1}, in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 40, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 40, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: its initialiser is not all zero

static void one_number(int rank) {
  double out = rank, in[N];
  MPI_Send(&out, 1, MPI_DOUBLE, 1, 41, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 41, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: its buffer is a part of 'out', or not an array

static void nobody_receives(int rank) {
  double out[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 42, MPI_COMM_WORLD);
}
// CHECK: 'MPI_Send' copies: no receive of the program takes it

static void to_nobody(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, MPI_PROC_NULL, 43, MPI_COMM_WORLD);
}
// CHECK: 'MPI_Send' copies: it is with MPI_PROC_NULL

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  part_of_it(argc);
  received_in_part(argc);
  other_count(argc);
  other_type(argc);
  own_type(argc);
  count_changes(argc);
  synchronous_partner(argc);
  volatile_elements(argc);
  union_member(argc);
  structure_member(argc);
  goto_around(argc);
  returns_twice(argc);
  assembler(argc);
  variable_length(argc);
  in_a_macro(argc);
  small(argc);
  initialised(argc);
  one_number(argc);
  nobody_receives(argc);
  to_nobody(argc);
  MPI_Finalize();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

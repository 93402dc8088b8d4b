// RUN: %kanorc --mpi-ranks=threads --host-cxx=cc -fown-messages --explain %s | %FileCheck %s
// RUN: %kanorc --mpi-ranks=threads --host-cxx=cc -fown-messages --explain %s | %not grep copies
// RUN: %kanorc --mpi-ranks=threads --host-cxx=cc -fown-messages --emit-cpp %s | %FileCheck --check-prefix=EMIT %s
// RUN: %kanorc --mpi-ranks=threads --host-cxx=cc -fown-messages=unit -Wall -Wextra -Werror -g -c %s -o %t.o
// RUN: %kanorc --mpi-ranks=threads --host-cxx=cc -fown-messages=unit -std=c99 -pedantic -Werror -c %s -o %t.o
//
// Every message here passes its buffer.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000 };
static volatile double seen;
static void use(double number) { seen += number; }

static void local_arrays(int rank, int size) {
  double out[N], in[N] = {0}, unrelated = 1;
  for (int step = 0; step < 3; ++step) {
    for (int i = 0; i < N; ++i) out[i] = rank + unrelated;
    MPI_Send(out, N, MPI_DOUBLE, (rank + 1) % size, 1, MPI_COMM_WORLD);
    MPI_Recv(in, N, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    use(in[3]);
  }
}
// CHECK: 'MPI_Send' gives 'out' away
// CHECK: 'MPI_Recv' takes the sender's buffer for 'in'
// EMIT: double *out __attribute__((__cleanup__(kanor_own_leave))) = (__typeof__(out))kanor_own_new(8000),
// EMIT-SAME: *in __attribute__((__cleanup__(kanor_own_leave))) = (__typeof__(in))kanor_own_zeros(8000), unrelated = 1;
// EMIT: kanor_own_send(&out, 0, 0, N, MPI_DOUBLE, (rank + 1) % size, 1, MPI_COMM_WORLD);
// EMIT: kanor_own_recv(&in, 0, 0, N, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

static void of_static_arrays(int rank, int size) {
  static float out[2 * N], in[2 * N] = {1, 2};
  MPI_Request open[2];
  memset(out, 0, sizeof out);
  out[rank] = 5;
  MPI_Isend(&out[0], 2 * N, MPI_FLOAT, (rank + 1) % size, 2, MPI_COMM_WORLD, open);
  MPI_Irecv(in, sizeof in / sizeof *in, MPI_FLOAT, (rank + size - 1) % size, 2, MPI_COMM_WORLD, open + 1);
  MPI_Waitall(2, open, MPI_STATUSES_IGNORE);
  use(in[2]);
}
// CHECK: 'MPI_Isend' gives 'out' away
// CHECK: 'MPI_Irecv' takes the sender's buffer for 'in'
// EMIT: static float kanor_home_out[2 * N], *out = kanor_home_out, kanor_home_in[2 * N] = {1, 2}, *in = kanor_home_in;
// EMIT: memset(out, 0, ((__SIZE_TYPE__)8000));
// EMIT: kanor_own_isend(&out, kanor_home_out, 8000, 2 * N, MPI_FLOAT, (rank + 1) % size, 2, MPI_COMM_WORLD, open);
// EMIT: kanor_own_irecv(&in, kanor_home_in, 8000, ((__SIZE_TYPE__)8000) / sizeof *in, MPI_FLOAT,

static int table_out[20][100], table_in[100][20];
static void of_two_dimensions(int rank, int size) {
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 100; ++x) table_out[y][x] = x * y + rank;
  MPI_Request open;
  MPI_Isend(&table_out[0][0], 2 * N, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD, &open);
  MPI_Recv(table_in[0], 2 * N, MPI_INT, (rank + size - 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&open, MPI_STATUS_IGNORE);
  use(table_in[99][19]);
}
// CHECK: 'MPI_Isend' gives 'table_out' away
// CHECK: 'MPI_Recv' takes the sender's buffer for 'table_in'
// EMIT: static int kanor_home_table_out[20][100], (*table_out)[100] = kanor_home_table_out,
// EMIT-SAME: kanor_home_table_in[100][20], (*table_in)[20] = kanor_home_table_in;
// EMIT: kanor_own_isend(&table_out, kanor_home_table_out, 8000, 2 * N,
// EMIT: kanor_own_recv(&table_in, kanor_home_table_in, 8000, 2 * N,

static void allocated(int rank, int size, int n, int m) {
  double* out;
  double* in = (double*)calloc(n * m, sizeof *in);
  out = malloc(sizeof(double) * n * m);
  if (out == NULL || !in) return;
  for (int i = 0; i < n * m; ++i) out[i] = rank;
  if (rank > 0)
    MPI_Send(out, n * m, MPI_DOUBLE, rank - 1, 4, MPI_COMM_WORLD);
  if (rank + 1 < size) MPI_Recv(in, n * m, MPI_DOUBLE, rank + 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
  free(in);
  free(out);
}
// CHECK: 'MPI_Send' gives 'out' away
// CHECK: 'MPI_Recv' takes the sender's buffer for 'in'
// EMIT: double* in = (double*)kanor_own_calloc(n * m, sizeof *in);
// EMIT: out = kanor_own_malloc(sizeof(double) * n * m);
// EMIT: kanor_own_free(in);

static void pack(double* into, double number) {
  for (int i = 0; i < N; ++i) into[i] = number * i;
}
static double unpack(const double* from) { return from[0] + from[N - 1]; }
static void by_other_functions(int rank, int size) {
  double out[N], in[N];
  pack(out, rank);
  MPI_Send(out, N, MPI_DOUBLE, (rank + 1) % size, 5, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, (rank + size - 1) % size, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(unpack(in));
}
// CHECK: 'MPI_Send' gives 'out' away
// CHECK: 'MPI_Recv' takes the sender's buffer for 'in'

/// One buffer in both roles: what is sent is received anew before it is read.
static void there_and_back(int rank, int size) {
  double ball[N];
  const int partner = rank ^ 1;
  if (partner >= size) return;
  for (int turn = 0; turn < 4; ++turn) {
    if (turn % 2 == rank % 2) {
      for (int i = 0; i < N; ++i) ball[i] = turn;
      MPI_Send(ball, N, MPI_DOUBLE, partner, 6, MPI_COMM_WORLD);
    } else {
      MPI_Recv(ball, N, MPI_DOUBLE, partner, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      use(ball[0]);
    }
  }
}
// CHECK: 'MPI_Send' gives 'ball' away
// CHECK: 'MPI_Recv' takes the sender's buffer for 'ball'

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  local_arrays(rank, size);
  of_static_arrays(rank, size);
  of_two_dimensions(rank, size);
  allocated(rank, size, 30 + argc, 40);
  by_other_functions(rank, size);
  there_and_back(rank, size);
  MPI_Finalize();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

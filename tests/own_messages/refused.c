// RUN: %kanorc --mpi-ranks=threads --host-cxx=cc -fown-messages --explain %s | %FileCheck %s
// RUN: %kanorc --mpi-ranks=threads --host-cxx=cc -fown-messages --explain %s | %FileCheck --check-prefix=ALL %s
//
// Buffers that are read after the send, or used in other ways. One reason for each function; no message is passed.
#include <mpi.h>
#include <stdlib.h>

// ALL-NOT: [-Rpass=kanor]

enum { N = 1000 };
static volatile double seen;
static void use(double number) { seen += number; }

static void read_after_send(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
  use(out[1]);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' is read again before all of it is written

static void partly_written(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  for (int step = 0; step < 3; ++step) {
    for (int i = 1; i < N; ++i) out[i] = step;
    MPI_Send(out, N, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
  }
  MPI_Recv(in, N, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' is read again

static void every_other_element(int rank) {
  double out[N], in[N];
  for (int step = 0; step < 3; ++step) {
    for (int i = 0; i < N; i += 2) out[i] = step;
    MPI_Send(out, N, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);
  }
  MPI_Recv(in, N, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' is read again

static void written_in_one_branch(int rank) {
  double out[N], in[N];
  for (int step = 0; step < 3; ++step) {
    if (rank == step)
      for (int i = 0; i < N; ++i) out[i] = step;
    MPI_Send(out, N, MPI_DOUBLE, 1, 4, MPI_COMM_WORLD);
  }
  MPI_Recv(in, N, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' is read again

static void written_until_a_break(int rank) {
  double out[N], in[N];
  for (int step = 0; step < 3; ++step) {
    for (int i = 0; i < N; ++i) {
      if (i == rank) break;
      out[i] = step;
    }
    MPI_Send(out, N, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD);
  }
  MPI_Recv(in, N, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' is read again

static void carried_by_the_loop(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  for (int step = 0; step < 3; ++step) {
    MPI_Send(out, N, MPI_DOUBLE, 1, 6, MPI_COMM_WORLD);
    for (int i = 0; i < N; ++i) out[i] += 1;
  }
  MPI_Recv(in, N, MPI_DOUBLE, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' is read again

static void sent_twice(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  for (int to = 0; to < 3; ++to) MPI_Send(out, N, MPI_DOUBLE, to, 7, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' is read again

static void read_before_wait(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Request open;
  MPI_Isend(out, N, MPI_DOUBLE, 1, 8, MPI_COMM_WORLD, &open);
  use(out[0]);
  MPI_Wait(&open, MPI_STATUS_IGNORE);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Isend' copies: 'out' is read again

static void alias(int rank) {
  double out[N], in[N];
  double* other = out;
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 9, MPI_COMM_WORLD);
  use(other[0]);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' may be used in another way: a variable refers to it

static void alias_of_allocated(int rank) {
  double *out = malloc(N * sizeof *out), *in = malloc(N * sizeof *in), *other;
  other = out;
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 10, MPI_COMM_WORLD);
  use(other[0]);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
  free(out);
  free(in);
}
// CHECK: 'MPI_Send' copies: 'out' may be used in another way: a pointer to it is stored

static void pointer_arithmetic(int rank) {
  double *out = malloc(N * sizeof *out), in[N];
  for (int i = 0; i < N; ++i) *out++ = i;
  out -= N;
  MPI_Send(out, N, MPI_DOUBLE, 1, 11, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
  free(out);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: the pointer itself is used

static void moved_pointer(int rank) {
  double *out = malloc(2 * N * sizeof *out), in[N];
  out = out + 1;
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 12, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 12, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: another pointer is assigned to it

static void end_of_array(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  for (double* at = out; at != out + N; ++at) *at = rank;
  MPI_Send(out, N, MPI_DOUBLE, 1, 13, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 13, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' may be used in another way

static double* kept;
static void address_escapes(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  kept = out;
  MPI_Send(out, N, MPI_DOUBLE, 1, 14, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 14, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' may be used in another way: a pointer to it is stored

static void address_of_pointer(int rank) {
  double *out = malloc(N * sizeof *out), in[N];
  double** where = &out;
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 15, MPI_COMM_WORLD);
  use(**where);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 15, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
  free(out);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: the pointer itself is used

void unseen(double*);
static void given_to_unseen(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  unseen(out);
  MPI_Send(out, N, MPI_DOUBLE, 1, 16, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 16, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' may be used in another way: 'unseen' gets it

static double* held;
static void keep(double* one) { held = one; }
static void kept_by_callee(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  keep(out);
  MPI_Send(out, N, MPI_DOUBLE, 1, 17, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 17, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' may be used in another way: a pointer to it is stored

static double sum(const double* from) {
  double all = 0;
  for (int i = 0; i < N; ++i) all += from[i];
  return all;
}
static void read_by_callee(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 18, MPI_COMM_WORLD);
  use(sum(out));
  MPI_Recv(in, N, MPI_DOUBLE, 0, 18, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' is read again

static void (*action)(double*);
static void through_function_pointer(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  action(out);
  MPI_Send(out, N, MPI_DOUBLE, 1, 19, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 19, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' may be used in another way: an unknown function gets it

static void callers_buffer(double* out, int rank) {
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 100, MPI_COMM_WORLD);
}
// CHECK: 'MPI_Send' copies: its buffer is the caller's

static void whole_array_used(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  double(*all)[N] = &out;
  use((*all)[0]);
  MPI_Send(out, N, MPI_DOUBLE, 1, 35, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 35, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: it is used as a whole array

static double shared_out[N];
static double first_of_shared(void) { return shared_out[0]; }
static void used_by_others(int rank) {
  double in[N];
  for (int i = 0; i < N; ++i) shared_out[i] = rank + i;
  MPI_Send(shared_out, N, MPI_DOUBLE, 1, 36, MPI_COMM_WORLD);
  use(first_of_shared());
  MPI_Recv(in, N, MPI_DOUBLE, 0, 36, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'shared_out' cannot change hands: several functions use it

static void kept_from_call_to_call(int rank) {
  static double out[N];
  double in[N];
  use(out[0]);
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 37, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 37, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' may be read before it is written in the next call

static void calls_itself(int rank) {
  static double out[N];
  double in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  if (rank > 0) calls_itself(rank - 1);
  MPI_Send(out, N, MPI_DOUBLE, 1, 38, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 38, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: it is static, and its function may call itself

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double buffer[N];
  read_after_send(argc);
  partly_written(argc);
  every_other_element(argc);
  written_in_one_branch(argc);
  written_until_a_break(argc);
  carried_by_the_loop(argc);
  sent_twice(argc);
  read_before_wait(argc);
  alias(argc);
  alias_of_allocated(argc);
  pointer_arithmetic(argc);
  moved_pointer(argc);
  end_of_array(argc);
  address_escapes(argc);
  address_of_pointer(argc);
  given_to_unseen(argc);
  kept_by_callee(argc);
  read_by_callee(argc);
  through_function_pointer(argc);
  callers_buffer(buffer, argc);
  whole_array_used(argc);
  used_by_others(argc);
  kept_from_call_to_call(argc);
  calls_itself(argc);
  MPI_Finalize();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

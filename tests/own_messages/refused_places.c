// RUN: %kanorc --mpi-ranks=threads --host-cxx=cc -fown-messages --explain %s | %FileCheck %s
// RUN: %kanorc --mpi-ranks=threads --host-cxx=cc -fown-messages --explain %s | %FileCheck --check-prefix=ALL %s
//
// One reason for each function: what is not known of a buffer's place, its pointer, or the code that gets it.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

// ALL-NOT: [-Rpass=kanor]

enum { N = 1000 };
static volatile double seen;
static void use(double number) { seen += number; }

static void jumped_past(int rank) {
  double in[N];
  switch (rank) {
    case 0: {
      double out[N];
      case 1:
        for (int i = 0; i < N; ++i) out[i] = rank + i;
        MPI_Send(out, N, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
    }
  }
  MPI_Recv(in, N, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: it is declared where a jump may pass its declaration

static void jumped_past_in_a_loop(int rank, int left) {
  double in[N];
  switch (rank % 2) {
    case 0:
      do {
        double out[N];
        case 1:
          for (int i = 0; i < N; ++i) out[i] = rank + i;
          MPI_Send(out, N, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
      } while (--left > 0);
  }
  MPI_Recv(in, N, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: it is declared where a jump may pass its declaration

static void never_freed(int rank, MPI_Request* open) {
  double out[N];
  double* in = malloc(N * sizeof *in);
  MPI_Irecv(in, N, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, open);
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);
}
// CHECK: 'MPI_Irecv' copies: it may still be under way when 'in' is set again or goes out of scope: not every

static void set_again(int rank) {
  double out[N];
  double* in = malloc(N * sizeof *in);
  MPI_Request open;
  MPI_Irecv(in, N, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD, &open);
  in = NULL;
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 4, MPI_COMM_WORLD);
  MPI_Wait(&open, MPI_STATUS_IGNORE);
  free(in);
}
// CHECK: 'MPI_Irecv' copies: it may still be under way when 'in' is set again {{.*}}refused_places.c:[[@LINE-6]])

static void scope_inside(int rank) {
  double out[N];
  MPI_Request open;
  for (int step = 0; step < 2; ++step) {
    double* in = malloc(N * sizeof *in);
    MPI_Irecv(in, N, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, &open);
    if (step == rank) continue;
    MPI_Wait(&open, MPI_STATUS_IGNORE);
    free(in);
  }
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD);
}
// CHECK: 'MPI_Irecv' copies: it may still be under way when 'in' is set again or goes out of scope

__attribute__((weak)) void prepare(double* all) { all[0] = 0; }
static void weak_function(int rank) {
  double out[N], in[N];
  prepare(out);
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 6, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' may be used in another way: 'prepare' gets it, and is weak

static const char* kept;
int puts(const char* text) {
  kept = text;
  return 0;
}
static void library_function_of_its_own(int rank) {
  char out[8 * N], in[8 * N];
  puts(out);
  for (int i = 0; i < 8 * N; ++i) out[i] = (char)rank;
  MPI_Send(out, 8 * N, MPI_CHAR, 1, 7, MPI_COMM_WORLD);
  MPI_Recv(in, 8 * N, MPI_CHAR, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' may be used in another way: 'puts' gets it

static void in_parentheses(int rank) {
  double(out[N]), in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 8, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: its declaration cannot be written otherwise

static void counter_has_another_name(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  int i, *other = &i;
  for (int step = 0; step < 3; ++step) {
    for (i = 0; i < N; ++i) {
      out[i] = step;
      if (*other == rank) *other += 10;
    }
    MPI_Send(out, N, MPI_DOUBLE, 1, 9, MPI_COMM_WORLD);
  }
  MPI_Recv(in, N, MPI_DOUBLE, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' is read again

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Request open;
  jumped_past(argc);
  jumped_past_in_a_loop(argc, 2);
  never_freed(argc, &open);
  set_again(argc);
  scope_inside(argc);
  weak_function(argc);
  library_function_of_its_own(argc);
  in_parentheses(argc);
  counter_has_another_name(argc);
  use(kept != NULL);
  MPI_Finalize();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* What fails, or ends, in the middle: allocations, receives that return, pointers with a receive under way. */
#include <stdlib.h>

#include "print.h"

enum { N = 1024 };

/* Memory of which there is none is NULL, and not the program's end. */
static double too_much(int rank, int size, int bits) {
  const long n = 1L << bits;
  double *out = malloc(n * sizeof *out), *in = calloc(n, sizeof *in), sum = 1;
  if (out == NULL || in == NULL) {
    free(out);
    free(in);
    return -bits;
  }
  for (long i = 0; i < n; ++i) out[i] = i + rank;
  MPI_Send(out, n, MPI_DOUBLE, (rank + 1) % size, 31, MPI_COMM_WORLD);
  MPI_Recv(in, n, MPI_DOUBLE, MPI_ANY_SOURCE, 31, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (long i = 0; i < n; ++i) sum += in[i];
  free(out);
  free(in);
  return sum;
}

/* A receive that fails leaves the buffer as it was. */
static double kept(int rank, int size) {
  double ball[N], in[N], sum = 0;
  for (int i = 0; i < N; ++i) ball[i] = i + rank;
  MPI_Send(ball, N, MPI_DOUBLE, (rank + 1) % size, 32, MPI_COMM_WORLD);
  const int nobody = rank + size;
  if (MPI_Recv(ball, N, MPI_DOUBLE, nobody, 32, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS) return -1;
  MPI_Recv(in, N, MPI_DOUBLE, MPI_ANY_SOURCE, 32, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < N; ++i) sum += ball[i] * 3 + in[i];
  return sum;
}

/* The memory outlives its pointer, and what the pointer led to before. */
static void begin(int rank, int size, MPI_Request* open) {
  double* in = malloc(N * sizeof *in);
  MPI_Irecv(in, N, MPI_DOUBLE, (rank + size - 1) % size, 33, MPI_COMM_WORLD, open);
}
static double leaked(int rank, int size) {
  MPI_Request open[3], sent;
  double out[N], sum = 0;
  begin(rank, size, open);
  double* in = malloc(N * sizeof *in);
  MPI_Irecv(in, N, MPI_DOUBLE, (rank + size - 1) % size, 34, MPI_COMM_WORLD, open + 1);
  in = malloc(N * sizeof *in);
  MPI_Irecv(in, N, MPI_DOUBLE, (rank + size - 1) % size, 35, MPI_COMM_WORLD, open + 2);
  for (int i = 0; i < N; ++i) out[i] = 4 * i + rank;
  MPI_Isend(out, N, MPI_DOUBLE, (rank + 1) % size, 35, MPI_COMM_WORLD, &sent);
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
  MPI_Wait(open + 2, MPI_STATUS_IGNORE);
  for (int i = 0; i < N; ++i) out[i] = 3 * i + rank;
  MPI_Isend(out, N, MPI_DOUBLE, (rank + 1) % size, 34, MPI_COMM_WORLD, &sent);
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
  MPI_Wait(open + 1, MPI_STATUS_IGNORE);
  for (int i = 0; i < N; ++i) out[i] = -2 * i + rank;
  MPI_Isend(out, N, MPI_DOUBLE, (rank + 1) % size, 33, MPI_COMM_WORLD, &sent);
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
  MPI_Wait(open + 0, MPI_STATUS_IGNORE);
  for (int i = 0; i < N; ++i) sum += in[i];
  free(in);
  return sum;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  print_all("enough", too_much(rank, size, 10));
  print_all("too much", too_much(rank, size, 55));
  print_all("kept", kept(rank, size));
  print_all("leaked", leaked(rank, size));
  MPI_Finalize();
}
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Both ranks send more than may be in flight (KANOR_INFLIGHT: 64 MiB) before either receives: MPI_Isend must not
   wait for the receiver. */
#include "print.h"

enum { n = 3 << 20, messages = 3 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *c = malloc(n * sizeof *c);
  double *in = malloc(n * sizeof *in), sum = 0;
  const int other = size - 1 - rank;
  MPI_Request open[messages];
  for (int k = 0; k < n; ++k) a[k] = rank + k % 7;
  MPI_Isend(a, n, MPI_DOUBLE, other, 5, MPI_COMM_WORLD, &open[0]);
  for (int k = 0; k < n; ++k) b[k] = rank + k % 11;
  MPI_Isend(b, n, MPI_DOUBLE, other, 5, MPI_COMM_WORLD, &open[1]);
  for (int k = 0; k < n; ++k) c[k] = rank + k % 13;
  MPI_Isend(c, n, MPI_DOUBLE, other, 5, MPI_COMM_WORLD, &open[2]);
  for (int i = 0; i < messages; ++i) {
    MPI_Recv(in, n, MPI_DOUBLE, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int k = 0; k < n; ++k) sum += in[k] * (k % 3 + 1);
  }
  MPI_Waitall(messages, open, MPI_STATUSES_IGNORE);
  print_all("sum", sum);
  free(in);
  free(a);
  free(b);
  free(c);
  MPI_Finalize();
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

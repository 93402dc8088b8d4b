/* Ranks that disagree on the number of elements: the same variable has other values on other ranks, so what
   comes is shorter than what was asked for, and the rest of the buffer keeps its content. */
#include "print.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int n = 5000 + 100 * rank;
  double *out = malloc(n * sizeof *out), *in = malloc(n * sizeof *in), sum = 0;
  for (int i = 0; i < n; ++i) in[i] = -i;
  for (int step = 0; step < 5; ++step) {
    for (int i = 0; i < n; ++i) out[i] = rank + i * step;
    if (rank + 1 < size) MPI_Send(out, n, MPI_DOUBLE, rank + 1, 5, MPI_COMM_WORLD);
    if (rank > 0) {
      MPI_Status status;
      int count;
      MPI_Recv(in, n, MPI_DOUBLE, rank - 1, 5, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, MPI_DOUBLE, &count);
      sum += count;
    }
    for (int i = 0; i < n; ++i) sum += in[i] * (i + step);
  }
  print_all("sum", sum);
  MPI_Request open = MPI_REQUEST_NULL;
  for (int step = 0; step < 5; ++step) {
    if (rank > 0) MPI_Irecv(in, n, MPI_DOUBLE, rank - 1, 5, MPI_COMM_WORLD, &open);
    for (int i = 0; i < n; ++i) out[i] = rank - i * step;
    if (rank + 1 < size) MPI_Send(out, n, MPI_DOUBLE, rank + 1, 5, MPI_COMM_WORLD);
    MPI_Wait(&open, MPI_STATUS_IGNORE);
    for (int i = 0; i < n; ++i) sum += in[i] * (i + step);
  }
  print_all("later", sum);
  free(in);
  free(out);
  MPI_Finalize();
}
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

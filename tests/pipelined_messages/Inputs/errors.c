// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sends to a rank that does not exist (nobody), or more than the receiver has room for (long).
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  static double a[6000];
  int rank, k;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int to = strcmp(argv[1], "nobody") == 0 ? 7 : 1, n = strcmp(argv[1], "long") == 0 ? 6000 : 5000;
  if (rank == 0) {
    for (k = 0; k < n; ++k) a[k] = k;
    MPI_Send(a, n, MPI_DOUBLE, to, 0, MPI_COMM_WORLD);
  } else if (rank == 1) {
    double sum = 0;
    MPI_Recv(a, 5000, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (k = 0; k < 5000; ++k) sum += a[k];
    printf("%g\n", sum);
  }
  MPI_Finalize();
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One buffer is written anew before it is read, and can change hands. The other one is read again.
#include <mpi.h>
#include <stdio.h>

enum { N = 5000 };

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double sum = 0, kept[N], passed[N];
  for (int turn = 0; turn < 20; ++turn) {
    if (rank == 0) {
      for (int k = 0; k < N; ++k) passed[k] = k + turn;
      MPI_Send(passed, N, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
      const int from = turn % 3;
      for (int k = from; k < N; ++k) kept[k] = k * turn;
      MPI_Send(kept, N, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
      sum += kept[N / 2];
    } else if (rank == 1) {
      MPI_Recv(passed, N, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int k = 0; k < N; ++k) sum += passed[k];
      MPI_Recv(kept, N, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int k = 3; k < N; ++k) sum += kept[k];
    }
  }
  double all = 0;
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%.12g\n", all);
  MPI_Finalize();
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 1 computes for longer than rank 0, so it takes nothing while rank 0's loop runs (most_in_vain).
#include <math.h>
#include <mpi.h>
#include <stdio.h>

enum { N = 10000 };

int main(int argc, char** argv) {
  static double a[N];
  int rank;
  double sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int turn = 0; turn < 40; ++turn) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
      for (int k = 0; k < N; ++k) a[k] = sin(k + turn);
      MPI_Send(a, N, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
      const double begun = MPI_Wtime();
      while (MPI_Wtime() - begun < 0.005) sum += 1e-9;
      MPI_Recv(a, N, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  if (rank == 1) printf("%d\n", sum + a[5] < 100);
  MPI_Finalize();
  return 0;
}

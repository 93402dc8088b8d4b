// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pair and the ring of delta.c, as people write them in MPI: no calls in the loops, no requests.
//
//     unchanged pair|ring BYTES ITERATIONS
//
// Rank 0 prints a sum of the results, and the microseconds of each iteration.
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double computed(int i) { return sin(i) * sin(i) + cos(i) * cos(i) + i; }

int main(int argc, char** argv) {
  int me, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int is_ring = strcmp(argv[1], "ring") == 0;
  const int n = atoi(argv[2]) / (int)sizeof(double), iterations = atoi(argv[3]);
  double *in = malloc(sizeof(double) * n), *out = malloc(sizeof(double) * n);
  double* taken = malloc(sizeof(double) * iterations);
  double sum = 0, all = 0;
  for (int turn = -1; turn < iterations; ++turn) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begun = MPI_Wtime();
    if (is_ring) {
      const int next = (me + 1) % size, before = (me + size - 1) % size;
      for (int i = 0; i < n; ++i) out[i] = computed(i);
      if (me % 2 == 0) {
        MPI_Send(out, n, MPI_DOUBLE, next, 0, MPI_COMM_WORLD);
        MPI_Recv(in, n, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      } else {
        MPI_Recv(in, n, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(out, n, MPI_DOUBLE, next, 0, MPI_COMM_WORLD);
      }
      for (int i = 0; i < n; ++i) sum += in[i] - computed(i);
    } else if (me == 0) {
      for (int i = 0; i < n; ++i) out[i] = computed(i);
      MPI_Send(out, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    } else if (me == 1) {
      MPI_Recv(in, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int i = 0; i < n; ++i) sum += in[i] - computed(i) + 1;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (turn >= 0) taken[turn] = (MPI_Wtime() - begun) * 1e6;
  }
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0) {
    printf("%.9g", all);
    for (int turn = 0; turn < iterations; ++turn) printf(" %.3f", taken[turn]);
    printf("\n");
  }
  free(in), free(out), free(taken);
  MPI_Finalize();
  return 0;
}

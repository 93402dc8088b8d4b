/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   The program split.cpp with MPI.

       split even|uneven plain|hand BYTES PIECE ITERATIONS

   `plain`: MPI_Sendrecv. `hand`: MPI_Isend and MPI_Irecv, completed after the inside of the next step. PIECE is not used. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { steps = 100, inside_numbers = 1000, rounds = 20 };

/* The inside of one step. */
static double compute(double* inside, int rounds_of_step) {
  double sum = 0;
  for (int round = 0; round < rounds_of_step; ++round)
    for (int k = 0; k < inside_numbers; ++k) {
      inside[k] = 0.5 * inside[k] + k;
      sum += inside[k];
    }
  return sum;
}

static double run(int elements, int uneven, int overlaps) {
  int me, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int next = (me + 1) % size, before = (me + size - 1) % size;
  double *edge = calloc(elements, sizeof *edge), *ghost = calloc(elements, sizeof *ghost);
  double inside[inside_numbers] = {0}, sum = 0;
  MPI_Request requests[] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  for (int t = 0; t < steps; ++t) {
    const double computed = compute(inside, uneven && (t + me) % 2 ? 3 * rounds : rounds);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int k = 0; k < elements; ++k) edge[k] = 0.25 * ghost[k] + computed;
    sum += edge[0];
    if (overlaps) {
      MPI_Irecv(ghost, elements, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, &requests[0]);
      MPI_Isend(edge, elements, MPI_DOUBLE, next, 0, MPI_COMM_WORLD, &requests[1]);
    } else {
      MPI_Sendrecv(edge, elements, MPI_DOUBLE, next, 0, ghost, elements, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  sum += ghost[elements - 1];
  free(edge);
  free(ghost);
  return sum;
}

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  MPI_Init(&argc, &argv);
  const int uneven = strcmp(argv[1], "uneven") == 0, overlaps = strcmp(argv[2], "hand") == 0;
  const int elements = atoi(argv[3]) / (int)sizeof(double), iterations = atoi(argv[5]);
  double* seconds = calloc(iterations, sizeof *seconds);
  double sum = 0, total = 0;
  int me;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  for (int i = -3; i < iterations; ++i) {
    const double begin = MPI_Wtime();
    sum += run(elements, uneven, overlaps);
    if (i >= 0) seconds[i] = MPI_Wtime() - begin;
  }
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0) {
    printf("%.6e", total);
    for (int i = 0; i < iterations; ++i) printf(" %.3f", 1e6 * seconds[i] / steps);
    printf("\n");
  }
  free(seconds);
  MPI_Finalize();
  return 0;
}

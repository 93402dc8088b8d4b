/* A ring of local arrays, with requests, and of allocated buffers whose length is read from the command line. */
#include "print.h"

enum { N = 1000, steps = 7 };

static double arrays(int rank, int size) {
  double out[N], in[N], sum = 0;
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < N; ++i) out[i] = rank * 1000 + i * step;
    MPI_Request open[2];
    MPI_Status statuses[2];
    MPI_Irecv(in, N, MPI_DOUBLE, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &open[0]);
    MPI_Isend(out, N, MPI_DOUBLE, (rank + 1) % size, 7, MPI_COMM_WORLD, &open[1]);
    MPI_Waitall(2, open, statuses);
    int count;
    MPI_Get_count(&statuses[0], MPI_DOUBLE, &count);
    sum += count + statuses[0].MPI_SOURCE;
    for (int i = 0; i < N; ++i) sum += in[i] * (i + 1);
  }
  return sum;
}

static double allocated(int rank, int size, int n) {
  double* out = malloc(n * sizeof(double));
  double* in = calloc(n, sizeof *in);
  double sum = 0;
  if (out == NULL || !in) abort();
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < n; i++) out[i] = rank + i * step;
    if (rank % 2 == 0) {
      if (rank + 1 < size) MPI_Send(out, n, MPI_DOUBLE, rank + 1, 9, MPI_COMM_WORLD);
    } else {
      MPI_Status status;
      MPI_Recv(in, n, MPI_DOUBLE, rank - 1, 9, MPI_COMM_WORLD, &status);
      sum += status.MPI_TAG;
    }
    for (int i = 0; i < n; i++) sum += in[i] * (i + 1);
  }
  free(out);
  free(in);
  return sum;
}

/* Tests of requests in a loop; what was received is worked on in place. */
static double tested(int rank, int size) {
  static double out[2 * N], in[2 * N];
  double sum = in[5];
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < 2 * N; ++i) out[i] = rank + i + step;
    MPI_Request wanted, sent;
    MPI_Isend(&out[0], 2 * N, MPI_DOUBLE, (rank + 1) % size, 11, MPI_COMM_WORLD, &sent);
    MPI_Irecv(in, 2 * N, MPI_DOUBLE, MPI_ANY_SOURCE, 11, MPI_COMM_WORLD, &wanted);
    int done = 0;
    while (!done) MPI_Test(&wanted, &done, MPI_STATUS_IGNORE);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2 * N; ++i) in[i] *= 2;
    for (int i = 0; i < 2 * N; ++i) sum += in[i];
    sum += sizeof in / sizeof in[0];
  }
  return sum;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  print_all("arrays", arrays(rank, size));
  print_all("allocated", allocated(rank, size, argc > 1 ? atoi(argv[1]) : 3000));
  print_all("again", allocated(rank, size, 700));
  print_all("few", allocated(rank, size, 3));
  print_all("none", allocated(rank, size, 0));
  print_all("tested", tested(rank, size));
  print_all("twice", tested(rank, size));
  MPI_Finalize();
}
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

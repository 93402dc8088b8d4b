/* One buffer that is sent and received into, of pairs of ranks; and buffers of many functions' scopes. */
#include "print.h"

enum { N = 2048, M = 16 };

static double back_and_forth(int rank, int size) {
  double ball[N], sum = 0;
  const int partner = rank ^ 1;
  if (partner >= size) return 0;
  for (int turn = 0; turn < 10; ++turn) {
    if (turn % 2 == rank % 2) {
      for (int i = 0; i < N; ++i) ball[i] = turn * i + rank;
      MPI_Send(ball, N, MPI_DOUBLE, partner, 21, MPI_COMM_WORLD);
    } else {
      MPI_Recv(ball, N, MPI_DOUBLE, partner, 21, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int i = 0; i < N; ++i) sum += ball[i];
    }
  }
  return sum;
}

/* The buffers exist for one turn, and are left in the middle of it. */
static double scopes(int rank, int size) {
  double sum = 0;
  for (int turn = 0; turn < 6; ++turn) {
    int rows[M][N / M];
    for (int y = 0; y < M; ++y)
      for (int x = 0; x < N / M; ++x) rows[y][x] = x * y + turn + rank;
    MPI_Request open;
    MPI_Isend(rows, N, MPI_INT, (rank + 1) % size, 22, MPI_COMM_WORLD, &open);
    {
      int columns[N / M][M];
      MPI_Recv(&columns[0][0], N, MPI_INT, (rank + size - 1) % size, 22, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Wait(&open, MPI_STATUS_IGNORE);
      if (turn == 2) continue;
      for (int y = 0; y < N / M; ++y)
        for (int x = 0; x < M; ++x) sum += columns[y][x] * (y + 3 * x);
      if (turn == 4) return sum;
    }
  }
  return sum;
}

static double filled(int rank, int size) {
  static unsigned char bytes[16384], got[16384];
  double sum = 0;
  for (int turn = 0; turn < 4; ++turn) {
    memset(bytes, rank + turn, sizeof bytes);
    bytes[turn] = 9;
    MPI_Request open;
    MPI_Isend(bytes, sizeof bytes, MPI_BYTE, (rank + 1) % size, 23, MPI_COMM_WORLD, &open);
    MPI_Recv(got, sizeof got, MPI_BYTE, (rank + size - 1) % size, 23, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&open, MPI_STATUS_IGNORE);
    for (int i = 0; i < 16384; ++i) sum += got[i] * (i % 5);
  }
  return sum;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  print_all("back and forth", back_and_forth(rank, size));
  print_all("scopes", scopes(rank, size));
  print_all("filled", filled(rank, size));
  print_all("filled again", filled(rank, size));
  MPI_Finalize();
}
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

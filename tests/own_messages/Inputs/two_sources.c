/* One source sends, the other receives. */
#include "print.h"

double receive_all(int from);

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  static long numbers[4096];
  double sum = 0;
  for (int turn = 0; turn < 5; ++turn) {
    for (int i = 0; i < 4096; ++i) numbers[i] = i * turn + rank;
    MPI_Request open;
    MPI_Isend(numbers, 4096, MPI_LONG, (rank + 1) % size, 31, MPI_COMM_WORLD, &open);
    sum += receive_all((rank + size - 1) % size);
    MPI_Wait(&open, MPI_STATUS_IGNORE);
  }
  print_all("sum", sum);
  MPI_Finalize();
}
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks that are to print nothing close their standard streams. The first one goes on with its own.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) printf("one line before\n");
  MPI_Barrier(MPI_COMM_WORLD);
  int closed = 0;
  if (rank != 0) closed = fclose(stdin) | fclose(stdout) | fclose(stderr);
  MPI_Barrier(MPI_COMM_WORLD);
  FILE* const file = tmpfile();  // where what a stream has used up would be used again
  if (rank == 0) {
    printf("the first rank ");
    printf("prints\n");
    fprintf(stderr, "errors, too\n");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (file != NULL) closed |= fclose(file);
  MPI_Finalize();
  return closed != 0;
}

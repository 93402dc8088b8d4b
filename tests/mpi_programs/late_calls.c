// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls after MPI_Finalize: errors, which the handler of MPI_COMM_WORLD gets. MPICH ends the job instead.
#include <mpi.h>

#include "check.h"

int main(void) {
  int status, value = 1, number = -1, sum = -1;
  MPI_Comm copy = MPI_COMM_NULL, half;
  MPI_Request request;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  MPI_Comm_split(MPI_COMM_WORLD, number % 2, 0, &half);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(half, MPI_ERRORS_RETURN);
  status = check_finish();

  check_failures = 0;
  CHECK_EQ(MPI_Comm_rank(MPI_COMM_WORLD, &number), MPI_ERR_OTHER);
  CHECK_EQ(MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_OTHER);
  CHECK_EQ(MPI_Irecv(&value, 1, MPI_INT, 0, 0, half, &request), MPI_ERR_OTHER);
  CHECK_EQ(MPI_Barrier(MPI_COMM_WORLD), MPI_ERR_OTHER);
  CHECK_EQ(MPI_Barrier(half), MPI_ERR_OTHER);
  CHECK_EQ(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF), MPI_ERR_OTHER);
  CHECK_EQ(MPI_Comm_dup(half, &copy), MPI_ERR_OTHER);
  CHECK_EQ(MPI_Comm_free(&half), MPI_ERR_OTHER);
  return status || check_failures;
}

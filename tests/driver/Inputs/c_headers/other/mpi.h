/* Another MPI, as kanor/mpi.h sees it. */
#define MPI_VERSION 4

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

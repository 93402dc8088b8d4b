/* Another MPI, as kanor/mpi.h sees it. */
#define MPI_VERSION 4

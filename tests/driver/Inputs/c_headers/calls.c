/* Every call and constant of kanor/opi.h, kanor/delta.h and kanor/mpi.h, in words that are C99 and C++. Compiled
 * only. */
#include <kanor/delta.h>
#include <kanor/opi.h>

int use(int argc, char** argv);

int use(int argc, char** argv) {
  double *numbers = NULL, other[2] = {0, 0};
  const MPI_Datatype types[] = {MPI_BYTE,
                                MPI_CHAR,
                                MPI_SIGNED_CHAR,
                                MPI_UNSIGNED_CHAR,
                                MPI_SHORT,
                                MPI_UNSIGNED_SHORT,
                                MPI_INT,
                                MPI_UNSIGNED,
                                MPI_LONG,
                                MPI_UNSIGNED_LONG,
                                MPI_LONG_LONG,
                                MPI_LONG_LONG_INT,
                                MPI_UNSIGNED_LONG_LONG,
                                MPI_FLOAT,
                                MPI_DOUBLE,
                                MPI_LONG_DOUBLE,
                                MPI_INT8_T,
                                MPI_INT16_T,
                                MPI_INT32_T,
                                MPI_INT64_T,
                                MPI_UINT8_T,
                                MPI_UINT16_T,
                                MPI_UINT32_T,
                                MPI_UINT64_T,
                                MPI_DATATYPE_NULL};
  const MPI_Comm comms[] = {MPI_COMM_NULL, MPI_COMM_WORLD, MPI_COMM_SELF};
  const int numbers_of_mpi[] = {MPI_ANY_SOURCE, MPI_PROC_NULL, MPI_ANY_TAG,
                                MPI_UNDEFINED,  MPI_VERSION,   MPI_SUBVERSION};
  char text[MPI_MAX_ERROR_STRING];
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status statuses[2];
  int number = (int)(sizeof types + sizeof comms + sizeof numbers_of_mpi), error = MPI_SUCCESS;
  double time;

  MPI_Init(&argc, &argv);
  MPI_Initialized(&number);
  error |= MPI_Comm_rank(MPI_COMM_WORLD, &number) | MPI_Comm_size(comms[1], &number);
  error |= MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  error |= MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  error |= OPI_Alloc(&numbers, 2 * sizeof *numbers);
  error |= OPI_Give(&numbers, 2, MPI_DOUBLE, 0, 1, MPI_COMM_SELF);
  error |= OPI_Take(&numbers, 2, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  error |= OPI_Igive(&numbers, 2, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &requests[0]);
  error |= OPI_Itake(&numbers, 2, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, requests + 1);
  error |= MPI_Waitall(2, requests, statuses) | OPI_Free(&numbers);
  error |= MPI_Send(other, 2, types[14], 0, 1, MPI_COMM_SELF);
  error |= MPI_Recv(other, 2, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &statuses[0]);
  error |= MPI_Isend(other, 2, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &requests[0]);
  error |= MPI_Irecv(other, 2, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &requests[1]);
  error |= MPI_Test(&requests[0], &number, statuses) | MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  error |= MPI_Testall(2, requests, &number, MPI_STATUSES_IGNORE);
  error |= Delta_send_begin(other, 2, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &requests[0]);
  error |= Delta_send_data(other, sizeof *other) | Delta_send_end(&requests[0]);
  error |= Delta_recv(other, 2, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &statuses[0]);
  error |= Delta_wait_data(&other[1], sizeof(double)) | Delta_wait(requests, MPI_STATUS_IGNORE);
  error |= MPI_Type_size(MPI_DOUBLE, &number) | MPI_Get_count(&statuses[0], MPI_DOUBLE, &number);
  error |= MPI_Error_string(MPI_ERR_TRUNCATE, text, &number) | MPI_Barrier(MPI_COMM_SELF);
  switch (error) {
    case MPI_ERR_BUFFER:
    case MPI_ERR_COUNT:
    case MPI_ERR_TYPE:
    case MPI_ERR_TAG:
    case MPI_ERR_COMM:
    case MPI_ERR_RANK:
    case MPI_ERR_REQUEST:
    case MPI_ERR_ARG:
    case MPI_ERR_OTHER:
    case MPI_ERR_IN_STATUS:
    case MPI_ERR_NO_MEM:
      MPI_Abort(MPI_COMM_WORLD, OPI_Error_text()[0]);
  }
  time = MPI_Wtime();
  return time > 0 ? MPI_Finalize()
                  : error + statuses[0].MPI_SOURCE + statuses[0].MPI_TAG + statuses[0].MPI_ERROR;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_MPI_REQUESTS_H
#define KANOR_MPI_REQUESTS_H

/// Requests and statuses.

#include <kanor/mpi/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Complete requests of all kinds, in any combination. A rank's receives are matched while it waits
/// or tests.
int MPI_Wait(MPI_Request* request, MPI_Status* status) KANOR_MPI(Wait);
int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) KANOR_MPI(Test);
int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) KANOR_MPI(Waitall);
int MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) KANOR_MPI(Testall);
/// Complete one of the requests. `index` is set to its index, or to MPI_UNDEFINED if none is active.
/// If several can be completed, they are chosen in turn.
int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) KANOR_MPI(Waitany);
int MPI_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status)
    KANOR_MPI(Testany);
/// Complete all requests that can be completed: at least one, and any number. `completed` is set to
/// their number, or to MPI_UNDEFINED if none is active.
int MPI_Waitsome(int count, MPI_Request requests[], int* completed, int indices[], MPI_Status statuses[])
    KANOR_MPI(Waitsome);
int MPI_Testsome(int count, MPI_Request requests[], int* completed, int indices[], MPI_Status statuses[])
    KANOR_MPI(Testsome);

/// Gives the request up. What has begun still completes.
int MPI_Request_free(MPI_Request* request) KANOR_MPI(Request_free);
/// As MPI_Test, but the request remains.
int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) KANOR_MPI(Request_get_status);
/// Cancels a receive that has got no message yet. Sends are never cancelled.
int MPI_Cancel(MPI_Request* request) KANOR_MPI(Cancel);
int MPI_Test_cancelled(const MPI_Status* status, int* flag) KANOR_MPI(Test_cancelled);
int MPI_Status_set_cancelled(MPI_Status* status, int flag) KANOR_MPI(Status_set_cancelled);

/// The number of elements of a received message, or MPI_UNDEFINED if it is not a whole number.
int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count) KANOR_MPI(Get_count);

/// Requests that the program completes itself. It calls MPI_Grequest_complete, from any of the rank's
/// threads.
typedef int MPI_Grequest_query_function(void* state, MPI_Status* status);
typedef int MPI_Grequest_free_function(void* state);
typedef int MPI_Grequest_cancel_function(void* state, int complete);
int MPI_Grequest_start(MPI_Grequest_query_function* query, MPI_Grequest_free_function* release,
                       MPI_Grequest_cancel_function* cancel, void* state, MPI_Request* request)
    KANOR_MPI(Grequest_start);
int MPI_Grequest_complete(MPI_Request request) KANOR_MPI(Grequest_complete);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_MPI_H
#define KANOR_MPI_H

/// Messages between Kanor's ranks in MPI's words: the part of MPI that goes with kanor/opi.h. For C and C++.
/// No MPI is needed; where the job runs under an MPI launcher, what goes to another machine travels by that
/// MPI.
///
/// The functions have names of their own in the linked program (kanor_MPI_Send, ...), so a library that uses
/// a real MPI can be linked beside them; one source file uses one of the two.
///
/// All functions belong to a rank's own thread, between MPI_Init and MPI_Finalize or not: those two succeed
/// and do nothing. They answer MPI_SUCCESS, or an error class after the communicator's error handler has been
/// asked, as MPI says: with MPI_ERRORS_ARE_FATAL, the default, the job ends with a message. MPI_Error_string
/// says what was wrong with the latest call of this rank that failed with that class, if one did.

#if defined(MPI_VERSION)
#error \
    "kanor/mpi.h has MPI's names, and another MPI's mpi.h was included before: a source file uses one of the two"
#endif

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Handles. Predefined ones are constants.
typedef struct kanor_mpi_comm* MPI_Comm;
typedef struct kanor_mpi_type* MPI_Datatype;
typedef struct kanor_mpi_request* MPI_Request;
typedef struct kanor_mpi_errhandler* MPI_Errhandler;
typedef struct kanor_mpi_op* MPI_Op;
/// `inout[i] = in[i] op inout[i]` for `*count` elements.
typedef void MPI_User_function(void* in, void* inout, int* count, MPI_Datatype* type);

/// What is known of a received message.
typedef struct {
  int MPI_SOURCE;  ///< the sender's rank
  int MPI_TAG;
  int MPI_ERROR;
  size_t kanor_bytes;  ///< for MPI_Get_count
} MPI_Status;

#define MPI_VERSION 3
#define MPI_SUBVERSION 1

#define MPI_COMM_NULL ((MPI_Comm)0)
#define MPI_COMM_WORLD ((MPI_Comm)1)
#define MPI_COMM_SELF ((MPI_Comm)2)
#define MPI_REQUEST_NULL ((MPI_Request)0)
#define MPI_ERRORS_ARE_FATAL ((MPI_Errhandler)1)
#define MPI_ERRORS_RETURN ((MPI_Errhandler)2)
#define MPI_STATUS_IGNORE ((MPI_Status*)0)
#define MPI_STATUSES_IGNORE ((MPI_Status*)0)

#define MPI_ANY_SOURCE (-1)
#define MPI_PROC_NULL (-2)
#define MPI_ANY_TAG (-1)
#define MPI_UNDEFINED (-32766)
#define MPI_MAX_ERROR_STRING 512

/// Datatypes: a number, and the bytes of an element below it.
#define KANOR_MPI_TYPE(number, type) ((MPI_Datatype)((size_t)(number) << 8 | sizeof(type)))
#define MPI_DATATYPE_NULL ((MPI_Datatype)0)
#define MPI_BYTE KANOR_MPI_TYPE(1, char)
#define MPI_CHAR KANOR_MPI_TYPE(2, char)
#define MPI_SIGNED_CHAR KANOR_MPI_TYPE(3, char)
#define MPI_UNSIGNED_CHAR KANOR_MPI_TYPE(4, char)
#define MPI_SHORT KANOR_MPI_TYPE(5, short)
#define MPI_UNSIGNED_SHORT KANOR_MPI_TYPE(6, short)
#define MPI_INT KANOR_MPI_TYPE(7, int)
#define MPI_UNSIGNED KANOR_MPI_TYPE(8, int)
#define MPI_LONG KANOR_MPI_TYPE(9, long)
#define MPI_UNSIGNED_LONG KANOR_MPI_TYPE(10, long)
#define MPI_LONG_LONG KANOR_MPI_TYPE(11, long long)
#define MPI_LONG_LONG_INT MPI_LONG_LONG
#define MPI_UNSIGNED_LONG_LONG KANOR_MPI_TYPE(12, long long)
#define MPI_FLOAT KANOR_MPI_TYPE(13, float)
#define MPI_DOUBLE KANOR_MPI_TYPE(14, double)
#define MPI_LONG_DOUBLE KANOR_MPI_TYPE(15, long double)
#define MPI_INT8_T KANOR_MPI_TYPE(16, char)
#define MPI_INT16_T KANOR_MPI_TYPE(17, short)
#define MPI_INT32_T KANOR_MPI_TYPE(18, int)
#define MPI_INT64_T KANOR_MPI_TYPE(19, long long)
#define MPI_UINT8_T KANOR_MPI_TYPE(20, char)
#define MPI_UINT16_T KANOR_MPI_TYPE(21, short)
#define MPI_UINT32_T KANOR_MPI_TYPE(22, int)
#define MPI_UINT64_T KANOR_MPI_TYPE(23, long long)
#define MPI_C_FLOAT_COMPLEX KANOR_MPI_TYPE(24, float[2])
#define MPI_C_DOUBLE_COMPLEX KANOR_MPI_TYPE(25, double[2])

/// Operations of reductions, on predefined datatypes: MPI_MAX and MPI_MIN on integers and floating-point
/// numbers, MPI_SUM and MPI_PROD on complex ones as well, the logical and the bitwise ones on integers
/// (bitwise also on MPI_BYTE).
#define MPI_OP_NULL ((MPI_Op)0)
#define MPI_MAX ((MPI_Op)1)
#define MPI_MIN ((MPI_Op)2)
#define MPI_SUM ((MPI_Op)3)
#define MPI_PROD ((MPI_Op)4)
#define MPI_LAND ((MPI_Op)5)
#define MPI_BAND ((MPI_Op)6)
#define MPI_LOR ((MPI_Op)7)
#define MPI_BOR ((MPI_Op)8)
#define MPI_LXOR ((MPI_Op)9)
#define MPI_BXOR ((MPI_Op)10)
/// In place of what a rank contributes: it is where the rank's result goes.
#define MPI_IN_PLACE ((void*)-1)

/// Error classes; error codes are classes.
#define MPI_SUCCESS 0
#define MPI_ERR_BUFFER 1
#define MPI_ERR_COUNT 2
#define MPI_ERR_TYPE 3
#define MPI_ERR_TAG 4
#define MPI_ERR_COMM 5
#define MPI_ERR_RANK 6
#define MPI_ERR_ROOT 8
#define MPI_ERR_OP 10
#define MPI_ERR_REQUEST 7
#define MPI_ERR_TRUNCATE 15
#define MPI_ERR_ARG 13
#define MPI_ERR_OTHER 16
#define MPI_ERR_IN_STATUS 18
#define MPI_ERR_NO_MEM 39

/// They succeed and do nothing, as often as they are called.
int MPI_Init(int* argc, char*** argv) __asm__("kanor_MPI_Init");
int MPI_Finalize(void) __asm__("kanor_MPI_Finalize");
/// Always true.
int MPI_Initialized(int* flag) __asm__("kanor_MPI_Initialized");
/// Ends the job with this exit status (1 for 0).
int MPI_Abort(MPI_Comm comm, int status) __asm__("kanor_MPI_Abort");
/// Seconds since some fixed time, to a microsecond.
double MPI_Wtime(void) __asm__("kanor_MPI_Wtime");

/// The calling rank in a communicator, and how many it has: 0 and 1 in MPI_COMM_SELF.
int MPI_Comm_rank(MPI_Comm comm, int* rank) __asm__("kanor_MPI_Comm_rank");
int MPI_Comm_size(MPI_Comm comm, int* size) __asm__("kanor_MPI_Comm_size");
/// Of this rank, for errors in calls with this communicator.
int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) __asm__("kanor_MPI_Comm_set_errhandler");
/// `text` has room for MPI_MAX_ERROR_STRING characters.
int MPI_Error_string(int code, char* text, int* length) __asm__("kanor_MPI_Error_string");

/// Sends copy: the buffer can be used again at once. They wait only for room, where more than KANOR_INFLIGHT
/// bytes are on the way to `rank`; receivers that wait for each other's senders, or test, make room where all
/// of them share memory.
int MPI_Send(const void* data, int count, MPI_Datatype type, int rank, int tag,
             MPI_Comm comm) __asm__("kanor_MPI_Send");
int MPI_Isend(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
              MPI_Request* request) __asm__("kanor_MPI_Isend");
/// A buffer that was given (OPI_Give) is received too: its content is copied, and it returns to this rank's
/// pool.
int MPI_Recv(void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
             MPI_Status* status) __asm__("kanor_MPI_Recv");
int MPI_Irecv(void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
              MPI_Request* request) __asm__("kanor_MPI_Irecv");

/// Requests of sends, receives, gives and takes, in any mixture. A rank's receives are matched while it waits
/// or tests.
int MPI_Wait(MPI_Request* request, MPI_Status* status) __asm__("kanor_MPI_Wait");
int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) __asm__("kanor_MPI_Test");
int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) __asm__("kanor_MPI_Waitall");
int MPI_Testall(int count, MPI_Request requests[], int* flag,
                MPI_Status statuses[]) __asm__("kanor_MPI_Testall");
/// Waits until one of the requests is done, and completes it: `index` says which, MPI_UNDEFINED if all are
/// MPI_REQUEST_NULL. Of several that are done one after the other gets its turn.
int MPI_Waitany(int count, MPI_Request requests[], int* index,
                MPI_Status* status) __asm__("kanor_MPI_Waitany");

/// Datatypes of several elements: `count` of `type`, one behind the other; and `count` blocks of `length`
/// elements, each `stride` elements behind the one before, which is at least `length`. To be committed before
/// they are used, and freed when no more calls use them; what has begun goes on.
int MPI_Type_contiguous(int count, MPI_Datatype type,
                        MPI_Datatype* made) __asm__("kanor_MPI_Type_contiguous");
int MPI_Type_vector(int count, int length, int stride, MPI_Datatype type,
                    MPI_Datatype* made) __asm__("kanor_MPI_Type_vector");
int MPI_Type_commit(MPI_Datatype* type) __asm__("kanor_MPI_Type_commit");
int MPI_Type_free(MPI_Datatype* type) __asm__("kanor_MPI_Type_free");
/// Bytes of an element, without gaps.
int MPI_Type_size(MPI_Datatype type, int* bytes) __asm__("kanor_MPI_Type_size");
/// Elements of a received message; MPI_UNDEFINED if they are not whole ones.
int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count) __asm__("kanor_MPI_Get_count");

/// Waits until every rank of the communicator has called it.
int MPI_Barrier(MPI_Comm comm) __asm__("kanor_MPI_Barrier");

/// Collectives: all ranks of the communicator call the same ones in the same order, with the same root,
/// operation and numbers of elements; a call in which they do not agree is an error on a rank that notices
/// it. They return when the rank has its result and its contribution can be changed; long ones are read where
/// they lie by ranks that are threads of a process, so each may wait for all. Nothing that a rank gets may
/// lie in what it contributes (MPI_IN_PLACE). Cost: up to 8 KiB one copy into a message and one out of it;
/// beyond that one copy between threads; of a reduction each rank folds a part.
int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) __asm__("kanor_MPI_Bcast");
int MPI_Gather(const void* own, int count, MPI_Datatype type, void* all, int count_each,
               MPI_Datatype type_each, int root, MPI_Comm comm) __asm__("kanor_MPI_Gather");
int MPI_Gatherv(const void* own, int count, MPI_Datatype type, void* all, const int counts[],
                const int offsets[], MPI_Datatype type_each, int root,
                MPI_Comm comm) __asm__("kanor_MPI_Gatherv");
int MPI_Scatter(const void* all, int count_each, MPI_Datatype type_each, void* own, int count,
                MPI_Datatype type, int root, MPI_Comm comm) __asm__("kanor_MPI_Scatter");
int MPI_Scatterv(const void* all, const int counts[], const int offsets[], MPI_Datatype type_each, void* own,
                 int count, MPI_Datatype type, int root, MPI_Comm comm) __asm__("kanor_MPI_Scatterv");
int MPI_Allgather(const void* own, int count, MPI_Datatype type, void* all, int count_each,
                  MPI_Datatype type_each, MPI_Comm comm) __asm__("kanor_MPI_Allgather");
int MPI_Allgatherv(const void* own, int count, MPI_Datatype type, void* all, const int counts[],
                   const int offsets[], MPI_Datatype type_each,
                   MPI_Comm comm) __asm__("kanor_MPI_Allgatherv");
int MPI_Alltoall(const void* out, int count_out, MPI_Datatype type_out, void* in, int count_in,
                 MPI_Datatype type_in, MPI_Comm comm) __asm__("kanor_MPI_Alltoall");
int MPI_Alltoallv(const void* out, const int counts_out[], const int offsets_out[], MPI_Datatype type_out,
                  void* in, const int counts_in[], const int offsets_in[], MPI_Datatype type_in,
                  MPI_Comm comm) __asm__("kanor_MPI_Alltoallv");

/// Reductions, of elements of predefined datatypes; with an operation of the program's of any that have no
/// gaps. The order of the ranks' terms is kept, and the brackets are always the same, whatever the operation
/// and the kind of ranks: F of m terms is F(the first 2^k) op F(the rest), 2^k the largest power of two below
/// m.
int MPI_Reduce(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) __asm__("kanor_MPI_Reduce");
int MPI_Allreduce(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) __asm__("kanor_MPI_Allreduce");
/// Of the ranks up to this one, and of those below it (rank 0 gets nothing).
int MPI_Scan(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op,
             MPI_Comm comm) __asm__("kanor_MPI_Scan");
int MPI_Exscan(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op,
               MPI_Comm comm) __asm__("kanor_MPI_Exscan");
/// An operation of the program's; `commutes` does not matter. It is called by any rank with any ranks'
/// elements, and must not change `in`.
int MPI_Op_create(MPI_User_function* function, int commutes, MPI_Op* op) __asm__("kanor_MPI_Op_create");
int MPI_Op_free(MPI_Op* op) __asm__("kanor_MPI_Op_free");

#ifdef __cplusplus
}
#endif

#endif

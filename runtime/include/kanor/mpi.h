// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_MPI_H
#define KANOR_MPI_H

/// Messages between Kanor's ranks with MPI's functions: the part of MPI that complements
/// kanor/opi.h. For C and C++. MPI need not be installed. If the job runs under an MPI launcher,
/// messages to other machines are sent by that MPI.
///
/// In the linked program the functions have other names (kanor_MPI_Send, ...), so the program may
/// also use libraries that call a real MPI. One source file can use only one of the two.
///
/// A rank may make these calls on one thread at a time, also before MPI_Init and after
/// MPI_Finalize, which have no effect. They return MPI_SUCCESS, or an error class after calling the
/// communicator's error handler. With MPI_ERRORS_ARE_FATAL, the default, an error ends the job with
/// a message. MPI_Error_string describes the error in this rank's latest call that failed with the
/// given class.

#if defined(MPI_VERSION)
#error "kanor/mpi.h and another MPI's mpi.h declare the same names: include only one of them"
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

/// Information on a received message.
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

/// Datatypes: a number, and in the lowest byte the size of an element.
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

/// Operations of reductions on predefined datatypes: MPI_MAX and MPI_MIN for integers and
/// floating-point numbers, MPI_SUM and MPI_PROD also for complex numbers, logical and bitwise
/// operations for integers (bitwise also for MPI_BYTE).
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
/// Passed instead of a rank's contribution, which is then read from its result buffer.
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

/// Succeed and have no effect. May be called several times.
int MPI_Init(int* argc, char*** argv) __asm__("kanor_MPI_Init");
int MPI_Finalize(void) __asm__("kanor_MPI_Finalize");
/// Sets `flag` to true.
int MPI_Initialized(int* flag) __asm__("kanor_MPI_Initialized");
/// Ends the job with this exit status (with 1 if it is 0).
int MPI_Abort(MPI_Comm comm, int status) __asm__("kanor_MPI_Abort");
/// Seconds since a fixed time, with a resolution of a microsecond.
double MPI_Wtime(void) __asm__("kanor_MPI_Wtime");

/// The calling rank's number in a communicator, and the number of ranks. In MPI_COMM_SELF they are
/// 0 and 1.
int MPI_Comm_rank(MPI_Comm comm, int* rank) __asm__("kanor_MPI_Comm_rank");
int MPI_Comm_size(MPI_Comm comm, int* size) __asm__("kanor_MPI_Comm_size");
/// Sets this rank's handler of errors in calls with this communicator.
int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) __asm__("kanor_MPI_Comm_set_errhandler");
/// Writes a description of an error to `text`, which must have room for MPI_MAX_ERROR_STRING
/// characters.
int MPI_Error_string(int code, char* text, int* length) __asm__("kanor_MPI_Error_string");

/// Sends copy the data, so the buffer can be reused at once. They wait only while more than
/// KANOR_INFLIGHT bytes are in flight to `rank`. If ranks that share memory wait for each other in
/// this way, receivers take over messages in order that the senders continue.
int MPI_Send(const void* data, int count, MPI_Datatype type, int rank, int tag,
             MPI_Comm comm) __asm__("kanor_MPI_Send");
int MPI_Isend(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
              MPI_Request* request) __asm__("kanor_MPI_Isend");
/// Also receives given buffers (OPI_Give): the contents are copied, and the buffer returns to this
/// rank's pool.
int MPI_Recv(void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
             MPI_Status* status) __asm__("kanor_MPI_Recv");
int MPI_Irecv(void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
              MPI_Request* request) __asm__("kanor_MPI_Irecv");

/// Complete requests of sends, receives, gives and takes, in any combination. A rank's receives are
/// matched while it waits or tests.
int MPI_Wait(MPI_Request* request, MPI_Status* status) __asm__("kanor_MPI_Wait");
int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) __asm__("kanor_MPI_Test");
int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) __asm__("kanor_MPI_Waitall");
int MPI_Testall(int count, MPI_Request requests[], int* flag,
                MPI_Status statuses[]) __asm__("kanor_MPI_Testall");
/// Waits until one of the requests can be completed, and completes it. `index` is set to its index,
/// or to MPI_UNDEFINED if all are MPI_REQUEST_NULL. If several can be completed, they are chosen in
/// turn.
int MPI_Waitany(int count, MPI_Request requests[], int* index,
                MPI_Status* status) __asm__("kanor_MPI_Waitany");

/// Datatypes of several elements: `count` contiguous elements of `type`, or `count` blocks of
/// `length` elements each, whose beginnings are `stride` elements apart. `stride` must be at least
/// `length`. A datatype must be committed before it is used. After it has been freed, calls that
/// have begun still complete.
int MPI_Type_contiguous(int count, MPI_Datatype type,
                        MPI_Datatype* made) __asm__("kanor_MPI_Type_contiguous");
int MPI_Type_vector(int count, int length, int stride, MPI_Datatype type,
                    MPI_Datatype* made) __asm__("kanor_MPI_Type_vector");
int MPI_Type_commit(MPI_Datatype* type) __asm__("kanor_MPI_Type_commit");
int MPI_Type_free(MPI_Datatype* type) __asm__("kanor_MPI_Type_free");
/// The number of bytes of an element, without gaps.
int MPI_Type_size(MPI_Datatype type, int* bytes) __asm__("kanor_MPI_Type_size");
/// The number of elements of a received message, or MPI_UNDEFINED if it is not a whole number.
int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count) __asm__("kanor_MPI_Get_count");

/// Waits until every rank of the communicator has called it.
int MPI_Barrier(MPI_Comm comm) __asm__("kanor_MPI_Barrier");

/// Collectives. All ranks of the communicator call the same ones in the same order, with the same
/// root, operation and numbers of elements. A rank that detects a difference reports an error. A
/// call returns when the rank has its result and may change its contribution. Thread ranks read
/// long contributions in place, so each rank may wait for all others. A result must not overlap a
/// contribution (use MPI_IN_PLACE).
///
/// Cost: up to 8 KiB, one copy into a message and one out of it; beyond that, one copy between
/// threads. In a reduction each rank folds a part.
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

/// Reductions of elements of predefined datatypes, or with an operation of MPI_Op_create, of any
/// datatype without gaps. Terms are folded in rank order, and the bracketing is always the same,
/// for all operations and kinds of ranks: F of m terms is F(the first 2^k) op F(the rest), where
/// 2^k is the largest power of two below m.
int MPI_Reduce(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) __asm__("kanor_MPI_Reduce");
int MPI_Allreduce(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) __asm__("kanor_MPI_Allreduce");
/// MPI_Scan folds the terms of the ranks up to this one, MPI_Exscan those of the ranks below it.
/// (MPI_Exscan does not change the result on rank 0.)
int MPI_Scan(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op,
             MPI_Comm comm) __asm__("kanor_MPI_Scan");
int MPI_Exscan(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op,
               MPI_Comm comm) __asm__("kanor_MPI_Exscan");
/// Creates an operation. `commutes` has no effect. Any rank may call the function with the elements
/// of any ranks. It must not change `in`.
int MPI_Op_create(MPI_User_function* function, int commutes, MPI_Op* op) __asm__("kanor_MPI_Op_create");
int MPI_Op_free(MPI_Op* op) __asm__("kanor_MPI_Op_free");

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_OPI_H
#define KANOR_OPI_H

/// Ownership passing: a rank hands a buffer over instead of copying it (Friedley, Hoefler,
/// Bronevetsky, Lumsdaine, Ma: "Ownership Passing", PPoPP 2013, section 3). For C and C++, with or
/// without kanorc.
///
///     double *buffer;
///     if (rank == 0) {
///       OPI_Alloc(&buffer, n * sizeof *buffer);
///       fill(buffer, n);
///       OPI_Give(&buffer, n, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD);                     // buffer is NULL now
///     } else if (rank == 1) {
///       OPI_Take(&buffer, n, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
///       use(buffer, n);
///       OPI_Free(&buffer);
///     }
///
/// A buffer belongs to the rank that allocated or took it, until this rank gives or frees it. No
/// other rank may read or write it. The functions take the address of the caller's pointer, which
/// may have any type. OPI_Alloc and OPI_Take set the pointer to an address that is a multiple of
/// 64; OPI_Free and OPI_Give set it to NULL.
///
/// Between ranks that share memory, only the buffer's address is sent (up to 280 bytes are copied,
/// which is faster). To other ranks the contents are sent. Freed buffers stay in the rank's pool
/// for its next OPI_Alloc (receiver's pool, section 3.2); other ranks reuse the surplus. The memory
/// is part of KANOR_MEMORY, and running out of it ends the job with an error.
///
/// OPI_Take matches given buffers by source, tag and communicator, in the order in which they were
/// given, like MPI's messages. OPI_Take also takes messages of MPI_Send, and MPI_Recv also receives
/// given buffers.
///
/// The threads of a rank may make these calls as they may make MPI's. They return MPI_SUCCESS or an MPI error
/// class, independently of the communicator's error handler. OPI_Error_text() then describes the
/// error and its place.
///
/// With KANOR_CHECK=1 the text is also printed. It names the places on both ranks, and the place
/// where a buffer was given or freed that is used again. Reading or writing such a buffer is a
/// segmentation fault with a message. For this purpose each buffer has its own pages, and given
/// buffers are copied.

#include "kanor/mpi.h"

#ifdef __cplusplus
/// The place of the call in the source, for messages.
#define KANOR_OPI_PLACE , const char *file = __builtin_FILE(), int line = __builtin_LINE()
extern "C" {
#else
#define KANOR_OPI_PLACE , const char *file, int line
#endif

/// Allocates a buffer of at least `bytes` bytes with undefined contents. Does not wait. `bytes` may
/// be 0. MPI_ERR_ARG: `pointer` is NULL.
int OPI_Alloc(void* pointer, size_t bytes KANOR_OPI_PLACE);

/// Frees a buffer. Has no effect on a NULL pointer. Does not wait. MPI_ERR_BUFFER: the pointer is
/// not that of a buffer of OPI_Alloc or OPI_Take, or the buffer no longer belongs to this rank.
int OPI_Free(void* pointer KANOR_OPI_PLACE);

/// Gives a buffer to `rank`, which may be the caller. The taker gets a buffer of `count` elements.
/// Waits only while more than KANOR_INFLIGHT bytes are in flight to `rank`. To MPI_PROC_NULL it is
/// like OPI_Free.
///
/// If it fails, the buffer still belongs to the caller. MPI_ERR_BUFFER: as for OPI_Free, or the
/// pointer is NULL. MPI_ERR_COUNT: the buffer has fewer than `count` elements.
int OPI_Give(void* pointer, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm KANOR_OPI_PLACE);

/// Waits for a buffer of at most `count` elements, and takes it. `rank` may be MPI_ANY_SOURCE, and
/// `tag` MPI_ANY_TAG. From MPI_PROC_NULL the pointer is set to NULL. MPI_Get_count returns the
/// length from `status`, which may be MPI_STATUS_IGNORE. MPI_ERR_TRUNCATE: the buffer is longer; it
/// is freed, and the pointer set to NULL.
int OPI_Take(void* pointer, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
             MPI_Status* status KANOR_OPI_PLACE);

/// Nonblocking forms of OPI_Give and OPI_Take. MPI_Wait, MPI_Test and similar functions complete
/// their requests, together with those of MPI. OPI_Igive sets the pointer to NULL at once.
/// OPI_Itake sets it to NULL until the request has completed; the pointer itself must exist until
/// then. Later errors are errors of MPI_Wait and similar functions, which call the communicator's
/// error handler.
int OPI_Igive(void* pointer, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
              MPI_Request* request KANOR_OPI_PLACE);
int OPI_Itake(void* pointer, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
              MPI_Request* request KANOR_OPI_PLACE);

/// Collective passing (section 3.5). Every rank of the communicator makes the same calls in the
/// same order. Each rank has its own buffer, so no rank waits until others have finished with
/// theirs. `given` and `taken` are arrays with one pointer of any type for each rank; pointers to
/// given buffers are set to NULL. A rank waits for the buffers that it takes. Errors are those of
/// OPI_Give and OPI_Take. MPI_ERR_OTHER: another rank called another collective.

/// Rank `root` gives `count` elements of given[i] to rank i, and every rank takes its buffer.
/// `given` is used on the root only.
int OPI_Scatter(void* given, int count, MPI_Datatype type, void* pointer, int root,
                MPI_Comm comm KANOR_OPI_PLACE);
/// Every rank gives `count` elements to rank `root`, which takes the buffer of rank i into
/// taken[i]. `taken` is used on the root only.
int OPI_Gather(void* pointer, int count, MPI_Datatype type, void* taken, int root,
               MPI_Comm comm KANOR_OPI_PLACE);
/// Every rank gives `count` elements of given[i] to rank i, and takes the buffer of rank i into
/// taken[i]. Both arrays may be the same.
int OPI_Alltoall(void* given, int count, MPI_Datatype type, void* taken, MPI_Comm comm KANOR_OPI_PLACE);
/// The same with a count for each rank: given_counts[i] elements to rank i, and at most
/// taken_counts[i] from rank i.
int OPI_Alltoallv(void* given, const int* given_counts, MPI_Datatype type, void* taken,
                  const int* taken_counts, MPI_Comm comm KANOR_OPI_PLACE);

/// Lets all ranks read `count` elements of the root's buffer. The root keeps its buffer. On the
/// other ranks `pointer` is set to the root's buffer if they share memory with it, otherwise to a
/// copy. No rank may write the buffer. Each rank must free it; the last OPI_Free returns the
/// memory. Collective, like OPI_Scatter.
int OPI_Bcast(void* pointer, int count, MPI_Datatype type, int root, MPI_Comm comm KANOR_OPI_PLACE);
/// Makes a buffer that other ranks may read the caller's own, so that it may be written. The
/// pointer is unchanged if the others have freed the buffer, otherwise it is set to a copy. Does
/// not wait. MPI_ERR_BUFFER: as for OPI_Free.
int OPI_Own(void* pointer KANOR_OPI_PLACE);

/// Lends elements of a buffer (section 3.4): `count` elements of `type`, which may be strided
/// (MPI_Type_vector), beginning at `offset` bytes behind the start of the buffer. The caller keeps
/// the buffer and its other elements. `request` completes when the borrower has returned the
/// elements. Until then the caller must not use the lent elements, nor give or free the buffer.
/// OPI_Borrow matches by source, tag and communicator, separately from given buffers. Waits only
/// for flow control. Errors are those of OPI_Give.
int OPI_Lend(void* buffer, size_t offset, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
             MPI_Request* request KANOR_OPI_PLACE);
/// Waits for lent elements, and sets `pointer` to the first one: in the lender's buffer if the
/// ranks share memory, otherwise in a copy with the same layout. The caller may read and write only
/// these elements, until OPI_Return. MPI_ERR_TYPE: the lender uses another layout; the elements are
/// returned, and the pointer is set to NULL.
int OPI_Borrow(void* pointer, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
               MPI_Status* status KANOR_OPI_PLACE);
/// Returns borrowed elements with their new values, and sets the pointer to NULL. Has no effect on
/// a NULL pointer. MPI_ERR_BUFFER: the pointer was not set by OPI_Borrow.
int OPI_Return(void* pointer KANOR_OPI_PLACE);

/// A one-line description of the error in this rank's latest call that failed, or "" if none has.
/// Valid until the next call fails.
const char* OPI_Error_text(void);

#ifdef __cplusplus
}
#else
#define OPI_Alloc(pointer, bytes) OPI_Alloc(pointer, bytes, __FILE__, __LINE__)
#define OPI_Free(pointer) OPI_Free(pointer, __FILE__, __LINE__)
#define OPI_Give(pointer, count, type, rank, tag, comm) \
  OPI_Give(pointer, count, type, rank, tag, comm, __FILE__, __LINE__)
#define OPI_Take(pointer, count, type, rank, tag, comm, status) \
  OPI_Take(pointer, count, type, rank, tag, comm, status, __FILE__, __LINE__)
#define OPI_Igive(pointer, count, type, rank, tag, comm, request) \
  OPI_Igive(pointer, count, type, rank, tag, comm, request, __FILE__, __LINE__)
#define OPI_Itake(pointer, count, type, rank, tag, comm, request) \
  OPI_Itake(pointer, count, type, rank, tag, comm, request, __FILE__, __LINE__)
#define OPI_Scatter(given, count, type, pointer, root, comm) \
  OPI_Scatter(given, count, type, pointer, root, comm, __FILE__, __LINE__)
#define OPI_Gather(pointer, count, type, taken, root, comm) \
  OPI_Gather(pointer, count, type, taken, root, comm, __FILE__, __LINE__)
#define OPI_Alltoall(given, count, type, taken, comm) \
  OPI_Alltoall(given, count, type, taken, comm, __FILE__, __LINE__)
#define OPI_Alltoallv(given, given_counts, type, taken, taken_counts, comm) \
  OPI_Alltoallv(given, given_counts, type, taken, taken_counts, comm, __FILE__, __LINE__)
#define OPI_Bcast(pointer, count, type, root, comm) \
  OPI_Bcast(pointer, count, type, root, comm, __FILE__, __LINE__)
#define OPI_Own(pointer) OPI_Own(pointer, __FILE__, __LINE__)
#define OPI_Lend(buffer, offset, count, type, rank, tag, comm, request) \
  OPI_Lend(buffer, offset, count, type, rank, tag, comm, request, __FILE__, __LINE__)
#define OPI_Borrow(pointer, count, type, rank, tag, comm, status) \
  OPI_Borrow(pointer, count, type, rank, tag, comm, status, __FILE__, __LINE__)
#define OPI_Return(pointer) OPI_Return(pointer, __FILE__, __LINE__)
#endif
#undef KANOR_OPI_PLACE

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_OPI_H
#define KANOR_OPI_H

/// Ownership passing: a rank hands a buffer over instead of copying it (Friedley, Hoefler, Bronevetsky,
/// Lumsdaine, Ma: "Ownership Passing", PPoPP 2013, section 3). For C and C++, with or without kanorc.
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
/// A buffer belongs to one rank at a time: that which allocated or took it, until it gives or frees it.
/// Nobody else may read or write it. The calls take the address of the caller's pointer, of any type. What
/// OPI_Alloc and OPI_Take put there begins at a multiple of 64 bytes; OPI_Free and OPI_Give leave NULL there.
///
/// Between ranks that share memory only the buffer's address travels (of at most 280 bytes the content, which
/// is faster); to others the content does. A rank's freed buffers stay with it for its next OPI_Alloc
/// (receiver's pool, section 3.2); what it frees more than it allocates goes back to those who do. Memory
/// comes out of KANOR_MEMORY, and running out of it ends the job.
///
/// Given buffers are found by source, tag and communicator, in the order in which they were given, as MPI's
/// messages are; OPI_Take also takes what MPI_Send sent, and MPI_Recv receives what was given.
///
/// All calls belong to a rank's own thread. They answer MPI_SUCCESS or an MPI error class, whatever the
/// communicator's error handler; OPI_Error_text() then says what was wrong, and where. With KANOR_CHECK=1 it
/// is printed as well, and names the places of both ranks, and where a buffer was lost that is used again;
/// reading or writing a lost buffer is a segmentation fault then, whose message says so. For that each buffer
/// has pages of its own, and what is given is copied.

#include "kanor/mpi.h"

#ifdef __cplusplus
/// The caller's place in the source, for messages.
#define KANOR_OPI_PLACE , const char *file = __builtin_FILE(), int line = __builtin_LINE()
extern "C" {
#else
#define KANOR_OPI_PLACE , const char *file, int line
#endif

/// A buffer of at least `bytes` bytes, of undefined content. Does not wait. 0 bytes are a buffer too.
/// MPI_ERR_ARG: `pointer` is NULL.
int OPI_Alloc(void* pointer, size_t bytes KANOR_OPI_PLACE);

/// Gives a buffer up. A NULL buffer is none: nothing happens. Does not wait.
/// MPI_ERR_BUFFER: it is not a buffer of OPI_Alloc or OPI_Take, or is this rank's no longer.
int OPI_Free(void* pointer KANOR_OPI_PLACE);

/// Gives the first `count` elements of a buffer, and with them all of it, to `rank`, which may be the caller.
/// To its taker it is so long. Waits only for room, where more than KANOR_INFLIGHT bytes are on the way to
/// it. To MPI_PROC_NULL it is as OPI_Free. MPI_ERR_BUFFER as for OPI_Free, and for NULL; MPI_ERR_COUNT: it is
/// not so long. The buffer is then the caller's still.
int OPI_Give(void* pointer, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm KANOR_OPI_PLACE);

/// Waits for a buffer of at most `count` elements, and takes it. `rank` may be MPI_ANY_SOURCE, and `tag`
/// MPI_ANY_TAG; from MPI_PROC_NULL it is NULL. MPI_Get_count tells its length, from `status`, which may be
/// MPI_STATUS_IGNORE. MPI_ERR_TRUNCATE: the buffer is longer. It is freed then, and the pointer NULL.
int OPI_Take(void* pointer, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
             MPI_Status* status KANOR_OPI_PLACE);

/// The same, completed by MPI_Wait, MPI_Test and the like, together with MPI's requests. OPI_Igive leaves
/// NULL at once: the buffer is the receiver's. `pointer` of OPI_Itake is NULL until the request has
/// completed, and must stay where it is until then. What goes wrong only then is an error of MPI_Wait and the
/// like, which ask the communicator's error handler.
int OPI_Igive(void* pointer, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
              MPI_Request* request KANOR_OPI_PLACE);
int OPI_Itake(void* pointer, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
              MPI_Request* request KANOR_OPI_PLACE);

/// Collective passing (section 3.5): every rank of the communicator makes the same calls in the same order.
/// There is a buffer of its own for each rank, so that nobody waits until others are done with theirs.
/// `given`, `taken`: arrays with a pointer for each rank, of any type; pointers given are NULL afterwards. A
/// rank waits for what it takes. Errors as for OPI_Give and OPI_Take; MPI_ERR_OTHER: another rank called
/// another collective.

/// Rank `root` gives `count` elements of given[i] to rank i, and every rank takes its own. Only the root's
/// `given` is looked at.
int OPI_Scatter(void* given, int count, MPI_Datatype type, void* pointer, int root,
                MPI_Comm comm KANOR_OPI_PLACE);
/// Every rank gives `count` elements to rank `root`, which takes rank i's into taken[i]. Only the root's
/// `taken` is looked at.
int OPI_Gather(void* pointer, int count, MPI_Datatype type, void* taken, int root,
               MPI_Comm comm KANOR_OPI_PLACE);
/// Every rank gives `count` elements of given[i] to rank i, and takes rank i's into taken[i]. The arrays may
/// be the same.
int OPI_Alltoall(void* given, int count, MPI_Datatype type, void* taken, MPI_Comm comm KANOR_OPI_PLACE);
/// The same with counts of their own: given_counts[i] elements to rank i; from rank i at most
/// taken_counts[i].
int OPI_Alltoallv(void* given, const int* given_counts, MPI_Datatype type, void* taken,
                  const int* taken_counts, MPI_Comm comm KANOR_OPI_PLACE);

/// All ranks read `count` elements of the root's buffer, in the same memory where they share any: `pointer`
/// is the root's buffer there, which it keeps, and is set to it, or to a copy, elsewhere. Each rank frees it;
/// the last one's OPI_Free gives the memory back. Until then nobody writes there. Collective as OPI_Scatter
/// is.
int OPI_Bcast(void* pointer, int count, MPI_Datatype type, int root, MPI_Comm comm KANOR_OPI_PLACE);
/// Makes a buffer that others may read too the caller's alone, to be written: the same one if the others have
/// freed it, else a copy. Does not wait. MPI_ERR_BUFFER as for OPI_Free.
int OPI_Own(void* pointer KANOR_OPI_PLACE);

/// Lends elements of a buffer (section 3.4): `count` of `type`, which may be strided (MPI_Type_vector), from
/// `offset` bytes behind the buffer's first one on. The caller keeps the buffer and its other elements; it
/// uses the lent ones, gives and frees the buffer only after `request` has completed, which is when they have
/// been given back. Found by source, tag and communicator, apart from what is given. Waits only for room.
/// Errors as for OPI_Give.
int OPI_Lend(void* buffer, size_t offset, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
             MPI_Request* request KANOR_OPI_PLACE);
/// Waits for elements that are lent, and sets `pointer` to the first one: where they lie at the lender, if
/// the ranks share memory, else in a copy of the same layout. Only they may be read and written, until
/// OPI_Return. MPI_ERR_TYPE: the lender has another layout; the elements are given back then, and the pointer
/// NULL.
int OPI_Borrow(void* pointer, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
               MPI_Status* status KANOR_OPI_PLACE);
/// Gives borrowed elements back, with what has been written there, and leaves NULL. Nothing happens for NULL.
/// MPI_ERR_BUFFER: OPI_Borrow has not set it so.
int OPI_Return(void* pointer KANOR_OPI_PLACE);

/// What was wrong in this rank's latest call that failed, one line; "" if none has. Until the next one fails.
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

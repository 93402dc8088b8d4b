// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_DELTA_H
#define KANOR_DELTA_H

/// Delta send and receive: a message travels while it is computed, and is used while it arrives (Bao,
/// Ding, Gao, Archambault: "Delta Send-Recv for Dynamic Pipelining in MPI Programs", CCGrid 2012).
/// For C and C++, with or without kanorc. The loops stay as they are:
///
///     if (rank == 0) {
///       Delta_send_begin(a, n, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD, &request);
///       for (int i = 0; i < n; i += 512) {
///         compute(&a[i], 512);
///         Delta_send_data(&a[i], 512 * sizeof *a);          // these elements are final
///       }
///       Delta_wait(&request, MPI_STATUS_IGNORE);
///     } else if (rank == 1) {
///       MPI_Irecv(a, n, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD, &request);
///       for (int i = 0; i < n; i += 512) {
///         Delta_wait_data(&a[i], 512 * sizeof *a);          // these elements are here
///         use(&a[i], 512);
///       }
///       Delta_wait(&request, &status);
///     }
///
/// Elements that are final leave in increments, whose size is found at run time: an increment leaves
/// when the receiver has taken those before, and the rank has computed for so long that more increments would
/// cost more than they gain. KANOR_DELTA sets a fixed number of bytes instead. At the latest, elements leave
/// when the rank waits in a call, and at Delta_send_end. Rank 1 can use what has come, and send its own
/// results on, while rank 0 computes the rest. Ranks that do so one after the other are a pipeline.
///
/// A delta send is one message, which matches by source, tag, communicator and order like others, from
/// Delta_send_begin on. Any receive can get it. It must not be longer than the receive when it ends, but
/// may have begun with a larger count. Any message can come to a receive of which Delta_wait_data waits
/// for parts. MPI_Probe sees a delta send with the count of Delta_send_begin.
///
/// The functions return MPI_SUCCESS, or an error class after calling the communicator's error handler, as
/// MPI's do; Delta_send_data and Delta_wait_data call that of MPI_COMM_WORLD. MPI_ERR_ARG: `request` is
/// NULL. The threads of a rank may make these calls as they may make MPI's.
///
/// With KANOR_DELTA=pages no elements need be named or waited for: page protection tells which the program
/// has written, if it writes each one once, from the first to the last, and which it reads. Then Delta_recv
/// without a status returns before the elements have come, and is complete at the rank's next other call of
/// MPI. docs/delta.md says when it is not so.
///
/// With KANOR_CHECK=1, elements that were written after they were named are an error of Delta_wait, and
/// an element that is named twice is an error with both places.

#include "kanor/mpi.h"

#ifdef __cplusplus
/// The place of the call in the source, for messages.
#define KANOR_DELTA_PLACE , const char *file = __builtin_FILE(), int line = __builtin_LINE()
extern "C" {
#else
#define KANOR_DELTA_PLACE , const char *file, int line
#endif

/// Begins to send elements that are not computed yet. Does not wait. The parameters are those of
/// MPI_Isend. The request completes by Delta_wait, or after Delta_send_end by MPI_Wait and similar
/// functions; it can be neither freed nor cancelled. To wait for it in another way before Delta_send_end
/// is an error.
int Delta_send_begin(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
                     MPI_Request* request KANOR_DELTA_PLACE);

/// Names bytes that have their final values: `bytes` bytes from `data` on, which must not be written before
/// Delta_wait. At least one delta send that has begun, and has not ended, must have all of them. They are
/// named for all such sends. Ranges can be named in any order. Does not wait. Takes time proportional to
/// the number of such sends.
///
/// After this call, only what is named is sent. The receiver's memory keeps its values elsewhere, and the
/// message ends behind the last byte that was named; a call with 0 bytes alone makes it an empty message.
/// Without any call, Delta_send_end and Delta_wait send all elements. Elements with gaps between them
/// (MPI_Type_vector) are always sent then, and all of them.
///
/// MPI_ERR_BUFFER: no delta send has these bytes, or some of them have been named before.
int Delta_send_data(const void* data, size_t bytes KANOR_DELTA_PLACE);

/// Says that no further elements will be named, and sends the rest. Does not wait. Call it behind the loop
/// that computes the elements: independent work can follow, before Delta_wait. Has no effect on a send that
/// has ended. MPI_ERR_REQUEST: the request is not that of Delta_send_begin.
int Delta_send_end(MPI_Request* request KANOR_DELTA_PLACE);

/// Waits until a request is complete: that of a delta send, which it ends first if need be, or any other
/// request, as MPI_Wait. Then the elements that were sent may be written. Sets the request to
/// MPI_REQUEST_NULL. After a receive, MPI_Get_count returns the number of elements of the message.
int Delta_wait(MPI_Request* request, MPI_Status* status KANOR_DELTA_PLACE);

/// Receives a message, and returns when its elements can be used: with KANOR_DELTA=pages and without a
/// status, to use one may wait until it has come. The parameters are those of MPI_Recv. A program whose loops
/// should run while elements arrive begins with MPI_Irecv instead, and calls Delta_wait_data.
int Delta_recv(void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
               MPI_Status* status KANOR_DELTA_PLACE);

/// Waits until `bytes` bytes from `data` on have come, as far as pending receives (MPI_Irecv,
/// MPI_Recv_init, MPI_Imrecv) of this rank put them there, one or several. From then on they may be read
/// and written, and sent on, before the requests are complete. Returns at once if no pending receive has
/// any of the bytes, and when a message has ended without them. All elements of an ordinary message come
/// at once, and so do elements with gaps between them. Errors of a receive are those of Delta_wait. Takes
/// time proportional to the number of pending requests.
///
/// MPI_ERR_BUFFER: `data` is NULL.
int Delta_wait_data(const void* data, size_t bytes KANOR_DELTA_PLACE);

#ifdef __cplusplus
}
#else
#define Delta_send_begin(data, count, type, rank, tag, comm, request) \
  Delta_send_begin(data, count, type, rank, tag, comm, request, __FILE__, __LINE__)
#define Delta_send_data(data, bytes) Delta_send_data(data, bytes, __FILE__, __LINE__)
#define Delta_send_end(request) Delta_send_end(request, __FILE__, __LINE__)
#define Delta_wait(request, status) Delta_wait(request, status, __FILE__, __LINE__)
#define Delta_recv(data, count, type, rank, tag, comm, status) \
  Delta_recv(data, count, type, rank, tag, comm, status, __FILE__, __LINE__)
#define Delta_wait_data(data, bytes) Delta_wait_data(data, bytes, __FILE__, __LINE__)
#endif

#undef KANOR_DELTA_PLACE

#endif

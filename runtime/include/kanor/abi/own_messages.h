// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_ABI_OWN_MESSAGES_H
#define KANOR_ABI_OWN_MESSAGES_H

/// What kanorc makes of MPI calls with -fown-messages, in C and C++: messages whose buffers change hands.
///
/// Each buffer is behind a pointer, whose address these functions get. A send gives the buffer away and
/// sets the pointer to another one of the same length, whose content is undefined. A receive sets the
/// pointer to the buffer that came, if that has as many bytes as its own, and frees its own; otherwise it
/// copies what came, as MPI does, so the receiver need not know what its senders send. So a pointer is never
/// NULL, except to memory that the program has not allocated.
///
/// `home` is memory of the program's own that the pointer points to at first: a static array of `bytes`
/// bytes, which is never given away. NULL for a buffer that kanor_own_new or kanor_own_calloc has made.

/// Emitted code includes this ahead of the user's text, so of other headers only the compiler's own: MPI's
/// handles are numbers (kanor/mpi/handles.h).

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct MPI_Status;

/// In the linked program the functions' names begin as those of MPI's, which an image is shown.
#define KANOR_OWN(name) __asm__("kanor_MPI_own_" #name)

/// A buffer with undefined content, and one that is all zero, for an array.
void* kanor_own_new(size_t bytes) KANOR_OWN(new);
void* kanor_own_zeros(size_t bytes) KANOR_OWN(zeros);
/// The same for malloc and calloc: NULL where there is no memory.
void* kanor_own_malloc(size_t bytes) KANOR_OWN(malloc);
void* kanor_own_calloc(size_t count, size_t bytes) KANOR_OWN(calloc);
/// Frees a buffer. Has no effect on NULL.
void kanor_own_free(void* buffer) KANOR_OWN(free);
/// The same for the buffer behind a pointer with that address.
void kanor_own_leave(void* pointer) KANOR_OWN(leave);

/// MPI_Send, MPI_Isend, MPI_Recv and MPI_Irecv.
int kanor_own_send(void* pointer, void* home, size_t bytes, int count, int type, int rank, int tag, int comm)
    KANOR_OWN(send);
int kanor_own_isend(void* pointer, void* home, size_t bytes, int count, int type, int rank, int tag, int comm,
                    int* request) KANOR_OWN(isend);
int kanor_own_recv(void* pointer, void* home, size_t bytes, int count, int type, int rank, int tag, int comm,
                   struct MPI_Status* status) KANOR_OWN(recv);
int kanor_own_irecv(void* pointer, void* home, size_t bytes, int count, int type, int rank, int tag, int comm,
                    int* request) KANOR_OWN(irecv);

#undef KANOR_OWN
#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_ABI_PIPELINED_MESSAGES_H
#define KANOR_ABI_PIPELINED_MESSAGES_H

/// What kanorc makes of MPI_Send and MPI_Recv with -fdelta, in C and C++: messages that travel while a loop
/// computes their elements, and while a loop uses them. The send begins before the loop, and the receive ends
/// behind it:
///
///     KANOR_DELTA_SEND(kanor_delta_0, 8, 9, a, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
///     for (k = 0; k < n; ) { const __typeof__(k) kanor_end_0 = KANOR_DELTA_STRIP(kanor_delta_0, k, n);
///       { for (; k < kanor_end_0; ++k) a[k] = f(k); } KANOR_DELTA_COMPUTED(kanor_delta_0, k, 1, 0);
///       if (k < kanor_end_0) break; }
///     KANOR_DELTA_SENT(kanor_delta_0, a, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
///
///     KANOR_DELTA_RECV(kanor_delta_1, 8, a, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
///     for (k = 0; k < n; ) {
///       const __typeof__(k) kanor_end_1 = KANOR_DELTA_ARRIVED(kanor_delta_1, k, n, 1, 1, 0);
///       { for (; k < kanor_end_1; ++k) sum += a[k]; } if (k < kanor_end_1) break; }
///     kanor_delta_received(kanor_delta_1);
///
/// Emitted code includes this ahead of the user's text, so of other headers only the compiler's own: MPI's
/// handles are numbers (kanor/mpi/handles.h). The user's text may be in a dialect that does not allow what
/// the macros say.
#pragma GCC system_header

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct MPI_Status;
struct kanor_delta;

/// In the linked program the functions' names begin as those of MPI's, which an image is shown.
#define KANOR_DELTA_NAME(name) __asm__("kanor_MPI_delta_" #name)

/// The functions below take null in place of a message, for one that is not sent.

/// Begins MPI_Send of elements that are not computed yet. `element_bytes`: of the elements that the loop
/// counts. A message that is short, or where pipelining is switched off, is sent at the end. What is returned
/// belongs to the rank until kanor_delta_sent. Does not wait. Errors are those of MPI_Send.
struct kanor_delta* kanor_delta_send(const char* file, int line, size_t element_bytes, const void* data,
                                     int count, int type, int rank, int tag, int comm) KANOR_DELTA_NAME(send);
/// The length of the next strip, of a loop that goes on for `left`: by how much its counter grows.
unsigned long long kanor_delta_strip(const struct kanor_delta* message, unsigned long long left)
    KANOR_DELTA_NAME(strip);
/// So many elements at the beginning are final.
void kanor_delta_computed(struct kanor_delta* message, long long elements) KANOR_DELTA_NAME(computed);
/// All elements are final. Returns when the program may write them, as MPI_Send does.
void kanor_delta_sent(struct kanor_delta* message) KANOR_DELTA_NAME(sent);

/// Begins MPI_Recv. What is returned belongs to the rank until kanor_delta_received.
struct kanor_delta* kanor_delta_recv(const char* file, int line, size_t element_bytes, void* data, int count,
                                     int type, int rank, int tag, int comm, struct MPI_Status* status)
    KANOR_DELTA_NAME(recv);
/// The length of the next strip, after waiting for the elements of its first iteration: those below
/// factor * counter + rest, and below `least`.
unsigned long long kanor_delta_arrived(struct kanor_delta* message, unsigned long long left,
                                       long long counter, long long factor, long long rest, long long least)
    KANOR_DELTA_NAME(arrived);
/// Waits until all elements have come, and sets the status.
void kanor_delta_received(struct kanor_delta* message) KANOR_DELTA_NAME(received);

#undef KANOR_DELTA_NAME
#ifdef __cplusplus
}
#endif

/// The greatest value of the counter.
#define KANOR_DELTA_MOST(counter)                    \
  ((__typeof__(counter))-1 > 0                       \
       ? (unsigned long long)(__typeof__(counter))-1 \
       : (unsigned long long)(((((__typeof__(counter))1 << (sizeof(counter) * 8 - 2)) - 1) * 2) + 1))
/// The distance between the counter and its limit, in the type in which the program compares the two; 0: the
/// counter has reached it. If the counter can't reach it, a break ends the loop before.
#define KANOR_DELTA_APART(counter, limit) \
  ((counter) < (limit) ? (unsigned long long)((limit) - (counter)) : 0ULL)
#define KANOR_DELTA_LEFT(counter, limit)                                                         \
  (KANOR_DELTA_APART(counter, limit) < KANOR_DELTA_MOST(counter) - (unsigned long long)(counter) \
       ? KANOR_DELTA_APART(counter, limit)                                                       \
       : KANOR_DELTA_MOST(counter) - (unsigned long long)(counter))

/// A declaration behind statements, which C did not allow before 1999.
#ifdef __cplusplus
#define KANOR_DELTA_VARIABLE(...) __VA_ARGS__
#else
#define KANOR_DELTA_VARIABLE(...)                                                                    \
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wdeclaration-after-statement\"") \
      __VA_ARGS__ _Pragma("GCC diagnostic pop")
#endif

/// The dots are the arguments of the program's call.
#define KANOR_DELTA_SEND(name, element_bytes, line, ...) \
  KANOR_DELTA_VARIABLE(struct kanor_delta* const name =  \
                           kanor_delta_send(__FILE__, line, element_bytes, __VA_ARGS__);)
#define KANOR_DELTA_RECV(name, element_bytes, ...)      \
  KANOR_DELTA_VARIABLE(struct kanor_delta* const name = \
                           kanor_delta_recv(__FILE__, __LINE__, element_bytes, __VA_ARGS__);)
/// The same where the call is in a branch of an `if`, which some ranks do not take.
#define KANOR_DELTA_SEND_IF(condition, name, element_bytes, line, ...)                                \
  KANOR_DELTA_VARIABLE(struct kanor_delta* const name =                                               \
                           (condition) ? kanor_delta_send(__FILE__, line, element_bytes, __VA_ARGS__) \
                                       : (struct kanor_delta*)0;)
#define KANOR_DELTA_NONE(name) KANOR_DELTA_VARIABLE(struct kanor_delta* name = (struct kanor_delta*)0;)
#define KANOR_DELTA_RECV_INTO(name, element_bytes, ...) \
  name = kanor_delta_recv(__FILE__, __LINE__, element_bytes, __VA_ARGS__)
#define KANOR_DELTA_STRIP(name, counter, limit)          \
  ((__typeof__(counter))((unsigned long long)(counter) + \
                         kanor_delta_strip(name, KANOR_DELTA_LEFT(counter, limit))))
#define KANOR_DELTA_ARRIVED(name, counter, limit, factor, rest, least)                                     \
  ((__typeof__(counter))((unsigned long long)(counter) +                                                   \
                         kanor_delta_arrived(name, KANOR_DELTA_LEFT(counter, limit), (long long)(counter), \
                                             factor, rest, least)))
#define KANOR_DELTA_COMPUTED(name, counter, factor, rest) \
  kanor_delta_computed(name, (factor) * (long long)(counter) + (rest))
/// The arguments have been evaluated by KANOR_DELTA_SEND: nothing has changed them since.
#define KANOR_DELTA_SENT(name, ...) kanor_delta_sent(name)

#endif

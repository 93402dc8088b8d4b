// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernels of delta.c and applications.c share: messages that travel in one of three ways, the
// command line, and the measuring. A kernel calls the same functions for each way, in the same places.
#ifndef KANOR_BENCHMARKS_DELTA_MESSAGES_H
#define KANOR_BENCHMARKS_DELTA_MESSAGES_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef WITH_DELTA
#include <kanor/delta.h>
#endif

enum { step = 128, tag = 1 };  // doubles that are computed, and named, at a time

static int me, size, elements, piece;  // `elements`: the doubles of BYTES
static enum { plain, delta, hand, pages } way;

// A message of doubles, at one of its ends. Nothing travels where `other` is MPI_PROC_NULL.
struct Message {
  double* data;
  int elements, other;
  MPI_Request* pieces;  // of `hand`
  MPI_Request request;
};

static int number_of_pieces(const struct Message* of) { return (of->elements + piece - 1) / piece; }

static int piece_end(const struct Message* of, int number) {
  const int end = (number + 1) * piece;
  return end < of->elements ? end : of->elements;
}

static void allocate(struct Message* message, int count) {
  message->elements = count;
  // Whole pages, so that `pages` can watch them.
  const size_t page = 4096, bytes = (sizeof(double) * (size_t)count + page - 1) / page * page;
  message->data = memset(aligned_alloc(page, bytes), 0, bytes);
  message->pieces = malloc(sizeof(MPI_Request) * (size_t)number_of_pieces(message));
}

static void begin_send(struct Message* out) {
  if (out->other == MPI_PROC_NULL) return;
#ifdef WITH_DELTA
  if (way == delta || way == pages)
    Delta_send_begin(out->data, out->elements, MPI_DOUBLE, out->other, tag, MPI_COMM_WORLD, &out->request);
#endif
}

// The elements from `first` on before `end` are final; those before them too.
static void ready(struct Message* out, int first, int end) {
  if (out->other == MPI_PROC_NULL) return;
#ifdef WITH_DELTA
  if (way == delta) Delta_send_data(out->data + first, sizeof(double) * (size_t)(end - first));
#endif
  if (way != hand) return;
  const int pieces = number_of_pieces(out);
  for (int number = first / piece; number < pieces && piece_end(out, number) <= end; ++number)
    MPI_Isend(out->data + number * piece, piece_end(out, number) - number * piece, MPI_DOUBLE, out->other,
              tag, MPI_COMM_WORLD, &out->pieces[number]);
}

// All elements are.
static void end_send(struct Message* out) {
  if (out->other == MPI_PROC_NULL) return;
#ifdef WITH_DELTA
  if (way == delta || way == pages) Delta_send_end(&out->request);
#endif
  if (way == plain)
    MPI_Isend(out->data, out->elements, MPI_DOUBLE, out->other, tag, MPI_COMM_WORLD, &out->request);
}

static void complete_send(struct Message* out) {
  if (out->other == MPI_PROC_NULL) return;
  if (way == hand)
    MPI_Waitall(number_of_pieces(out), out->pieces, MPI_STATUSES_IGNORE);
  else
    MPI_Wait(&out->request, MPI_STATUS_IGNORE);
}

static void begin_receive(struct Message* in) {
  if (in->other == MPI_PROC_NULL) return;
#ifdef WITH_DELTA
  if (way == pages) {
    Delta_recv(in->data, in->elements, MPI_DOUBLE, in->other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return;
  }
#endif
  if (way == hand)
    for (int number = 0; number < number_of_pieces(in); ++number)
      MPI_Irecv(in->data + number * piece, piece_end(in, number) - number * piece, MPI_DOUBLE, in->other, tag,
                MPI_COMM_WORLD, &in->pieces[number]);
  else
    MPI_Irecv(in->data, in->elements, MPI_DOUBLE, in->other, tag, MPI_COMM_WORLD, &in->request);
}

// From now on the elements from `first` on before `end` are used.
static void need(struct Message* in, int first, int end) {
  if (in->other == MPI_PROC_NULL) return;
#ifdef WITH_DELTA
  if (way == delta) Delta_wait_data(in->data + first, sizeof(double) * (size_t)(end - first));
#endif
  if (way == hand)
    for (int number = first / piece; number * piece < end; ++number)
      MPI_Wait(&in->pieces[number], MPI_STATUS_IGNORE);
  if (way == plain && first == 0) MPI_Wait(&in->request, MPI_STATUS_IGNORE);
}

static void end_receive(struct Message* in) {
  if (in->other == MPI_PROC_NULL || way == pages) return;
  if (way == hand)
    MPI_Waitall(number_of_pieces(in), in->pieces, MPI_STATUSES_IGNORE);
  else
    MPI_Wait(&in->request, MPI_STATUS_IGNORE);
}

static int end_of(int first) { return first + step < elements ? first + step : elements; }

// Reads the command line, KERNEL WAY BYTES PIECE ITERATIONS; returns the last.
static int start(int* argc, char*** argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (*argc != 6) MPI_Abort(MPI_COMM_WORLD, 2);
  char** const arguments = *argv;
  const char* const ways[] = {"plain", "delta", "hand", "pages"};
  while (strcmp(arguments[2], ways[way]) != 0) ++way;
  elements = atoi(arguments[3]) / (int)sizeof(double);
  piece = atoi(arguments[4]) / (int)sizeof(double);
  return atoi(arguments[5]);
}

// Prints the sum over the ranks of what the kernel returns, and the microseconds of each iteration, in which
// `reset`, before it, and `check`, after it, do not count.
static void measure(double (*kernel)(void), void (*reset)(void), void (*check)(void), int iterations) {
  double sum = 0, total = 0;
  double* const times = malloc(sizeof(double) * (size_t)iterations);
  for (int i = -3; i < iterations; ++i) {  // the first ones are not counted
    reset();
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    sum = kernel();
    MPI_Barrier(MPI_COMM_WORLD);
    if (i >= 0) times[i] = MPI_Wtime() - begin;
    check();
  }
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0) {
    printf("%.6e", total);
    for (int i = 0; i < iterations; ++i) printf(" %.2f", 1e6 * times[i]);
    printf("\n");
  }
  free(times);
}

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of "Delta Send-Recv for Dynamic Pipelining in MPI Programs" (CCGrid 2012, section III). Each is
// written once; `plain`, `delta` and `hand` differ in how its message is sent and received alone.
//
//     delta KERNEL pair|cascade|ring|reduce  WAY plain|delta|hand  BYTES  PIECE  ITERATIONS
//
// Rank 0 prints a sum of the results, and the microseconds of each iteration. BYTES is the length of a
// message, PIECE that of the pieces that `hand` sends.
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef WITH_DELTA
#include <kanor/delta.h>
#endif

enum { step = 128, tag = 1 };  // doubles that are computed, and named, at a time

static int me, size, elements, piece;
static enum { plain, delta, hand } way;

// A message of `elements` doubles, at one of its ends.
struct Message {
  double* data;
  int other;
  MPI_Request* pieces;  // of `hand`
  MPI_Request request;
};

static int number_of_pieces(void) { return (elements + piece - 1) / piece; }
static int piece_end(int number) { return (number + 1) * piece < elements ? (number + 1) * piece : elements; }

static void begin_send(struct Message* out) {
#ifdef WITH_DELTA
  if (way == delta) Delta_send_begin(out->data, elements, MPI_DOUBLE, out->other, tag, MPI_COMM_WORLD, &out->request);
#endif
  (void)out;
}

// The elements from `first` on before `end` are final; those before them too.
static void ready(struct Message* out, int first, int end) {
#ifdef WITH_DELTA
  if (way == delta) Delta_send_data(out->data + first, sizeof(double) * (size_t)(end - first));
#endif
  if (way != hand) return;
  for (int number = first / piece; number < number_of_pieces() && piece_end(number) <= end; ++number)
    MPI_Isend(out->data + number * piece, piece_end(number) - number * piece, MPI_DOUBLE, out->other, tag,
              MPI_COMM_WORLD, &out->pieces[number]);
}

// All elements are.
static void end_send(struct Message* out) {
#ifdef WITH_DELTA
  if (way == delta) Delta_send_end(&out->request);
#endif
  if (way == plain) MPI_Isend(out->data, elements, MPI_DOUBLE, out->other, tag, MPI_COMM_WORLD, &out->request);
}

static void complete_send(struct Message* out) {
  if (way == hand)
    MPI_Waitall(number_of_pieces(), out->pieces, MPI_STATUSES_IGNORE);
  else
    MPI_Wait(&out->request, MPI_STATUS_IGNORE);
}

static void begin_receive(struct Message* in) {
  if (way == hand)
    for (int number = 0; number < number_of_pieces(); ++number)
      MPI_Irecv(in->data + number * piece, piece_end(number) - number * piece, MPI_DOUBLE, in->other, tag,
                MPI_COMM_WORLD, &in->pieces[number]);
  else
    MPI_Irecv(in->data, elements, MPI_DOUBLE, in->other, tag, MPI_COMM_WORLD, &in->request);
}

// From now on the elements from `first` on before `end` are used.
static void need(struct Message* in, int first, int end) {
#ifdef WITH_DELTA
  if (way == delta) Delta_wait_data(in->data + first, sizeof(double) * (size_t)(end - first));
#endif
  (void)end;
  if (way == hand) MPI_Wait(&in->pieces[first / piece], MPI_STATUS_IGNORE);
  if (way == plain && first == 0) MPI_Wait(&in->request, MPI_STATUS_IGNORE);
}

static void end_receive(struct Message* in) {
  if (way == hand)
    MPI_Waitall(number_of_pieces(), in->pieces, MPI_STATUSES_IGNORE);
  else
    MPI_Wait(&in->request, MPI_STATUS_IGNORE);
}

static double computed(int i) { return sin(i) * sin(i) + cos(i) * cos(i) + i; }

static struct Message in[2], out;
static double* own;

static int end_of(int first) { return first + step < elements ? first + step : elements; }

// Receives from the rank before, computes, and sends to the next one: a pair, or a cascade.
static double cascade(void) {
  const int receives = me > 0, sends = me + 1 < size;
  double sum = 0;
  in[0].other = me - 1;
  out.other = me + 1;
  if (receives) begin_receive(&in[0]);
  if (sends) begin_send(&out);
  for (int first = 0, end; first < elements; first = end) {
    end = end_of(first);
    if (receives) need(&in[0], first, end);
    for (int i = first; i < end; ++i) {
      out.data[i] = computed(i);
      if (receives) sum += in[0].data[i] - out.data[i];
      if (i % 16 == 0) sum += out.data[i];
    }
    if (sends) ready(&out, first, end);
  }
  if (sends) end_send(&out);
  if (sends) complete_send(&out);
  if (receives) end_receive(&in[0]);
  return sum;
}

static double ring(void) {
  double sum = 0;
  in[0].other = (me + size - 1) % size;
  out.other = (me + 1) % size;
  begin_receive(&in[0]);
  begin_send(&out);
  for (int first = 0, end; first < elements; first = end) {
    end = end_of(first);
    for (int i = first; i < end; ++i) out.data[i] = computed(i);
    ready(&out, first, end);
  }
  end_send(&out);
  for (int first = 0, end; first < elements; first = end) {
    end = end_of(first);
    need(&in[0], first, end);
    for (int i = first; i < end; ++i) sum += in[0].data[i] - computed(i);
  }
  complete_send(&out);
  end_receive(&in[0]);
  return sum + out.data[elements - 1];
}

// A tree: each rank adds what its children have to what it computes, and sends that to its parent.
static double reduce(void) {
  double sum = 0;
  int children = 0;
  for (int child = 2 * me + 1; child <= 2 * me + 2 && child < size; ++child) in[children++].other = child;
  out.other = (me - 1) / 2;
  for (int child = 0; child < children; ++child) begin_receive(&in[child]);
  if (me > 0) begin_send(&out);
  for (int first = 0, end; first < elements; first = end) {
    end = end_of(first);
    for (int i = first; i < end; ++i) own[i] = computed(i);
    for (int child = 0; child < children; ++child) {
      need(&in[child], first, end);
      for (int i = first; i < end; ++i) own[i] += in[child].data[i];
    }
    for (int i = first; i < end; ++i) out.data[i] = own[i];
    sum += out.data[first];
    if (me > 0) ready(&out, first, end);
  }
  if (me > 0) end_send(&out);
  if (me > 0) complete_send(&out);
  for (int child = 0; child < children; ++child) end_receive(&in[child]);
  return sum;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc != 6) MPI_Abort(MPI_COMM_WORLD, 2);
  way = strcmp(argv[2], "plain") == 0 ? plain : strcmp(argv[2], "delta") == 0 ? delta : hand;
  elements = atoi(argv[3]) / (int)sizeof(double);
  piece = atoi(argv[4]) / (int)sizeof(double);
  const int iterations = atoi(argv[5]);
  double (*const kernel)(void) = strcmp(argv[1], "ring") == 0 ? ring : strcmp(argv[1], "reduce") == 0 ? reduce : cascade;
  struct Message* const messages[] = {&in[0], &in[1], &out};
  for (int i = 0; i < 3; ++i) {
    messages[i]->data = calloc((size_t)elements, sizeof(double));
    messages[i]->pieces = malloc(sizeof(MPI_Request) * (size_t)number_of_pieces());
  }
  own = calloc((size_t)elements, sizeof(double));

  double sum = 0, total = 0;
  double* const times = malloc(sizeof(double) * (size_t)iterations);
  for (int i = -3; i < iterations; ++i) {  // the first ones are not counted
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    sum = kernel();
    MPI_Barrier(MPI_COMM_WORLD);
    if (i >= 0) times[i] = MPI_Wtime() - begin;
  }
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0) {
    printf("%.6e", total);
    for (int i = 0; i < iterations; ++i) printf(" %.2f", 1e6 * times[i]);
    printf("\n");
  }
  MPI_Finalize();
  return 0;
}

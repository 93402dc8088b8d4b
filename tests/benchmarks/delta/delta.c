// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of "Delta Send-Recv for Dynamic Pipelining in MPI Programs" (CCGrid 2012, section III). Each is
// written once; `plain`, `delta` and `hand` differ in how its message is sent and received alone.
//
//     delta KERNEL pair|cascade|ring|reduce  WAY plain|delta|hand|pages  BYTES  PIECE  ITERATIONS
//
// Rank 0 prints a sum of the results, and the microseconds of each iteration. BYTES is the length of a
// message, PIECE that of the pieces that `hand` sends.
#include <math.h>

#include "messages.h"

static double computed(int i) { return sin(i) * sin(i) + cos(i) * cos(i) + i; }

static struct Message in[2], out;
static double* own;

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

static void nothing(void) {}

int main(int argc, char** argv) {
  const int iterations = start(&argc, &argv);
  struct Message* const messages[] = {&in[0], &in[1], &out};
  for (int i = 0; i < 3; ++i) allocate(messages[i], elements);
  own = calloc((size_t)elements, sizeof(double));
  const int rings = strcmp(argv[1], "ring") == 0, reduces = strcmp(argv[1], "reduce") == 0;
  measure(rings ? ring : reduces ? reduce : cascade, nothing, nothing, iterations);
  MPI_Finalize();
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages of blocks with gaps between them, on both sides, as in "Non-contiguous Remote Data Movement"
// (figures 8 to 12).
//
//     noncontiguous LAYOUT BYTES  WAY datatype|packed  BATCHES ITERATIONS
//
// LAYOUT is BLOCK/STRIDE, both in bytes: `12/24`; or `4/irregular`: blocks of 4 bytes with gaps of 4 to 32 bytes.
// `datatype` sends and receives a derived type; `packed` copies to and from a buffer by loops. Two ranks send
// the message there and back. Rank 0 prints a checksum of what it received, and for each batch the
// microseconds of one message.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count, block;     // of blocks, bytes of each
static int* starts;          // where each block begins
static size_t extent;        // bytes from the first block to the end of the last
static unsigned char *data, *packed;

static void make_layout(const char* layout, int bytes) {
  char* rest = NULL;
  unsigned seed = 1;
  block = (int)strtol(layout, &rest, 10);
  count = bytes / block;
  starts = malloc((size_t)count * sizeof *starts);
  const int stride = atoi(rest + 1);  // 0: irregular
  for (int i = 0, at = 0; i < count; ++i) {
    starts[i] = at;
    seed = seed * 1103515245U + 12345U;
    at += stride ? stride : block + 4 * (int)(1 + (seed >> 16) % 8);
  }
  extent = (size_t)starts[count - 1] + (size_t)block;
}

static MPI_Datatype make_type(int stride) {
  MPI_Datatype type;
  // As a program would say it: of floats, where that is possible.
  if (stride)
    MPI_Type_vector(count, block / 4, stride / 4, MPI_FLOAT, &type);
  else {
    int* indices = malloc((size_t)count * sizeof *indices);
    for (int i = 0; i < count; ++i) indices[i] = starts[i] / 4;
    MPI_Type_create_indexed_block(count, block / 4, indices, MPI_FLOAT, &type);
    free(indices);
  }
  MPI_Type_commit(&type);
  return type;
}

// The loops that programs have, for the lengths that their compilers know.
#define COPY_BLOCKS(to, from)                                                \
  switch (block) {                                                           \
    case 4:                                                                  \
      for (int i = 0; i < count; ++i) memcpy(to, from, 4);                   \
      break;                                                                 \
    case 8:                                                                  \
      for (int i = 0; i < count; ++i) memcpy(to, from, 8);                   \
      break;                                                                 \
    case 12:                                                                 \
      for (int i = 0; i < count; ++i) memcpy(to, from, 12);                  \
      break;                                                                 \
    default:                                                                 \
      for (int i = 0; i < count; ++i) memcpy(to, from, (size_t)block);       \
  }

static void pack(int stride) {
  if (stride) {
    COPY_BLOCKS(packed + (size_t)i * block, data + (size_t)i * stride)
  } else {
    COPY_BLOCKS(packed + (size_t)i * block, data + starts[i])
  }
}

static void unpack(int stride) {
  if (stride) {
    COPY_BLOCKS(data + (size_t)i * stride, packed + (size_t)i * block)
  } else {
    COPY_BLOCKS(data + starts[i], packed + (size_t)i * block)
  }
}

int main(int argc, char** argv) {
  int me;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (argc < 6) MPI_Abort(MPI_COMM_WORLD, 2);
  const int bytes = atoi(argv[2]), packs = !strcmp(argv[3], "packed");
  const int batches = atoi(argv[4]), iterations = atoi(argv[5]);
  make_layout(argv[1], bytes);
  const int stride = atoi(strchr(argv[1], '/') + 1), whole = count * block;
  MPI_Datatype type = make_type(stride);
  data = calloc(1, extent);
  packed = calloc(1, (size_t)whole);
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < block; ++k) data[starts[i] + k] = (unsigned char)(me == 0 ? i * 7 + k : 0);

  double* took = malloc((size_t)batches * sizeof *took);
  for (int batch = -1; batch < batches; ++batch) {  // the first warms up
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int turn = 0; turn < 2 * iterations; ++turn) {
      const int sends = turn % 2 == me, other = 1 - me;
      if (sends && packs) pack(stride);
      if (sends && packs) MPI_Send(packed, whole, MPI_BYTE, other, 0, MPI_COMM_WORLD);
      if (sends && !packs) MPI_Send(data, 1, type, other, 0, MPI_COMM_WORLD);
      if (!sends && packs) MPI_Recv(packed, whole, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (!sends && packs) unpack(stride);
      if (!sends && !packs) MPI_Recv(data, 1, type, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (batch >= 0) took[batch] = (MPI_Wtime() - begin) * 1e6 / (2.0 * iterations);
  }
  unsigned long sum = 0;
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < block; ++k) sum = sum * 31 + data[starts[i] + k];
  if (me == 0) {
    printf("%lu", sum);
    for (int batch = 0; batch < batches; ++batch) printf(" %.3f", took[batch]);
    printf("\n");
  }
  MPI_Type_free(&type);
  MPI_Finalize();
}

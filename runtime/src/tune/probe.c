// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kanor-tune measures: two ranks that exchange messages.
//
//     probe turns block|gaps BATCHES BYTES...   one message there and back; half of it. The sender writes all
//                                               bytes before, and the receiver reads them
//     probe row BATCHES                         1 to 50 messages of 1 byte to 800 KB, and a short answer
//     probe copies BATCHES                      copies of as many bytes in one rank, without messages
//
// `gaps`: blocks of 64 bytes, with 64 bytes between them. Prints a line for each length: the bytes of a
// message, the number of messages, and for each batch the microseconds.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { block = 64, most_bytes = 8 << 20, batch_bytes = 4 << 20, fewest = 2, most = 200 };

static int me, batches;
static unsigned char *data, *other;
static volatile unsigned long sum;

/// How often a batch does what moves so many bytes.
static int repeats(long bytes) {
  const long often = batch_bytes / (bytes > 0 ? bytes : 1);
  return (int)(often < fewest ? fewest : often > most ? most : often);
}

static void use(int bytes, int stride, int writes) {
  unsigned long found = 0;
  for (int at = 0; at < bytes; at += block) {
    unsigned long* const words = (unsigned long*)(data + (long)at / block * stride);
    for (int word = 0; word < block / (int)sizeof(long); ++word)
      if (writes)
        words[word] += 1;
      else
        found += words[word];
  }
  sum += found;
}

static void turns(int bytes, int has_gaps) {
  const int stride = has_gaps ? 2 * block : block;
  MPI_Datatype type;
  MPI_Type_vector(bytes / block, block, stride, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  const int often = repeats(bytes);
  if (me == 0) printf("%d 1", bytes);
  for (int batch = -1; batch < batches; ++batch) {  // the first warms up
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int turn = 0; turn < 2 * often; ++turn) {
      if (turn % 2 == me) {
        use(bytes, stride, 1);
        MPI_Send(data, 1, type, 1 - me, 0, MPI_COMM_WORLD);
      } else {
        MPI_Recv(data, 1, type, 1 - me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        use(bytes, stride, 0);
      }
    }
    if (me == 0 && batch >= 0) printf(" %.4f", (MPI_Wtime() - begin) * 1e6 / (2.0 * often));
  }
  if (me == 0) printf("\n");
  MPI_Type_free(&type);
}

static void row(int bytes, int count) {
  const int often = repeats((long)bytes * count);
  if (me == 0) printf("%d %d", bytes, count);
  for (int batch = -1; batch < batches; ++batch) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int turn = 0; turn < often; ++turn) {
      for (int i = 0; i < count; ++i)
        if (me == 0)
          MPI_Send(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        else
          MPI_Recv(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (me == 0)
        MPI_Recv(other, 1, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      else
        MPI_Send(other, 1, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
    }
    if (me == 0 && batch >= 0) printf(" %.4f", (MPI_Wtime() - begin) * 1e6 / often);
  }
  if (me == 0) printf("\n");
}

static void copies(int bytes) {
  const int often = repeats(bytes);
  if (me == 0) printf("%d 1", bytes);
  for (int batch = -1; batch < batches; ++batch) {
    const double begin = MPI_Wtime();
    for (int turn = 0; turn < often; ++turn) {
      memcpy(other, data, (size_t)bytes);
      sum += other[turn % bytes];  // so that no copy is left out
    }
    if (me == 0 && batch >= 0) printf(" %.4f", (MPI_Wtime() - begin) * 1e6 / often);
  }
  if (me == 0) printf("\n");
}

int main(int argc, char** argv) {
  static const int lengths[] = {1, 64, 1024, 8000, 32000, 100000, 300000, 800000};
  static const int counts[] = {1, 2, 5, 10, 20, 50};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  data = aligned_alloc(block, 2 * most_bytes);
  other = aligned_alloc(block, most_bytes);
  if (argc < 3 || !data || !other) MPI_Abort(MPI_COMM_WORLD, 2);
  memset(data, me, 2 * most_bytes);
  memset(other, me, most_bytes);
  if (!strcmp(argv[1], "turns")) {
    batches = atoi(argv[3]);
    for (int at = 4; at < argc; ++at) turns(atoi(argv[at]), !strcmp(argv[2], "gaps"));
  } else {
    batches = atoi(argv[2]);
    for (size_t at = 0; at < sizeof lengths / sizeof *lengths; ++at)
      if (!strcmp(argv[1], "copies"))
        copies(lengths[at]);
      else
        for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k) row(lengths[at], counts[k]);
  }
  MPI_Finalize();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs of ranks exchange many messages, of which few are under way at one time: memory stays what it is.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "ring.h"

enum { rounds = 20000, most = 40000 };

// The most that this process has had, in KiB.
static long memory(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

static void exchange(char* out, char* in, int bytes) {
  MPI_Request requests[2];
  MPI_Irecv(in, bytes, MPI_BYTE, rank ^ 1, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, bytes, MPI_BYTE, rank ^ 1, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv) {
  static const int lengths[] = {1000, most};
  char *const out = malloc(most), *const in = malloc(most);
  begin_ring(&argc, &argv);
  for (int i = 0; i < (int)(sizeof lengths / sizeof lengths[0]); ++i) {
    long before = 0;
    check_part("exchange");
    for (int round = 0; round < rounds; ++round) {
      if (round == rounds / 10) {
        MPI_Barrier(MPI_COMM_WORLD);
        before = memory();
      }
      memset(out, round & 127, (size_t)lengths[i]);
      exchange(out, in, lengths[i]);
      CHECK(in[0] == (round & 127) && in[lengths[i] - 1] == (round & 127));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    // 24 MiB; of the longer messages each rank has sent 760.
    CHECK(memory() - before < 24 << 10);
  }
  free(out);
  free(in);
  return check_finish();
}

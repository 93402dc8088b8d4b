// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads compute the parts of one message and send them, and others wait for the parts that they use.
#include <mpi.h>
#include <omp.h>

#include "ring.h"

enum { parts = 24, each = 500, rounds = 5 };
static int out[parts * each], in[parts * each];

int main(int argc, char** argv) {
  MPI_Request requests[2];
  int provided = 0, wrong = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  find_place();
  CHECK_EQ(provided, MPI_THREAD_MULTIPLE);
  MPI_Psend_init(out, parts, each, MPI_INT, right, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Precv_init(in, parts, each, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  check_part("threads that send and use parts");
  for (int round = 0; round < rounds; ++round) {
    MPI_Startall(2, requests);
#pragma omp parallel for schedule(dynamic) num_threads(3)
    for (int part = 0; part < parts; ++part) {
      for (int i = 0; i < each; ++i) out[part * each + i] = 100000 * rank + 10 * (part * each + i) + round;
      MPI_Pready(part, requests[0]);
    }
#pragma omp parallel for schedule(static, 1) num_threads(3) reduction(+ : wrong)
    for (int part = 0; part < parts; ++part) {
      int arrived = 0;
      while (!arrived) MPI_Parrived(requests[1], part, &arrived);
      for (int i = 0; i < each; ++i) wrong += in[part * each + i] != 100000 * left + 10 * (part * each + i) + round;
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  CHECK_EQ(wrong, 0);

  check_part("a thread that waits while another one sends");
  MPI_Startall(2, requests);
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0)
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  else
    MPI_Pready_range(0, parts - 1, requests[0]);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  for (int i = 0; i < parts * each; ++i) wrong += in[i] != 100000 * left + 10 * i + rounds - 1;
  CHECK_EQ(wrong, 0);
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  return check_finish();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads compute ranges of one delta message and name them, and others wait for the ranges that they use.
#include <kanor/delta.h>
#include <mpi.h>
#include <omp.h>
#include <unistd.h>

#include "ring.h"

enum { parts = 24, each = 500, all = parts * each, rounds = 5 };
static int out[all], in[all], more_out[all], more_in[all];

static int value(int from, int element, int round) { return 100000 * from + 10 * element + round; }

static int differ(const int* elements, int first, int end, int round) {
  int wrong = 0;
  for (int i = first; i < end; ++i) wrong += elements[i] != value(left, i, round);
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Request requests[2];
  MPI_Status status;
  int provided = 0, wrong = 0, failed = 0, count = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  find_place();
  CHECK_EQ(provided, MPI_THREAD_MULTIPLE);

  check_part("threads that send and use ranges");
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < all; ++i) in[i] = -1;
    MPI_Irecv(in, all, MPI_INT, left, 0, MPI_COMM_WORLD, &requests[1]);
    Delta_send_begin(out, all, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[0]);
#pragma omp parallel for schedule(dynamic) num_threads(3) reduction(+ : failed)
    for (int part = 0; part < parts; ++part) {
      for (int i = part * each; i < (part + 1) * each; ++i) out[i] = value(rank, i, round);
      failed += Delta_send_data(&out[part * each], each * sizeof(int)) != MPI_SUCCESS;
    }
    Delta_send_end(&requests[0]);
#pragma omp parallel for schedule(static, 1) num_threads(3) reduction(+ : wrong, failed)
    for (int part = 0; part < parts; ++part) {
      failed += Delta_wait_data(&in[part * each], each * sizeof(int)) != MPI_SUCCESS;
      wrong += differ(in, part * each, (part + 1) * each, round);
    }
    Delta_wait(&requests[1], &status);
    Delta_wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK_EQ(count, all);
    CHECK_EQ(wrong, 0);
    CHECK_EQ(failed, 0);
  }

  // All threads have the whole loop: the first waits for the message as a whole, the others for ranges of it.
  check_part("a thread that waits for all while others wait for ranges");
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < all; ++i) in[i] = -1;
    MPI_Irecv(in, all, MPI_INT, left, 0, MPI_COMM_WORLD, &requests[1]);
    Delta_send_begin(out, all, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[0]);
#pragma omp parallel num_threads(4) reduction(+ : wrong, failed)
    {
      const int thread = omp_get_thread_num();
      if (thread == 0) {
        for (int part = parts; part-- > 0;) {
          for (int i = part * each; i < (part + 1) * each; ++i) out[i] = value(rank, i, round);
          failed += Delta_send_data(&out[part * each], each * sizeof(int)) != MPI_SUCCESS;
        }
        failed += Delta_wait(&requests[0], MPI_STATUS_IGNORE) != MPI_SUCCESS;
      } else if (thread == 1) {
        failed += Delta_wait(&requests[1], MPI_STATUS_IGNORE) != MPI_SUCCESS;
        wrong += differ(in, 0, all, round);
      } else {
        for (int i = thread; i < all; i += 97) {
          failed += Delta_wait_data(&in[i], sizeof(int)) != MPI_SUCCESS;
          wrong += differ(in, i, i + 1, round);
        }
      }
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(failed, 0);
  }

  // Each thread has a message of its own, from begin to end.
  check_part("a message for each thread");
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < all; ++i) in[i] = -1;
#pragma omp parallel num_threads(4) reduction(+ : wrong, failed)
    {
      const int thread = omp_get_thread_num(), first = thread * (all / 4), end = first + all / 4;
      MPI_Request send, receive;
      MPI_Irecv(&in[first], all / 4, MPI_INT, left, 10 + thread, MPI_COMM_WORLD, &receive);
      failed +=
          Delta_send_begin(&out[first], all / 4, MPI_INT, right, 10 + thread, MPI_COMM_WORLD, &send) != 0;
      for (int i = first; i < end; i += 30) {
        for (int k = i; k < i + 30; ++k) out[k] = value(rank, k, round);
        failed += Delta_send_data(&out[i], 30 * sizeof(int)) != MPI_SUCCESS;
      }
      failed += Delta_send_end(&send) != MPI_SUCCESS;
      for (int i = first; i < end; i += 50) {
        failed += Delta_wait_data(&in[i], 50 * sizeof(int)) != MPI_SUCCESS;
        wrong += differ(in, i, i + 50, round);
        for (int k = i; k < i + 50; ++k) in[k] = value(left, k, round);
      }
      failed += Delta_wait(&receive, MPI_STATUS_IGNORE) != MPI_SUCCESS;
      failed += Delta_wait(&send, MPI_STATUS_IGNORE) != MPI_SUCCESS;
      wrong += differ(in, first, end, round);
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(failed, 0);
  }

  // One thread of each rank sends on what another one receives, all around, while others exchange messages.
  check_part("threads that do other things");
  for (int i = 0; i < all; ++i) in[i] = more_in[i] = -1;
  MPI_Irecv(in, all, MPI_INT, left, 20, MPI_COMM_WORLD, &requests[1]);
  Delta_send_begin(more_out, all, MPI_INT, right, 20, MPI_COMM_WORLD, &requests[0]);
#pragma omp parallel num_threads(3) reduction(+ : wrong, failed)
  {
    const int thread = omp_get_thread_num();
    if (thread == 0) {
      for (int i = 0; i < all; i += 100) {
        if (rank > 0) failed += Delta_wait_data(&in[i], 100 * sizeof(int)) != MPI_SUCCESS;
        for (int k = i; k < i + 100; ++k) more_out[k] = rank == 0 ? k : in[k] + 1;
        failed += Delta_send_data(&more_out[i], 100 * sizeof(int)) != MPI_SUCCESS;
      }
      failed += Delta_send_end(&requests[0]) != MPI_SUCCESS;
    } else {
      for (int i = 0; i < 100; ++i) {
        int token = rank * 1000 + i, got = -1;
        MPI_Sendrecv(&token, 1, MPI_INT, right, 30 + thread, &got, 1, MPI_INT, left, 30 + thread,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        wrong += got != left * 1000 + i;
      }
    }
  }
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < all; ++i) wrong += in[i] != i + left;
  CHECK_EQ(wrong, 0);
  CHECK_EQ(failed, 0);

  // A message that no thread waits for must be matched, too: only then does its sender send the other one.
  check_part("two threads that wait for one receive");
  for (int round = 0; round < rounds; ++round) {
    int token = value(rank, 0, round), got = -1;
    for (int i = 0; i < all; ++i) out[i] = value(rank, i, round);
    MPI_Irecv(&got, 1, MPI_INT, right, 40, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in, all, MPI_INT, left, 41, MPI_COMM_WORLD, &requests[1]);
#pragma omp parallel num_threads(3) reduction(+ : wrong, failed)
    {
      if (omp_get_thread_num() == 2) {
        usleep(10000);  // the others wait by now
        failed += MPI_Ssend(&token, 1, MPI_INT, left, 40, MPI_COMM_WORLD) != MPI_SUCCESS;
        failed += MPI_Send(out, all, MPI_INT, right, 41, MPI_COMM_WORLD) != MPI_SUCCESS;
      } else {
        failed += Delta_wait_data(in, sizeof in) != MPI_SUCCESS;
        wrong += differ(in, 0, all, round);
      }
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    wrong += got != value(right, 0, round);
    CHECK_EQ(wrong, 0);
    CHECK_EQ(failed, 0);
  }
  return check_finish();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nonblocking collectives beside each other, on two communicators, and beside messages and blocking
// calls: ranks that complete them in other orders, before or after the others go on, or far ahead.
#include <mpi.h>
#include <stdlib.h>

#include "check.h"

static int rank, size;

enum { under_way = 40 };

// Many at once, on two communicators, completed in this rank's own order.
static void many_at_once(MPI_Comm other) {
  MPI_Request requests[2 * under_way];
  static int sums[under_way][100], cast[under_way][300];
  int mine[under_way], index;
  for (int i = 0; i < under_way; ++i) {
    mine[i] = rank + i;
    for (int k = 0; k < 100; ++k) sums[i][k] = rank + i + k;
    for (int k = 0; k < 300; ++k) cast[i][k] = rank == i % size ? 7 * i + k : -1;
    MPI_Iallreduce(MPI_IN_PLACE, sums[i], 1 + i * 2, MPI_INT, MPI_SUM, i % 2 ? MPI_COMM_WORLD : other,
                   &requests[2 * i]);
    MPI_Ibcast(cast[i], 300, MPI_INT, i % size, i % 3 ? MPI_COMM_WORLD : other, &requests[2 * i + 1]);
  }
  for (int done = 0; done < 2 * under_way; ++done) {
    if (rank % 3 == 0) {
      MPI_Waitany(2 * under_way, requests, &index, MPI_STATUS_IGNORE);
      CHECK(index != MPI_UNDEFINED);
    } else if (rank % 3 == 1) {
      MPI_Wait(&requests[2 * under_way - 1 - done], MPI_STATUS_IGNORE);
    } else {
      for (int flag = 0; !flag;) MPI_Test(&requests[done], &flag, MPI_STATUS_IGNORE);
    }
  }
  for (int i = 0; i < under_way; ++i) {
    CHECK(requests[2 * i] == MPI_REQUEST_NULL && requests[2 * i + 1] == MPI_REQUEST_NULL);
    for (int k = 0; k < 1 + i * 2; ++k) CHECK(sums[i][k] == size * (size - 1) / 2 + size * (i + k));
    for (int k = 0; k < 300; ++k) CHECK(cast[i][k] == 7 * i + k);
    CHECK(mine[i] == rank + i);
  }
}

// Beginning one does not wait for others, and messages that take any do not take parts of it.
static void beside_messages(MPI_Comm comm) {
  MPI_Request requests[4];
  MPI_Status statuses[4];
  int got = -1, told = -1, sum = -1, value = rank + 1;
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &requests[0]);
  if (rank == 0) {
    MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm, &requests[1]);
    MPI_Ibarrier(comm, &requests[2]);
    for (int to = 1; to < size; ++to) MPI_Send(&to, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
  } else {
    // The others begin once rank 0 has.
    MPI_Recv(&told, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(told == rank);
    MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm, &requests[1]);
    MPI_Ibarrier(comm, &requests[2]);
  }
  MPI_Isend(&rank, 1, MPI_INT, next, 5, comm, &requests[3]);
  MPI_Waitall(4, requests, statuses);
  CHECK(got == previous && statuses[0].MPI_SOURCE == previous && statuses[0].MPI_TAG == 5);
  CHECK(sum == size * (size + 1) / 2);
}

// Some complete it before a blocking call that the others make first.
static void across_blocking_calls(int bytes) {
  const int elements = bytes / (int)sizeof(long);
  long* const all = malloc((size_t)(elements + 1) * sizeof *all);
  long* const own = malloc((size_t)(elements + 1) * sizeof *own);
  long sum = -1, one = 1;
  MPI_Request request;
  for (int i = 0; i < elements; ++i) own[i] = rank * 3 + i;
  MPI_Iallreduce(own, all, elements, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, &request);
  if (rank % 2 == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Allreduce(&one, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (rank % 2 == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(sum == size);
  for (int i = 0; i < elements; ++i) CHECK(all[i] == 3L * size * (size - 1) / 2 + (long)size * i);
  free(all);
  free(own);
}

// A request is not done before its collective is, and its communicator may be freed.
static void not_before_time(void) {
  MPI_Comm comm;
  MPI_Request request;
  int flag = 0, value = 0;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (rank != size - 1) {
    MPI_Ibarrier(comm, &request);
    for (int i = 0; i < 100; ++i) {
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
      CHECK(!flag);
    }
    MPI_Send(&value, 1, MPI_INT, size - 1, 3, MPI_COMM_WORLD);
  } else {
    for (int from = 0; from < size - 1; ++from)
      MPI_Recv(&value, 1, MPI_INT, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Ibarrier(comm, &request);
  }
  MPI_Comm_free(&comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// A rank that only sends may be far ahead of the others.
static void far_ahead(void) {
  enum { rounds = 2000, elements = 300 };
  static int values[elements];
  MPI_Request request;
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < elements; i += 50) values[i] = rank == 0 ? round + i : -1;
    MPI_Ibcast(values, elements, MPI_INT, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < elements; i += 50) CHECK(values[i] == round + i);
  }
}

int main(int argc, char** argv) {
  MPI_Comm other;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  for (int round = 0; round < 20; ++round) {
    many_at_once(other);
    beside_messages(other);
    not_before_time();
  }
  across_blocking_calls(8);
  across_blocking_calls(4000);
  across_blocking_calls(3000000);
  far_ahead();
  MPI_Comm_free(&other);
  return check_finish();
}

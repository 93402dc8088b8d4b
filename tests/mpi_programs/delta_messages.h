/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the programs about delta messages share: values, orders of naming, and kinds of receives. */
#ifndef KANOR_TESTS_MPI_PROGRAMS_DELTA_MESSAGES_H
#define KANOR_TESTS_MPI_PROGRAMS_DELTA_MESSAGES_H

#include <kanor/delta.h>
#include <kanor/opi.h>
#include <mpi.h>
#include <stdlib.h>

#include "ring.h"

enum { most = 1 << 19 };
static int out[most], in[most];

CHECK_UNUSED static int value(int from, int element, int round) { return 1000003 * from + 101 * element + round; }

// Elements 0 … n-1 of what this rank sends, and no values where it receives.
CHECK_UNUSED static void fill(int n, int round) {
  for (int i = 0; i < n; ++i) out[i] = value(rank, i, round);
  for (int i = 0; i < n; ++i) in[i] = -1;
}

CHECK_UNUSED static int differ_from(int from, const int* elements, int first, int end, int round) {
  int wrong = 0;
  for (int i = first; i < end; ++i) wrong += elements[i] != value(from, i, round);
  return wrong;
}

CHECK_UNUSED static int differ(int first, int end, int round) { return differ_from(left, in, first, end, round); }

CHECK_UNUSED static int count_of(const MPI_Status* status, MPI_Datatype type) {
  int count = -7;
  MPI_Get_count(status, type, &count);
  return count;
}

static unsigned state = 1;
CHECK_UNUSED static int random_below(int n) {
  state = state * 1664525u + 1013904223u;
  return (int)((state >> 8) % (unsigned)n);
}

// Names `bytes` bytes from `data` on, in ranges of `each` bytes: in order, from the end, or in any order.
enum { in_order, from_the_end, shuffled, orders };
CHECK_UNUSED static void name_all(const void* data, size_t bytes, size_t each, int order) {
  const int ranges = (int)((bytes + each - 1) / each);
  int* const list = malloc(sizeof(int) * (size_t)(ranges + 1));
  for (int i = 0; i < ranges; ++i) list[i] = order == from_the_end ? ranges - 1 - i : i;
  for (int i = ranges - 1; i > 0 && order == shuffled; --i) {
    const int other = random_below(i + 1), kept = list[i];
    list[i] = list[other];
    list[other] = kept;
  }
  for (int i = 0; i < ranges; ++i) {
    const size_t first = (size_t)list[i] * each, rest = bytes - first;
    CHECK_EQ(Delta_send_data((const char*)data + first, rest < each ? rest : each), MPI_SUCCESS);
  }
  free(list);
}

// All kinds of receives. `here` is checked after a Delta_wait_data that waited for all elements.
enum {
  by_recv,
  by_delta_recv,
  by_wait,
  by_test,
  by_waitany,
  by_waitsome,
  by_waitall,
  by_testall,
  by_start,
  by_probe,
  by_iprobe,
  by_mrecv,
  by_imrecv,
  by_improbe,
  by_sendrecv,
  by_any,
  by_take,
  by_itake,
  by_wait_data,
  by_start_and_data,
  by_imrecv_and_data,
  by_get_status,
  by_data_backwards,
  by_bytes,
  kinds
};

CHECK_UNUSED static void wait_for_elements(int n, int each, int backwards) {
  for (int k = 0; k < n; k += each) {
    const int end = backwards ? n - k : k + each < n ? k + each : n;
    const int first = backwards ? (end > each ? end - each : 0) : k;
    CHECK_EQ(Delta_wait_data(&in[first], sizeof(int) * (size_t)(end - first)), MPI_SUCCESS);
  }
}

CHECK_UNUSED static void receive(int kind, int n, int room, int from, int tag, MPI_Comm comm, int round,
                    MPI_Status* status) {
  MPI_Request request = MPI_REQUEST_NULL, several[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status probed;
  int done = 0, index = -1, indices[3];
  switch (kind) {
    case by_recv:
      MPI_Recv(in, room, MPI_INT, from, tag, comm, status);
      break;
    case by_delta_recv:
      CHECK_EQ(Delta_recv(in, room, MPI_INT, from, tag, comm, status), MPI_SUCCESS);
      break;
    case by_any:
      MPI_Recv(in, room, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, status);
      break;
    case by_sendrecv:
      MPI_Sendrecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, in, room, MPI_INT, from, tag, comm, status);
      break;
    case by_start:
    case by_start_and_data:
      MPI_Recv_init(in, room, MPI_INT, from, tag, comm, &request);
      MPI_Start(&request);
      if (kind == by_start_and_data) wait_for_elements(n, 100, 0);
      if (kind == by_start_and_data) CHECK_EQ(differ(0, n, round), 0);
      MPI_Wait(&request, status);
      CHECK(request != MPI_REQUEST_NULL);
      MPI_Request_free(&request);
      break;
    case by_probe:
      MPI_Probe(from, tag, comm, &probed);
      CHECK_EQ(probed.MPI_SOURCE, from);
      CHECK_EQ(probed.MPI_TAG, tag);
      MPI_Recv(in, room, MPI_INT, from, tag, comm, status);
      break;
    case by_iprobe:
      while (!done) MPI_Iprobe(from, tag, comm, &done, &probed);
      CHECK_EQ(probed.MPI_SOURCE, from);
      MPI_Recv(in, room, MPI_INT, from, tag, comm, status);
      break;
    case by_mrecv:
      MPI_Mprobe(from, tag, comm, &message, &probed);
      MPI_Mrecv(in, room, MPI_INT, &message, status);
      break;
    case by_improbe:
      while (!done) MPI_Improbe(MPI_ANY_SOURCE, tag, comm, &done, &message, &probed);
      CHECK_EQ(probed.MPI_SOURCE, from);
      MPI_Mrecv(in, room, MPI_INT, &message, status);
      break;
    case by_imrecv:
    case by_imrecv_and_data:
      MPI_Mprobe(from, tag, comm, &message, MPI_STATUS_IGNORE);
      MPI_Imrecv(in, room, MPI_INT, &message, &request);
      if (kind == by_imrecv_and_data) wait_for_elements(n, 77, 0);
      if (kind == by_imrecv_and_data) CHECK_EQ(differ(0, n, round), 0);
      MPI_Wait(&request, status);
      break;
    case by_take:
    case by_itake: {
      int* taken = NULL;
      if (kind == by_take) {
        CHECK_EQ(OPI_Take(&taken, room, MPI_INT, from, tag, comm, status), MPI_SUCCESS);
      } else {
        CHECK_EQ(OPI_Itake(&taken, room, MPI_INT, from, tag, comm, &request), MPI_SUCCESS);
        CHECK_EQ(Delta_wait(&request, status), MPI_SUCCESS);
      }
      if (n > 0) memcpy(in, taken, sizeof(int) * (size_t)n);
      OPI_Free(&taken);
      break;
    }
    case by_bytes:
      MPI_Irecv(in, room, MPI_INT, from, tag, comm, &request);
      for (int i = 0; i < n; i += 1 + n / 50) {
        for (int k = 0; k < 4; ++k) Delta_wait_data((char*)&in[i] + k, 1);
        CHECK_EQ(in[i], value(left, i, round));
      }
      MPI_Wait(&request, status);
      break;
    default:
      MPI_Irecv(in, room, MPI_INT, from, tag, comm, &request);
      several[1] = request;
      if (kind == by_wait_data || kind == by_data_backwards) {
        wait_for_elements(n, kind == by_wait_data ? 100 : 33, kind == by_data_backwards);
        CHECK_EQ(differ(0, n, round), 0);
        CHECK_EQ(Delta_wait(&request, status), MPI_SUCCESS);
      } else if (kind == by_wait) {
        MPI_Wait(&request, status);
      } else if (kind == by_test) {
        while (!done) MPI_Test(&request, &done, status);
      } else if (kind == by_get_status) {
        while (!done) MPI_Request_get_status(request, &done, status);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
      } else if (kind == by_waitany) {
        MPI_Waitany(3, several, &index, status);
        CHECK_EQ(index, 1);
      } else if (kind == by_waitsome) {
        MPI_Waitsome(3, several, &done, indices, status);
        CHECK_EQ(done, 1);
        CHECK_EQ(indices[0], 1);
      } else {
        MPI_Status statuses[3];
        if (kind == by_waitall) MPI_Waitall(3, several, statuses);
        while (kind == by_testall && !done) MPI_Testall(3, several, &done, statuses);
        *status = statuses[1];
      }
      if (kind == by_waitany || kind == by_waitsome || kind == by_waitall || kind == by_testall)
        request = several[1];
      CHECK(request == MPI_REQUEST_NULL);
  }
}

// One message of n elements around the ring, named in ranges of `each` bytes.
CHECK_UNUSED static void around(int n, size_t each, int order, int kind, int later) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  static int round = 0;
  ++round;
  fill(n + 5 < most ? n + 5 : most, round);
  CHECK_EQ(Delta_send_begin(out, n, MPI_INT, right, 7, MPI_COMM_WORLD, &request), MPI_SUCCESS);
  CHECK(request != MPI_REQUEST_NULL);
  if (each > 0) name_all(out, sizeof(int) * (size_t)n, each, order);
  if (later) {
    // The receiver finds a whole message, and the buffer has other values by then.
    CHECK_EQ(Delta_wait(&request, &status), MPI_SUCCESS);
    for (int i = 0; i < n; ++i) out[i] = -5;
    MPI_Barrier(MPI_COMM_WORLD);
  } else {
    CHECK_EQ(Delta_send_end(&request), MPI_SUCCESS);
    CHECK(request != MPI_REQUEST_NULL);
    CHECK_EQ(Delta_send_end(&request), MPI_SUCCESS);
  }
  receive(kind, n, n + 3 < most ? n + 3 : most, left, 7, MPI_COMM_WORLD, round, &status);
  CHECK_EQ(differ(0, n, round), 0);
  for (int i = n; i < n + 5 && i < most; ++i) CHECK_EQ(in[i], -1);
  CHECK_EQ(status.MPI_SOURCE, left);
  CHECK_EQ(status.MPI_TAG, 7);
  CHECK_EQ(count_of(&status, MPI_INT), n);
  if (later) return;
  if (order == in_order)
    CHECK_EQ(Delta_wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  else
    CHECK_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  CHECK(request == MPI_REQUEST_NULL);
}

#endif

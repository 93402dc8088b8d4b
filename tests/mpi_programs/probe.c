// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages that are looked at before they are received.
//
// Probe, Iprobe, Mprobe, Improbe, Mrecv, Imrecv, messages of unknown length, any source and tag,
// the order of matching between probes and receives, and MPI_PROC_NULL.
#include <mpi.h>
#include <stdlib.h>

#include "ring.h"

static void send_numbers(int count, int tag, MPI_Request* request, int** space) {
  *space = malloc(sizeof(int) * (size_t)(count + 1));
  for (int i = 0; i < count; ++i) (*space)[i] = rank * 10000 + tag * 100 + i;
  MPI_Isend(*space, count, MPI_INT, right, tag, MPI_COMM_WORLD, request);
}

static void check_numbers(const int* got, int count, int tag) {
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += got[i] != left * 10000 + tag * 100 + i;
  CHECK_EQ(wrong, 0);
}

// Every message as long as its tag and more says; probed in each way.
static void check_lengths(void) {
  enum { messages = 24 };
  MPI_Request requests[messages];
  int* spaces[messages];
  for (int i = 0; i < messages; ++i) send_numbers(i * i * 40, i, &requests[i], &spaces[i]);
  for (int k = 0; k < messages; ++k) {
    const int i = k * 5 % messages, any = k % 3;
    const int source = any == 1 ? MPI_ANY_SOURCE : left;
    MPI_Status status;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Request receive;
    int count = -1, flag = 0;
    switch (k % 4) {
      case 0: MPI_Probe(source, i, MPI_COMM_WORLD, &status); break;
      case 1:
        while (!flag) MPI_Iprobe(source, i, MPI_COMM_WORLD, &flag, &status);
        break;
      case 2: MPI_Mprobe(source, i, MPI_COMM_WORLD, &message, &status); break;
      case 3:
        while (!flag) MPI_Improbe(source, i, MPI_COMM_WORLD, &flag, &message, &status);
        break;
    }
    CHECK_EQ(status.MPI_SOURCE, left);
    CHECK_EQ(status.MPI_TAG, i);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK_EQ(count, i * i * 40);
    int* got = calloc((size_t)count + 1, sizeof(int));
    if (k % 4 < 2) {
      MPI_Recv(got, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
    } else if (k % 8 < 4) {
      CHECK(message != MPI_MESSAGE_NULL);
      MPI_Mrecv(got, count, MPI_INT, &message, &status);
    } else {
      MPI_Imrecv(got, count, MPI_INT, &message, &receive);
      MPI_Wait(&receive, &status);
    }
    CHECK(message == MPI_MESSAGE_NULL);
    CHECK_EQ(status.MPI_SOURCE, left);
    CHECK_EQ(status.MPI_TAG, i);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK_EQ(count, i * i * 40);
    check_numbers(got, count, i);
    free(got);
  }
  MPI_Waitall(messages, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < messages; ++i) free(spaces[i]);
}

// Nothing is there: the probes say so.
static void check_nothing(void) {
  int flag = 1;
  MPI_Status status;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
  CHECK(!flag);
  flag = 1;
  MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status);
  CHECK(!flag);
  flag = 1;
  MPI_Iprobe(left, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  CHECK(!flag);
  MPI_Barrier(MPI_COMM_WORLD);
}

// A matched message is out of the way of later probes and receives.
static void check_matched(void) {
  int value[3] = {10 + rank, 20 + rank, 30 + rank}, got[3] = {-1, -1, -1}, flag = 0;
  MPI_Request requests[3];
  MPI_Message messages[2];
  MPI_Status status;
  for (int i = 0; i < 3; ++i)
    MPI_Isend(&value[i], 1, MPI_INT, right, 5, MPI_COMM_WORLD, &requests[i]);
  MPI_Mprobe(left, 5, MPI_COMM_WORLD, &messages[0], &status);
  MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &messages[1], MPI_STATUS_IGNORE);
  MPI_Recv(&got[2], 1, MPI_INT, left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Iprobe(left, 5, MPI_COMM_WORLD, &flag, &status);
  CHECK(!flag);
  MPI_Request receive;
  MPI_Imrecv(&got[1], 1, MPI_INT, &messages[1], &receive);
  CHECK(messages[1] == MPI_MESSAGE_NULL);
  MPI_Mrecv(&got[0], 1, MPI_INT, &messages[0], &status);
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  for (int i = 0; i < 3; ++i) CHECK_EQ(got[i], 10 * (i + 1) + left);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
}

// A server at rank 0 that knows neither senders nor lengths.
static void check_server(void) {
  enum { each = 30 };
  if (rank != 0) {
    for (int i = 0; i < each; ++i) {
      double values[each];
      for (int k = 0; k <= i; ++k) values[k] = rank + k;
      MPI_Send(values, i + 1, MPI_DOUBLE, 0, rank * 100 + i, MPI_COMM_WORLD);
    }
  } else {
    double sum = 0, expected = 0;
    int next[64] = {0};
    for (int i = 0; i < each * (size - 1); ++i) {
      double values[each];
      MPI_Status status;
      int count;
      MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, MPI_DOUBLE, &count);
      CHECK_EQ(status.MPI_TAG, status.MPI_SOURCE * 100 + count - 1);
      CHECK_EQ(count, ++next[status.MPI_SOURCE]);
      MPI_Recv(values, count, MPI_DOUBLE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      for (int k = 0; k < count; ++k) sum += values[k];
    }
    for (int from = 1; from < size; ++from)
      for (int i = 0; i < each; ++i) expected += (i + 1) * from + i * (i + 1) / 2;
    CHECK_NUM(sum, expected);
    printf("sum %.0f\n", sum);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void check_nobody(void) {
  MPI_Status status;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Request request;
  int flag = 0, count = -1, value = 8;
  MPI_Probe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status);
  CHECK_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
  CHECK_EQ(status.MPI_TAG, MPI_ANY_TAG);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK_EQ(count, 0);
  MPI_Iprobe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &flag, &status);
  CHECK(flag);
  MPI_Mprobe(MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
  CHECK(message == MPI_MESSAGE_NO_PROC);
  CHECK_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
  MPI_Mrecv(&value, 1, MPI_INT, &message, &status);
  CHECK_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
  CHECK(message == MPI_MESSAGE_NULL);
  flag = 0;
  MPI_Improbe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &flag, &message, &status);
  CHECK(flag && message == MPI_MESSAGE_NO_PROC);
  MPI_Imrecv(&value, 1, MPI_INT, &message, &request);
  MPI_Wait(&request, &status);
  CHECK_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
  CHECK_EQ(value, 8);
}

// Large ones, which a matched probe leaves where they are.
static void check_large(void) {
  enum { length = 1 << 19 };  // 2 MiB
  int* sent = malloc(length * sizeof(int));
  int* got = malloc(length * sizeof(int));
  for (int i = 0; i < length; ++i) sent[i] = i ^ rank;
  MPI_Request send;
  MPI_Message message;
  MPI_Status status;
  int count = 0, wrong = 0;
  MPI_Isend(sent, length, MPI_INT, right, 8, MPI_COMM_WORLD, &send);
  MPI_Mprobe(MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &message, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK_EQ(count, length);
  MPI_Mrecv(got, length, MPI_INT, &message, &status);
  for (int i = 0; i < length; ++i) wrong += got[i] != (i ^ left);
  CHECK_EQ(wrong, 0);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  free(sent);
  free(got);
}

int main(int argc, char** argv) {
  begin_ring(&argc, &argv);
  check_part("lengths");
  check_lengths();
  check_part("nothing");
  check_nothing();
  check_part("matched");
  check_matched();
  check_part("server");
  check_server();
  check_part("nobody");
  check_nobody();
  check_part("large");
  check_large();
  return check_finish();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sends of all modes: what each may wait for, and what it may not.
#include <mpi.h>
#include <stdlib.h>

#include "ring.h"

// A synchronous send is not complete before its receive has been posted.
static void synchronous_waits_for_its_receive(void) {
  int flag = -1, value = rank, got = -1, token = 0;
  MPI_Request request, again;
  check_part("synchronous sends wait for their receives");
  MPI_Issend(&value, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &request);
  for (int i = 0; i < 20; ++i) {
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    CHECK_EQ(flag, 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Irecv(&got, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &again);
  MPI_Wait(&again, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK_EQ(got, left);
  got = -1;
  // With the receive before it, also while the receiver waits for something else.
  MPI_Irecv(&got, 1, MPI_INT, left, 2, MPI_COMM_WORLD, &again);
  MPI_Ssend(&value, 1, MPI_INT, right, 2, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Wait(&again, MPI_STATUS_IGNORE);
  CHECK_EQ(got, left);
  if (size == 1) return;
  if (rank == 0) {
    MPI_Irecv(&got, 1, MPI_INT, size - 1, 3, MPI_COMM_WORLD, &again);
    MPI_Barrier(MPI_COMM_WORLD);
    if (size > 2) MPI_Recv(&token, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&again, MPI_STATUS_IGNORE);
    CHECK_EQ(got, size - 1);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1 && size > 2) {
      MPI_Recv(&token, 1, MPI_INT, size - 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(&token, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
    }
  }
  if (rank == size - 1) {
    MPI_Ssend(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    if (size > 2) MPI_Send(&token, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void send_to_self_if_alone(void) {
  int out = 5, in = 0;
  MPI_Request request;
  if (size > 1) return;
  MPI_Irecv(&in, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &request);
  MPI_Ssend(&out, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK_EQ(in, 5);
}

// A barrier of a rank whose receive has been posted lets a synchronous send complete.
static void synchronous_during_a_barrier(void) {
  int value = 10 + rank, got = -1;
  MPI_Request request = MPI_REQUEST_NULL;
  check_part("synchronous sends during barriers");
  for (int round = 0; round < 50; ++round) {
    const int receiver = round % size, sender = (receiver + 1) % size;
    got = -1;
    if (rank == receiver) MPI_Irecv(&got, 1, MPI_INT, sender, round, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == sender) MPI_Ssend(&value, 1, MPI_INT, receiver, round, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == receiver) CHECK_EQ(got, 10 + sender);
  }
}

// Each sends more than fits on the way to the other, before it receives.
static void large_messages_both_ways(void) {
  const int count = 5 << 20, messages = 5;
  int* const out = malloc(sizeof(int) * (size_t)count);
  int* const in = malloc(sizeof(int) * (size_t)count * (size_t)messages);
  MPI_Request requests[10];
  check_part("large messages both ways");
  for (int i = 0; i < count; ++i) out[i] = rank + i;
  for (int m = 0; m < messages; ++m) MPI_Isend(out, count, MPI_INT, right, m, MPI_COMM_WORLD, &requests[m]);
  for (int m = 0; m < messages; ++m)
    MPI_Irecv(in + (size_t)m * (size_t)count, count, MPI_INT, left, m, MPI_COMM_WORLD,
              &requests[messages + m]);
  MPI_Waitall(2 * messages, requests, MPI_STATUSES_IGNORE);
  for (int m = 0; m < messages; ++m)
    for (int i = 0; i < count; i += 1000) CHECK_EQ(in[(size_t)m * (size_t)count + (size_t)i], left + i);
  // The same by MPI_Sendrecv, whose sends complete with the receives.
  for (int m = 0; m < messages; ++m)
    MPI_Sendrecv(out, count, MPI_INT, right, m, in, count, MPI_INT, left, m, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  for (int i = 0; i < count; i += 1000) CHECK_EQ(in[i], left + i);
  free(in);
  free(out);
}

static void buffered(void) {
  int bytes = -1, code, class_of = -1, got[100], out[100];
  void* detached = NULL;
  const int room = (int)(sizeof out + MPI_BSEND_OVERHEAD);
  void* const memory = malloc((size_t)(2 * room));
  MPI_Request request;
  check_part("buffered sends");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  code = MPI_Bsend(out, 100, MPI_INT, right, 1, MPI_COMM_WORLD);
  MPI_Error_class(code, &class_of);
  CHECK_EQ(class_of, MPI_ERR_BUFFER);
  MPI_Buffer_attach(memory, room);
  code = MPI_Buffer_attach(memory, room);
  CHECK(code != MPI_SUCCESS);
  code = MPI_Bsend(out, 1000000, MPI_CHAR, right, 1, MPI_COMM_WORLD);
  MPI_Error_class(code, &class_of);
  CHECK_EQ(class_of, MPI_ERR_BUFFER);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  for (int i = 0; i < 100; ++i) out[i] = rank + i;
  MPI_Bsend(out, 100, MPI_INT, right, 1, MPI_COMM_WORLD);
  for (int i = 0; i < 100; ++i) out[i] = 0;
  MPI_Recv(got, 100, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < 100; ++i) CHECK_EQ(got[i], left + i);
  MPI_Buffer_detach(&detached, &bytes);
  CHECK(detached == memory);
  CHECK_EQ(bytes, room);
  MPI_Buffer_attach(memory, 2 * room);
  MPI_Ibsend(&rank, 1, MPI_INT, right, 2, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Recv(got, 1, MPI_INT, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK_EQ(got[0], left);
  MPI_Buffer_detach(&detached, &bytes);
  CHECK_EQ(bytes, 2 * room);
  free(memory);
}

static void replaced(void) {
  int grid[6][4], count = -1;
  MPI_Datatype column;
  MPI_Status status;
  check_part("MPI_Sendrecv_replace");
  MPI_Type_vector(6, 1, 4, MPI_INT, &column);
  MPI_Type_commit(&column);
  for (int i = 0; i < 24; ++i) grid[i / 4][i % 4] = 100 * rank + i;
  MPI_Sendrecv_replace(&grid[0][1], 1, column, right, 5, left, 5, MPI_COMM_WORLD, &status);
  for (int i = 0; i < 24; ++i) CHECK_EQ(grid[i / 4][i % 4], 100 * (i % 4 == 1 ? left : rank) + i);
  CHECK_EQ(status.MPI_SOURCE, left);
  CHECK_EQ(status.MPI_TAG, 5);
  MPI_Get_count(&status, column, &count);
  CHECK_EQ(count, 1);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK_EQ(count, 6);
  MPI_Type_free(&column);
  MPI_Sendrecv_replace(grid, 24, MPI_INT, MPI_PROC_NULL, 5, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &status);
  CHECK_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
  CHECK_EQ(status.MPI_TAG, MPI_ANY_TAG);
  CHECK_EQ(grid[2][2], 100 * rank + 10);
}

// Messages of all modes with one tag come in the order in which they were sent.
static void modes_keep_the_order(void) {
  enum { rounds = 100, modes = 5 };
  static int values[rounds * modes], got[rounds * modes];
  static MPI_Request requests[2 * rounds * modes];
  void* const memory = malloc(100000);
  void* detached;
  int bytes, next = 0;
  check_part("order of sends of different modes");
  MPI_Buffer_attach(memory, 100000);
  for (int i = 0; i < rounds * modes; ++i) {
    values[i] = 1000 * rank + i;
    got[i] = -1;
    MPI_Irecv(&got[i], 1, MPI_INT, left, 7, MPI_COMM_WORLD, &requests[next++]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < rounds * modes; ++i) {
    int* const value = &values[i];
    switch (i % modes) {
      case 0:
        MPI_Isend(value, 1, MPI_INT, right, 7, MPI_COMM_WORLD, &requests[next++]);
        break;
      case 1:
        MPI_Issend(value, 1, MPI_INT, right, 7, MPI_COMM_WORLD, &requests[next++]);
        break;
      case 2:
        MPI_Bsend(value, 1, MPI_INT, right, 7, MPI_COMM_WORLD);
        break;
      case 3:
        MPI_Irsend(value, 1, MPI_INT, right, 7, MPI_COMM_WORLD, &requests[next++]);
        break;
      default:
        MPI_Rsend(value, 1, MPI_INT, right, 7, MPI_COMM_WORLD);
    }
  }
  MPI_Waitall(next, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < rounds * modes; ++i) CHECK_EQ(got[i], 1000 * left + i);
  MPI_Buffer_detach(&detached, &bytes);
  free(memory);
}

static int class_of(int code) {
  int result = -1;
  MPI_Error_class(code, &result);
  return result;
}

static void errors(void) {
  int value = 0, sent[4] = {0}, got[4];
  MPI_Request request, receives[2];
  MPI_Status status, statuses[2];
  MPI_Comm comm;
  check_part("errors");
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  CHECK_EQ(class_of(MPI_Ssend(&value, 1, MPI_INT, size, 0, comm)), MPI_ERR_RANK);
  CHECK_EQ(class_of(MPI_Send(&value, -1, MPI_INT, 0, 0, comm)), MPI_ERR_COUNT);
  CHECK_EQ(class_of(MPI_Isend(&value, 1, MPI_INT, 0, -5, comm, &request)), MPI_ERR_TAG);
  CHECK_EQ(class_of(MPI_Irecv(&value, 1, MPI_DATATYPE_NULL, 0, 0, comm, &request)), MPI_ERR_TYPE);
  CHECK_EQ(class_of(MPI_Send_init(&value, 1, MPI_INT, -7, 0, comm, &request)), MPI_ERR_RANK);
  CHECK_EQ(class_of(MPI_Sendrecv(&value, 1, MPI_INT, 0, 0, got, 1, MPI_INT, size, 0, comm, &status)),
           MPI_ERR_RANK);
  // Which communicator's error handler is asked here differs between implementations.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Irecv(&value, 1, MPI_INT, left, 3, comm, &request);
  MPI_Send(sent, 4, MPI_INT, right, 3, comm);
  CHECK_EQ(class_of(MPI_Wait(&request, &status)), MPI_ERR_TRUNCATE);
  MPI_Irecv(got, 4, MPI_INT, left, 4, comm, &receives[0]);
  MPI_Irecv(&value, 1, MPI_INT, left, 4, comm, &receives[1]);
  MPI_Send(sent, 4, MPI_INT, right, 4, comm);
  MPI_Send(sent, 4, MPI_INT, right, 4, comm);
  CHECK_EQ(class_of(MPI_Waitall(2, receives, statuses)), MPI_ERR_IN_STATUS);
  CHECK_EQ(class_of(statuses[0].MPI_ERROR), MPI_SUCCESS);
  CHECK_EQ(class_of(statuses[1].MPI_ERROR), MPI_ERR_TRUNCATE);
  CHECK(receives[0] == MPI_REQUEST_NULL && receives[1] == MPI_REQUEST_NULL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
  begin_ring(&argc, &argv);
  synchronous_waits_for_its_receive();
  send_to_self_if_alone();
  if (size > 1) synchronous_during_a_barrier();
  large_messages_both_ways();
  buffered();
  replaced();
  modes_keep_the_order();
  errors();
  return check_finish();
}

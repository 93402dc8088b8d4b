// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Correct programs that checked mode must not take for wrong ones.
#include <mpi.h>
#include <stddef.h>

#include "ring.h"

struct pair {
  int number;
  double value;
};

static MPI_Datatype pair_type(void) {
  MPI_Datatype bare, made;
  MPI_Type_create_struct(2, (int[]){1, 1},
                         (MPI_Aint[]){offsetof(struct pair, number), offsetof(struct pair, value)},
                         (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &bare);
  MPI_Type_create_resized(bare, 0, sizeof(struct pair), &made);
  MPI_Type_commit(&made);
  MPI_Type_free(&bare);
  return made;
}

// The same elements, described by other datatypes; fewer of them than there is room for.
static void check_descriptions(void) {
  enum { pairs = 40 };
  const MPI_Datatype type = pair_type();
  MPI_Datatype several, numbers;
  struct pair out[pairs], in[pairs + 2];
  int grid[60], plain[70], count = -1;
  MPI_Status status;
  check_part("descriptions");
  MPI_Type_contiguous(4, type, &several);
  MPI_Type_commit(&several);
  MPI_Type_vector(30, 1, 2, MPI_INT, &numbers);
  MPI_Type_commit(&numbers);
  for (int i = 0; i < pairs; ++i) out[i] = (struct pair){rank + i, i / 2.0};
  for (int i = 0; i < 60; ++i) grid[i] = 100 * rank + i;
  MPI_Sendrecv(out, pairs, type, right, 1, in, pairs / 4, several, left, 1, MPI_COMM_WORLD, &status);
  CHECK_EQ(in[pairs - 1].number, left + pairs - 1);
  CHECK_NUM(in[pairs - 1].value, (pairs - 1) / 2.0);
  MPI_Sendrecv(out, 3, several, right, 2, in, pairs + 2, type, left, 2, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, type, &count);
  CHECK_EQ(count, 12);
  // A part of a pair.
  MPI_Sendrecv(out, 1, MPI_INT, right, 3, in, 2, type, left, 3, MPI_COMM_WORLD, &status);
  MPI_Get_elements(&status, type, &count);
  CHECK_EQ(count, 1);
  MPI_Sendrecv(grid, 2, numbers, right, 4, plain, 70, MPI_INT, left, 4, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK_EQ(count, 60);
  CHECK_EQ(plain[29], 100 * left + 58);
  MPI_Sendrecv(out, 0, MPI_DOUBLE, right, 5, in, 2, MPI_INT, left, 5, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK_EQ(count, 0);
  MPI_Type_free(&several);
  MPI_Type_free(&numbers);
  struct pair freed = {rank, 0.5};
  MPI_Datatype gone = type;
  MPI_Request requests[2];
  // A datatype may be freed before the message that it describes is there.
  MPI_Irecv(in, 1, type, left, 6, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&freed, 1, type, right, 6, MPI_COMM_WORLD, &requests[1]);
  MPI_Type_free(&gone);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK_EQ(in[0].number, left);
}

// What was packed is received as anything, and the other way round.
static void check_packed(void) {
  const MPI_Datatype type = pair_type();
  MPI_Datatype gone = type;
  struct pair out = {rank, 1.5}, in = {-1, 0};
  char space[64];
  int at = 0;
  check_part("packed");
  MPI_Pack(&out, 1, type, space, sizeof space, &at, MPI_COMM_WORLD);
  MPI_Sendrecv(space, at, MPI_PACKED, right, 1, &in, 1, type, left, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  CHECK_EQ(in.number, left);
  CHECK_NUM(in.value, 1.5);
  out.number += 10;
  MPI_Sendrecv(&out, 1, type, right, 2, space, sizeof space, MPI_PACKED, left, 2, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  at = 0;
  MPI_Unpack(space, sizeof space, &at, &in, 1, type, MPI_COMM_WORLD);
  CHECK_EQ(in.number, left + 10);
  MPI_Type_free(&gone);
}

// Notes behind messages change no length.
static void check_lengths(void) {
  int out[300], in[300], count = -1;
  MPI_Request request;
  MPI_Message message;
  MPI_Status status;
  check_part("lengths");
  for (int length = 0; length <= 300; length += 60)
    for (int way = 0; way < 4; ++way) {
      for (int i = 0; i < length; ++i) out[i] = rank + i, in[i] = -1;
      if (way % 2)
        MPI_Issend(out, length, MPI_INT, right, length, MPI_COMM_WORLD, &request);
      else
        MPI_Isend(out, length, MPI_INT, right, length, MPI_COMM_WORLD, &request);
      if (way < 2) {
        MPI_Probe(left, length, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        CHECK_EQ(count, length);
        MPI_Recv(in, count, MPI_INT, left, length, MPI_COMM_WORLD, &status);
      } else {
        MPI_Mprobe(left, length, MPI_COMM_WORLD, &message, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        CHECK_EQ(count, length);
        MPI_Mrecv(in, count, MPI_INT, &message, &status);
      }
      MPI_Get_count(&status, MPI_INT, &count);
      CHECK_EQ(count, length);
      for (int i = 0; i < length; ++i) CHECK_EQ(in[i], left + i);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

// What may be done with the buffers of requests: reading what is sent, writing between the elements, and
// all of it from the moment on when a call says that the request is complete.
static void check_buffers(void) {
  enum { count = 50 };
  int out[2 * count], in[2 * count], unused[2] = {0, 0}, flag, sum = 0;
  char space[1000];
  void* detached;
  int bytes;
  MPI_Request requests[3];
  MPI_Datatype second;
  check_part("buffers");
  MPI_Type_vector(count, 1, 2, MPI_INT, &second);
  MPI_Type_commit(&second);
  for (int i = 0; i < 2 * count; ++i) out[i] = rank + i, in[i] = -1;
  MPI_Irecv(in, 1, second, left, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, 1, second, right, 1, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < count; ++i) {
    sum += out[2 * i];
    out[2 * i + 1] = in[2 * i + 1] = 7;
  }
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK_EQ(sum, count * (rank + count - 1));
  for (int i = 0; i < count; ++i) CHECK(in[2 * i] == left + 2 * i && in[2 * i + 1] == 7);
  // Complete, although the requests are still there.
  MPI_Irecv(in, count, MPI_INT, left, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, count, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 2; ++i)
    for (flag = 0; !flag;) MPI_Request_get_status(requests[i], &flag, MPI_STATUS_IGNORE);
  in[0] = out[0] = -5;
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  // Buffered ones need not be waited for; cancelled and freed ones have no buffer.
  MPI_Buffer_attach(space, sizeof space);
  out[0] = rank;
  MPI_Bsend(out, 1, MPI_INT, right, 3, MPI_COMM_WORLD);
  out[0] = -1;
  MPI_Recv(in, 1, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK_EQ(in[0], left);
  MPI_Irecv(&unused[0], 1, MPI_INT, left, 4, MPI_COMM_WORLD, &requests[0]);
  MPI_Cancel(&requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  unused[0] = 1;
  MPI_Isend(&unused[1], 1, MPI_INT, right, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Request_free(&requests[0]);
  MPI_Recv(in, 1, MPI_INT, left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  unused[1] = 1;
  MPI_Buffer_detach(&detached, &bytes);
  // Persistent ones have it from one start to the end of that.
  MPI_Send_init(out, count, MPI_INT, right, 6, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(in, count, MPI_INT, left, 6, MPI_COMM_WORLD, &requests[1]);
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < count; ++i) out[i] = rank + round, in[i] = -1;
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK_EQ(in[count - 1], left + round);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Type_free(&second);
}

// Ranks that begin collectives at different times, name the same elements in different ways, and end them in
// another order.
static void check_collectives(void) {
  enum { rounds = 50 };
  MPI_Datatype three, second;
  MPI_Comm copy;
  MPI_Request requests[2];
  int values[12], sum = 0, root_sum = 0;
  struct pair pair = {rank, 0.5};
  MPI_Datatype type = pair_type();
  check_part("collectives");
  MPI_Type_contiguous(3, MPI_INT, &three);
  MPI_Type_commit(&three);
  MPI_Type_vector(3, 1, 2, MPI_INT, &second);
  MPI_Type_commit(&second);
  for (int round = 0; round < rounds; ++round) {
    const int root = round % size;
    for (int i = 0; i < 12; ++i) values[i] = rank == root ? round + i : -1;
    if (rank % 3 == 0) MPI_Bcast(values, 6, MPI_INT, root, MPI_COMM_WORLD);
    if (rank % 3 == 1) MPI_Bcast(values, 2, three, root, MPI_COMM_WORLD);
    if (rank % 3 == 2) MPI_Bcast(values, 6, MPI_INT, root, MPI_COMM_WORLD);
    CHECK_EQ(values[5], round + 5);
    if (rank == root)
      MPI_Bcast(values, 3, MPI_INT, root, MPI_COMM_WORLD);
    else
      MPI_Bcast(values, 1, second, root, MPI_COMM_WORLD);
    CHECK_EQ(values[rank == root ? 2 : 4], round + 2);
  }
  // No elements at all are no elements of any datatype.
  if (rank == 0)
    MPI_Bcast(NULL, 0, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  else
    MPI_Bcast(NULL, 0, MPI_CHAR, 0, MPI_COMM_WORLD);
  MPI_Bcast(&pair, 1, type, 0, MPI_COMM_WORLD);
  CHECK_EQ(pair.number, 0);
  // The root does not wait for the others, and is not waited for.
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  for (int round = 0; round < rounds; ++round) MPI_Reduce(&rank, &root_sum, 1, MPI_INT, MPI_SUM, 0, copy);
  if (rank == 0) CHECK_EQ(root_sum, size * (size - 1) / 2);
  MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, copy, &requests[0]);
  MPI_Ibarrier(copy, &requests[1]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  CHECK_EQ(sum, size * (size - 1) / 2);
  MPI_Comm_free(&copy);
  MPI_Type_free(&three);
  MPI_Type_free(&second);
  MPI_Type_free(&type);
}

int main(int argc, char** argv) {
  begin_ring(&argc, &argv);
  check_descriptions();
  check_packed();
  check_lengths();
  check_buffers();
  check_collectives();
  return check_finish();
}

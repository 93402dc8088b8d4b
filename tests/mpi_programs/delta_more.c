// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Delta messages among others: order, several at once, other calls between, and pipelines of ranks.
#include "delta_messages.h"

// Several messages with one tag, named by turns and ended in other orders than they have begun.
static void several(int ordinary_too) {
  enum { messages = 6, each = 900, all = messages * each };
  MPI_Request send[messages], receives[messages];
  MPI_Status status;
  check_part(ordinary_too ? "several with one tag, also ordinary ones" : "several with one tag");
  for (int kind = 0; kind < 4; ++kind) {
    fill(all, kind);
    if (kind >= 2)
      for (int i = 0; i < messages; ++i)
        MPI_Irecv(&in[i * each], each, MPI_INT, left, 1, MPI_COMM_WORLD, &receives[i]);
    for (int i = 0; i < messages; ++i) {
      const int* const mine = &out[i * each];
      if (ordinary_too && i % 3 == 1) {
        MPI_Isend(mine, each, MPI_INT, right, 1, MPI_COMM_WORLD, &send[i]);
      } else if (ordinary_too && i % 3 == 2) {
        MPI_Send(mine, each, MPI_INT, right, 1, MPI_COMM_WORLD);
        send[i] = MPI_REQUEST_NULL;
      } else {
        Delta_send_begin(mine, each, MPI_INT, right, 1, MPI_COMM_WORLD, &send[i]);
      }
    }
    for (int k = 0; k < each; k += 100)
      for (int i = messages; i-- > 0;)
        if (!ordinary_too || i % 3 == 0)
          CHECK_EQ(Delta_send_data(&out[i * each + (kind % 2 ? 800 - k : k)], 100 * sizeof(int)),
                   MPI_SUCCESS);
    for (int i = messages; i-- > 0;) Delta_wait(&send[i], MPI_STATUS_IGNORE);
    for (int i = 0; i < messages; ++i) {
      int* const mine = &in[i * each];
      const int other = messages - 1 - i;
      if (kind == 0) Delta_recv(mine, each, MPI_INT, left, 1, MPI_COMM_WORLD, &status);
      if (kind == 1) MPI_Recv(mine, each, MPI_INT, left, 1, MPI_COMM_WORLD, &status);
      if (kind == 2) {
        Delta_wait_data(&in[other * each + 300], 1200);
        CHECK_EQ(differ(other * each + 300, other * each + 600, kind), 0);
      }
    }
    if (kind == 3) {
      // Of all receives at once.
      Delta_wait_data(in, sizeof(int) * all);
      CHECK_EQ(differ(0, all, kind), 0);
    }
    for (int i = messages; kind >= 2 && i-- > 0;) {
      Delta_wait(&receives[i], &status);
      CHECK_EQ(count_of(&status, MPI_INT), each);
    }
    CHECK_EQ(differ(0, all, kind), 0);
  }
}

// A message that has begun is known to the receiver, and later ones do not wait for its elements.
static void begun(void) {
  MPI_Request request, receives[2];
  MPI_Status status;
  int token = rank, got = -1, found = 0;
  check_part("messages that have begun");
  fill(3000, 5);
  Delta_send_begin(out, 2000, MPI_INT, right, 3, MPI_COMM_WORLD, &request);
  MPI_Probe(left, 3, MPI_COMM_WORLD, &status);
  CHECK_EQ(count_of(&status, MPI_INT), 2000);
  CHECK_EQ(status.MPI_SOURCE, left);
  CHECK_EQ(status.MPI_TAG, 3);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Iprobe(left, 3, MPI_COMM_WORLD, &found, &status);
  CHECK_EQ(found, 1);
  CHECK_EQ(count_of(&status, MPI_INT), 2000);
  MPI_Irecv(in, 3000, MPI_INT, left, 3, MPI_COMM_WORLD, &receives[0]);
  MPI_Test(&receives[0], &found, &status);
  CHECK_EQ(found, 0);
  MPI_Iprobe(left, 3, MPI_COMM_WORLD, &found, &status);
  CHECK_EQ(found, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  // This message overtakes the elements, but not the message.
  MPI_Send(&token, 1, MPI_INT, right, 3, MPI_COMM_WORLD);
  MPI_Irecv(&got, 1, MPI_INT, left, 3, MPI_COMM_WORLD, &receives[1]);
  CHECK_EQ(Delta_wait_data(&got, sizeof got), MPI_SUCCESS);
  CHECK_EQ(got, left);
  MPI_Waitany(2, receives, &found, &status);
  CHECK_EQ(found, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Test(&receives[0], &found, &status);
  CHECK_EQ(found, 0);
  name_all(out, 8000, 1000, shuffled);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Test(&receives[0], &found, &status);
  CHECK_EQ(found, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  Delta_send_end(&request);
  Delta_wait(&receives[0], &status);
  CHECK_EQ(count_of(&status, MPI_INT), 2000);
  CHECK_EQ(differ(0, 2000, 5), 0);
  CHECK_EQ(in[2000], -1);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// What has come is written by the receiver, and stays as it wrote it.
static void own_values(void) {
  enum { n = 4000, each = 250 };
  MPI_Request request = MPI_REQUEST_NULL, receives;
  MPI_Status status;
  int* given;
  check_part("values that the receiver writes");
  for (int kind = 0; kind < 4; ++kind) {
    fill(n, 6);
    MPI_Irecv(in, n, MPI_INT, left, 4, MPI_COMM_WORLD, &receives);
    if (kind == 0) {
      Delta_send_begin(out, n, MPI_INT, right, 4, MPI_COMM_WORLD, &request);
      name_all(out, sizeof(int) * n, each, in_order);
      Delta_send_end(&request);
    } else if (kind == 1) {
      MPI_Isend(out, n, MPI_INT, right, 4, MPI_COMM_WORLD, &request);
    } else if (kind == 2) {
      MPI_Send(out, n, MPI_INT, right, 4, MPI_COMM_WORLD);
    } else {
      OPI_Alloc(&given, sizeof(int) * n);
      memcpy(given, out, sizeof(int) * n);
      OPI_Give(&given, n, MPI_INT, right, 4, MPI_COMM_WORLD);
    }
    for (int i = 0; i < n; i += each) {
      Delta_wait_data(&in[i], each * sizeof(int));
      CHECK_EQ(differ(i, i + each, 6), 0);
      for (int k = i; k < i + each; ++k) in[k] = -k;
    }
    Delta_wait(&receives, &status);
    for (int i = 0; i < n; ++i) CHECK_EQ(in[i], -i);
    Delta_wait(&request, MPI_STATUS_IGNORE);
  }
}

// One Delta_wait_data for the elements of several receives.
static void several_receives(void) {
  enum { messages = 6, each = 900, all = messages * each };
  MPI_Request send[messages], receives[messages];
  check_part("elements of several receives");
  for (int round = 0; round < 200; ++round) {
    fill(all, round);
    for (int i = 0; i < messages; ++i)
      MPI_Irecv(&in[i * each], each, MPI_INT, left, 1, MPI_COMM_WORLD, &receives[i]);
    for (int i = 0; i < messages; ++i)
      Delta_send_begin(&out[i * each], each, MPI_INT, right, 1, MPI_COMM_WORLD, &send[i]);
    for (int k = 0; k < each; k += 100)
      for (int i = messages; i-- > 0;) Delta_send_data(&out[i * each + k], 100 * sizeof(int));
    for (int i = messages; i-- > 0;) Delta_wait(&send[i], MPI_STATUS_IGNORE);
    // Also with elements of none of them.
    Delta_wait_data(in, sizeof(int) * (all + 100));
    CHECK_EQ(differ(0, all, round), 0);
    MPI_Waitall(messages, receives, MPI_STATUSES_IGNORE);
    CHECK_EQ(differ(0, all, round), 0);
  }
}

static void cancelled(void) {
  MPI_Request request, receives;
  MPI_Status status;
  int flag = -1;
  check_part("MPI_Cancel");
  fill(1000, 7);
  // Of a receive that has no message.
  MPI_Irecv(in, 1000, MPI_INT, left, 11, MPI_COMM_WORLD, &receives);
  MPI_Cancel(&receives);
  CHECK_EQ(Delta_wait_data(in, 4), MPI_SUCCESS);
  CHECK_EQ(Delta_wait(&receives, &status), MPI_SUCCESS);
  MPI_Test_cancelled(&status, &flag);
  CHECK_EQ(flag, 1);
  CHECK_EQ(in[0], -1);
  MPI_Barrier(MPI_COMM_WORLD);
  // Of one that has got part of a message: it goes on.
  MPI_Irecv(in, 1000, MPI_INT, left, 11, MPI_COMM_WORLD, &receives);
  Delta_send_begin(out, 1000, MPI_INT, right, 11, MPI_COMM_WORLD, &request);
  Delta_send_data(out, 2000);
  if (rank == 0) Delta_send_end(&request);
  if (rank != 0) Delta_wait_data(in, 400);
  if (rank != 0) MPI_Cancel(&receives);
  Delta_send_end(&request);
  if (rank == 0) Delta_wait_data(in, 400);
  if (rank == 0) MPI_Cancel(&receives);
  CHECK_EQ(Delta_wait(&receives, &status), MPI_SUCCESS);
  MPI_Test_cancelled(&status, &flag);
  CHECK_EQ(flag, 0);
  CHECK_EQ(count_of(&status, MPI_INT), 500);
  CHECK_EQ(differ(0, 500, 7), 0);
  Delta_wait(&request, MPI_STATUS_IGNORE);
}

// A receive that is given up still gets its message.
static void given_up(void) {
  MPI_Request request, receives;
  check_part("MPI_Request_free of a receive");
  fill(1000, 9);
  MPI_Irecv(in, 1000, MPI_INT, left, 12, MPI_COMM_WORLD, &receives);
  MPI_Request_free(&receives);
  Delta_send_begin(out, 1000, MPI_INT, right, 12, MPI_COMM_WORLD, &request);
  name_all(out, 4000, 100, in_order);
  Delta_wait(&request, MPI_STATUS_IGNORE);
  Delta_wait_data(in, 4000);
  CHECK_EQ(differ(0, 1000, 9), 0);
}

// Requests that are none of a delta send.
static void other_requests(void) {
  MPI_Request requests[2];
  MPI_Status status;
  check_part("other requests");
  fill(100, 1);
  MPI_Irecv(in, 100, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, 90, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[1]);
  CHECK_EQ(Delta_wait(&requests[0], &status), MPI_SUCCESS);
  CHECK_EQ(Delta_wait(&requests[1], MPI_STATUS_IGNORE), MPI_SUCCESS);
  CHECK(requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);
  CHECK_EQ(count_of(&status, MPI_INT), 90);
  CHECK_EQ(differ(0, 90, 1), 0);
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
  CHECK_EQ(Delta_wait(&requests[0], MPI_STATUS_IGNORE), MPI_SUCCESS);
  CHECK(requests[0] == MPI_REQUEST_NULL);

  // Parts of a partitioned receive are those of a pending receive or not: it comes all the same.
  fill(100, 2);
  MPI_Psend_init(out, 10, 10, MPI_INT, right, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Precv_init(in, 10, 10, MPI_INT, left, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  MPI_Startall(2, requests);
  MPI_Pready_range(0, 9, requests[0]);
  CHECK_EQ(Delta_wait(&requests[1], MPI_STATUS_IGNORE), MPI_SUCCESS);
  CHECK_EQ(Delta_wait(&requests[0], MPI_STATUS_IGNORE), MPI_SUCCESS);
  CHECK_EQ(differ(0, 100, 2), 0);
  CHECK(requests[0] != MPI_REQUEST_NULL);
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);

  // A receive that is started again and again.
  MPI_Recv_init(in, 100, MPI_INT, left, 7, MPI_COMM_WORLD, &requests[1]);
  for (int round = 0; round < 5; ++round) {
    fill(100, round);
    MPI_Start(&requests[1]);
    Delta_send_begin(out, 100 - round, MPI_INT, right, 7, MPI_COMM_WORLD, &requests[0]);
    name_all(out, sizeof(int) * (size_t)(100 - round), 28, round % orders);
    Delta_wait(&requests[0], MPI_STATUS_IGNORE);
    Delta_wait_data(&in[50], 40);
    CHECK_EQ(differ(50, 60, round), 0);
    CHECK_EQ(Delta_wait(&requests[1], &status), MPI_SUCCESS);
    CHECK(requests[1] != MPI_REQUEST_NULL);
    CHECK_EQ(count_of(&status, MPI_INT), 100 - round);
    CHECK_EQ(differ(0, 100 - round, round), 0);
    // It is not pending now.
    CHECK_EQ(Delta_wait_data(in, 400), MPI_SUCCESS);
  }
  MPI_Request_free(&requests[1]);
}

static void other_communicators(void) {
  MPI_Comm half, copy, across;
  MPI_Request requests[2];
  MPI_Status status;
  int place, members, others;
  check_part("other communicators");
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  MPI_Comm_dup(half, &copy);
  MPI_Comm_rank(half, &place);
  MPI_Comm_size(half, &members);
  const int next = (place + 1) % members, before = (place + members - 1) % members;
  // Two messages that differ in their communicator alone.
  for (int i = 0; i < 2000; ++i) out[i] = value(place, i, 3);
  for (int i = 0; i < 2000; ++i) in[i] = -1;
  Delta_send_begin(out, 1000, MPI_INT, next, 1, half, &requests[0]);
  Delta_send_begin(out + 1000, 1000, MPI_INT, next, 1, copy, &requests[1]);
  name_all(out, 4000, 160, shuffled);
  Delta_send_data(&out[1500], 2000);
  Delta_send_data(&out[1000], 2000);
  Delta_send_end(&requests[0]);
  Delta_send_end(&requests[1]);
  Delta_recv(in + 1000, 1000, MPI_INT, MPI_ANY_SOURCE, 1, copy, &status);
  CHECK_EQ(differ_from(before, in, 1000, 2000, 3), 0);
  CHECK_EQ(status.MPI_SOURCE, before);
  MPI_Recv(in, 1000, MPI_INT, before, 1, half, &status);
  CHECK_EQ(differ_from(before, in, 0, 1000, 3), 0);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);

  if (size > 1) {
    const int other_leader = rank % 2 ? (size - 1) / 2 * 2 : (size - 2) / 2 * 2 + 1;
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, other_leader, 5, &across);
    MPI_Comm_remote_size(across, &others);
    for (int i = 0; i < 2000; ++i) in[i] = -1;
    // To all of the other group, from all of it.
    MPI_Request* const sends = malloc(sizeof(MPI_Request) * (size_t)others);
    for (int to = 0; to < others; ++to) Delta_send_begin(out, 1500, MPI_INT, to, 2, across, &sends[to]);
    name_all(out, 6000, 400, from_the_end);
    for (int to = 0; to < others; ++to) Delta_send_end(&sends[to]);
    for (int from = others; from-- > 0;) {
      MPI_Irecv(in, 2000, MPI_INT, from, 2, across, &requests[0]);
      Delta_wait_data(&in[700], 400);
      CHECK_EQ(differ_from(from, in, 700, 800, 3), 0);
      Delta_wait(&requests[0], &status);
      CHECK_EQ(differ_from(from, in, 0, 1500, 3), 0);
      CHECK_EQ(status.MPI_SOURCE, from);
      CHECK_EQ(count_of(&status, MPI_INT), 1500);
    }
    MPI_Waitall(others, sends, MPI_STATUSES_IGNORE);
    free(sends);
    MPI_Comm_free(&across);
  }
  // A communicator is freed while a message is under way.
  for (int i = 0; i < 1000; ++i) in[i] = -1;
  MPI_Irecv(in, 1000, MPI_INT, before, 4, half, &requests[0]);
  Delta_send_begin(out, 1000, MPI_INT, next, 4, half, &requests[1]);
  MPI_Comm_free(&half);
  name_all(out, 4000, 1000, in_order);
  Delta_wait(&requests[1], MPI_STATUS_IGNORE);
  Delta_wait(&requests[0], MPI_STATUS_IGNORE);
  CHECK_EQ(differ_from(before, in, 0, 1000, 3), 0);
  MPI_Comm_free(&copy);
}

// Each rank adds its number to what it gets and sends it on, range by range; the last one has the sums.
static void cascade(int n, int each, int in_place) {
  MPI_Request receives = MPI_REQUEST_NULL, request = MPI_REQUEST_NULL;
  int* const mine = in_place ? in : out;
  for (int i = 0; i < n; ++i) in[i] = out[i] = -1;
  if (rank > 0) MPI_Irecv(in, n, MPI_INT, rank - 1, 1, MPI_COMM_WORLD, &receives);
  if (rank < size - 1) Delta_send_begin(mine, n, MPI_INT, rank + 1, 1, MPI_COMM_WORLD, &request);
  for (int i = 0; i < n; i += each) {
    const int end = i + each < n ? i + each : n;
    if (rank > 0) Delta_wait_data(&in[i], sizeof(int) * (size_t)(end - i));
    for (int k = i; k < end; ++k) mine[k] = (rank == 0 ? k : in[k]) + rank + 1;
    if (rank < size - 1) CHECK_EQ(Delta_send_data(&mine[i], sizeof(int) * (size_t)(end - i)), MPI_SUCCESS);
  }
  CHECK_EQ(Delta_wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  CHECK_EQ(Delta_wait(&receives, MPI_STATUS_IGNORE), MPI_SUCCESS);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += mine[i] != i + (rank + 1) * (rank + 2) / 2;
  CHECK_EQ(wrong, 0);
}

// Each rank adds what its two children in a tree send, and sends the sums on.
static void tree(int n, int each) {
  MPI_Request receives[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL}, request = MPI_REQUEST_NULL;
  int* const from_children = malloc(sizeof(int) * 2 * (size_t)n);
  int first_sum = 0, all = 0;
  for (int child = 0; child < 2; ++child)
    if (2 * rank + 1 + child < size)
      MPI_Irecv(from_children + child * n, n, MPI_INT, 2 * rank + 1 + child, 1, MPI_COMM_WORLD,
                &receives[child]);
  if (rank > 0) Delta_send_begin(out, n, MPI_INT, (rank - 1) / 2, 1, MPI_COMM_WORLD, &request);
  for (int end = n; end > 0; end -= each) {
    const int first = end > each ? end - each : 0;
    const size_t bytes = sizeof(int) * (size_t)(end - first);
    for (int i = first; i < end; ++i) out[i] = (rank + 1) * (i % 1000);
    for (int child = 0; child < 2; ++child) {
      const int* const theirs = from_children + child * n;
      if (2 * rank + 1 + child >= size) continue;
      Delta_wait_data(theirs + first, bytes);
      for (int i = first; i < end; ++i) out[i] += theirs[i];
    }
    if (rank > 0) Delta_send_data(out + first, bytes);
  }
  Delta_wait(&request, MPI_STATUS_IGNORE);
  MPI_Waitall(2, receives, MPI_STATUSES_IGNORE);
  for (int i = 0; i < n; ++i) first_sum += rank == 0 && out[i] != size * (size + 1) / 2 * (i % 1000);
  MPI_Allreduce(&first_sum, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK_EQ(all, 0);
  free(from_children);
}

// Once around the ring, beginning and ending on rank 0.
static void once_around(int n, int each) {
  MPI_Request receives, request;
  for (int i = 0; i < n; ++i) in[i] = -1;
  MPI_Irecv(in, n, MPI_INT, left, 1, MPI_COMM_WORLD, &receives);
  Delta_send_begin(out, n, MPI_INT, right, 1, MPI_COMM_WORLD, &request);
  for (int i = 0; i < n; i += each) {
    if (rank > 0) Delta_wait_data(&in[i], sizeof(int) * (size_t)each);
    for (int k = i; k < i + each; ++k) out[k] = rank == 0 ? 3 * k : in[k] + 1;
    Delta_send_data(&out[i], sizeof(int) * (size_t)each);
  }
  Delta_wait(&request, MPI_STATUS_IGNORE);
  Delta_wait(&receives, MPI_STATUS_IGNORE);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += in[i] != 3 * i + (rank == 0 ? size - 1 : rank - 1);
  CHECK_EQ(wrong, 0);
}

static void many(void) {
  enum { messages = 200, each = 120 };
  MPI_Request send[messages], receives[messages];
  MPI_Status status;
  check_part("many messages");
  // One after the other.
  for (int round = 0; round < messages; ++round) {
    const int n = 1 + round * 7 % each;
    fill(each, round);
    Delta_send_begin(out, n, MPI_INT, right, round % 3, MPI_COMM_WORLD, &send[0]);
    for (int i = 0; i < n; ++i) Delta_send_data(&out[i], sizeof(int));
    Delta_send_end(&send[0]);
    Delta_recv(in, each, MPI_INT, left, round % 3, MPI_COMM_WORLD, &status);
    CHECK_EQ(count_of(&status, MPI_INT), n);
    CHECK_EQ(differ(0, n, round), 0);
    Delta_wait(&send[0], MPI_STATUS_IGNORE);
  }
  // All at once.
  fill(messages * each, 1);
  for (int i = 0; i < messages; ++i)
    Delta_send_begin(&out[i * each], each, MPI_INT, right, i % 3, MPI_COMM_WORLD, &send[i]);
  for (int i = 0; i < messages; ++i)
    MPI_Irecv(&in[i * each], each, MPI_INT, left, i % 3, MPI_COMM_WORLD, &receives[i]);
  for (int k = 0; k < each; k += 40)
    for (int i = 0; i < messages; ++i) Delta_send_data(&out[(i * 37 % messages) * each + k], 160);
  for (int i = 0; i < messages; ++i) Delta_send_end(&send[i * 7 % messages]);
  for (int i = 0; i < messages; ++i) {
    Delta_wait_data(&in[(i * 11 % messages) * each + 60], 8);
    CHECK_EQ(differ((i * 11 % messages) * each + 60, (i * 11 % messages) * each + 62, 1), 0);
  }
  MPI_Waitall(messages, send, MPI_STATUSES_IGNORE);
  MPI_Waitall(messages, receives, MPI_STATUSES_IGNORE);
  CHECK_EQ(differ(0, messages * each, 1), 0);
}

// Collectives and other messages between the calls.
static void between(void) {
  enum { n = 6000 };
  MPI_Request request, receives;
  MPI_Status status;
  int sum = 0, token = rank, got = -1;
  check_part("collectives and other messages between");
  fill(n, 2);
  MPI_Irecv(in, n, MPI_INT, left, 1, MPI_COMM_WORLD, &receives);
  Delta_send_begin(out, n, MPI_INT, right, 1, MPI_COMM_WORLD, &request);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK_EQ(sum, size * (size - 1) / 2);
  Delta_send_data(out, 8000);
  MPI_Sendrecv(&token, 1, MPI_INT, right, 2, &got, 1, MPI_INT, left, 2, MPI_COMM_WORLD, &status);
  CHECK_EQ(got, left);
  MPI_Sendrecv(&token, 1, MPI_INT, left, 1, &got, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &status);
  // Of two ranks, the left one is the right one, and this message comes behind the one that has begun.
  CHECK_EQ(got, right);
  Delta_send_data(out + 4000, 8000);
  MPI_Bcast(&token, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
  CHECK_EQ(token, size - 1);
  Delta_send_data(out + 2000, 8000);
  MPI_Barrier(MPI_COMM_WORLD);
  Delta_send_end(&request);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  CHECK_EQ(sum, size - 1);
  Delta_wait_data(&in[3000], 40);
  CHECK_EQ(differ(3000, 3010, 2), 0);
  MPI_Barrier(MPI_COMM_WORLD);
  Delta_wait(&receives, &status);
  CHECK_EQ(differ(0, n, 2), 0);
  Delta_wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  begin_ring(&argc, &argv);
  several(0);
  several(1);
  several_receives();
  begun();
  own_values();
  cancelled();
  given_up();
  other_requests();
  other_communicators();
  check_part("a cascade");
  for (int in_place = 0; in_place < 2; ++in_place) {
    cascade(10, 1, in_place);
    cascade(5000, 128, in_place);
    cascade(300000, 4096, in_place);
  }
  check_part("a tree");
  tree(10, 1);
  tree(5000, 100);
  tree(200000, 5000);
  check_part("a ring");
  once_around(10, 1);
  once_around(5000, 50);
  once_around(200000, 4000);
  many();
  between();
  return check_finish();
}

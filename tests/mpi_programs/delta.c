// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Delta messages: they leave while their elements are computed, and are used while they arrive.
#include <kanor/delta.h>
#include <kanor/opi.h>
#include <mpi.h>
#include <stdlib.h>

#include "ring.h"

enum { most = 1 << 19 };
static int out[most], in[most];

static int value(int from, int element, int round) { return 1000003 * from + 101 * element + round; }

// Elements 0 … n-1 of what this rank sends, and no values where it receives.
static void fill(int n, int round) {
  for (int i = 0; i < n; ++i) out[i] = value(rank, i, round);
  for (int i = 0; i < n; ++i) in[i] = -1;
}

static int differ_from(int from, const int* elements, int first, int end, int round) {
  int wrong = 0;
  for (int i = first; i < end; ++i) wrong += elements[i] != value(from, i, round);
  return wrong;
}

static int differ(int first, int end, int round) { return differ_from(left, in, first, end, round); }

static int count_of(const MPI_Status* status, MPI_Datatype type) {
  int count = -7;
  MPI_Get_count(status, type, &count);
  return count;
}

static unsigned state = 1;
static int random_below(int n) {
  state = state * 1664525u + 1013904223u;
  return (int)((state >> 8) % (unsigned)n);
}

// Names `bytes` bytes from `data` on, in ranges of `each` bytes: in order, from the end, or in any order.
enum { in_order, from_the_end, shuffled, orders };
static void name_all(const void* data, size_t bytes, size_t each, int order) {
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

static void wait_for_elements(int n, int each, int backwards) {
  for (int k = 0; k < n; k += each) {
    const int end = backwards ? n - k : k + each < n ? k + each : n;
    const int first = backwards ? (end > each ? end - each : 0) : k;
    CHECK_EQ(Delta_wait_data(&in[first], sizeof(int) * (size_t)(end - first)), MPI_SUCCESS);
  }
}

static void receive(int kind, int n, int room, int from, int tag, MPI_Comm comm, int round,
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
static void around(int n, size_t each, int order, int kind, int later) {
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

// An ordinary message, of which Delta_wait_data waits for elements.
static void ordinary(int how, int n, int kind) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  int* given = NULL;
  const int round = 50 + how;
  fill(n + 5, round);
  if (how == 0) MPI_Send(out, n, MPI_INT, right, 7, MPI_COMM_WORLD);
  if (how == 1) MPI_Isend(out, n, MPI_INT, right, 7, MPI_COMM_WORLD, &request);
  if (how == 2) MPI_Issend(out, n, MPI_INT, right, 7, MPI_COMM_WORLD, &request);
  if (how == 3) {
    OPI_Alloc(&given, sizeof(int) * (size_t)n);
    if (n > 0) memcpy(given, out, sizeof(int) * (size_t)n);
    OPI_Give(&given, n, MPI_INT, right, 7, MPI_COMM_WORLD);
  }
  if (how == 4) {
    MPI_Send_init(out, n, MPI_INT, right, 7, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
  }
  receive(kind, n, n + 3, left, 7, MPI_COMM_WORLD, round, &status);
  CHECK_EQ(differ(0, n, round), 0);
  for (int i = n; i < n + 5; ++i) CHECK_EQ(in[i], -1);
  CHECK_EQ(count_of(&status, MPI_INT), n);
  CHECK_EQ(Delta_wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  if (how == 4)
    MPI_Request_free(&request);
  else
    CHECK(request == MPI_REQUEST_NULL);
}

// Only ranges of the elements are named: bytes starts[i] … ends[i]-1.
static void parts_only(int n, int ranges, const int* starts, const int* ends, int kind) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  char* const bytes = (char*)in;
  const int round = 31;
  int last = 0, wrong = 0;
  fill(n, round);
  Delta_send_begin(out, n, MPI_INT, right, 8, MPI_COMM_WORLD, &request);
  for (int i = 0; i < ranges; ++i) {
    CHECK_EQ(Delta_send_data((char*)out + starts[i], (size_t)(ends[i] - starts[i])), MPI_SUCCESS);
    if (ends[i] > last) last = ends[i];
  }
  Delta_send_end(&request);
  if (kind == 0) {
    Delta_recv(in, n, MPI_INT, left, 8, MPI_COMM_WORLD, &status);
  } else if (kind == 1) {
    MPI_Recv(in, n, MPI_INT, left, 8, MPI_COMM_WORLD, &status);
  } else {
    MPI_Request receives = MPI_REQUEST_NULL;
    MPI_Irecv(in, n, MPI_INT, left, 8, MPI_COMM_WORLD, &receives);
    // Also for what never comes.
    for (int i = 4 * n - 4; kind == 2 && i >= 0; i -= 4) Delta_wait_data((char*)in + i, 4);
    if (kind == 3) Delta_wait_data(in, sizeof(int) * (size_t)n);
    Delta_wait(&receives, &status);
  }
  Delta_wait(&request, MPI_STATUS_IGNORE);
  CHECK_EQ(count_of(&status, MPI_BYTE), last);
  CHECK_EQ(count_of(&status, MPI_INT), last % 4 == 0 ? last / 4 : MPI_UNDEFINED);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 4; ++k) {
      const int sent = value(left, i, round), nothing = -1;
      int named = 0;
      for (int r = 0; r < ranges; ++r) named = named || (4 * i + k >= starts[r] && 4 * i + k < ends[r]);
      wrong += bytes[4 * i + k] != (named ? (const char*)&sent : (const char*)&nothing)[k];
    }
  }
  CHECK_EQ(wrong, 0);
}

static void only_parts(void) {
  check_part("only parts are named");
  for (int kind = 0; kind < 4; ++kind) {
    parts_only(100, 1, (int[]){0}, (int[]){40}, kind);
    parts_only(100, 1, (int[]){40}, (int[]){44}, kind);
    parts_only(100, 1, (int[]){399}, (int[]){400}, kind);
    parts_only(100, 1, (int[]){0}, (int[]){1}, kind);
    parts_only(100, 3, (int[]){200, 0, 80}, (int[]){300, 20, 122}, kind);
    parts_only(100, 4, (int[]){300, 200, 100, 0}, (int[]){400, 300, 200, 100}, kind);
    parts_only(30000, 3, (int[]){90000, 4, 20000}, (int[]){100000, 5000, 70000}, kind);
  }
}

// Zero elements, zero bytes, nobody.
static void nothing(void) {
  MPI_Request request = MPI_REQUEST_NULL, receives = MPI_REQUEST_NULL;
  MPI_Status status;
  check_part("nothing");
  for (int kind = 0; kind < kinds; ++kind) around(0, 0, in_order, kind, kind % 2);
  fill(100, 3);
  // Zero bytes are named: nothing else is sent.
  Delta_send_begin(out, 50, MPI_INT, right, 9, MPI_COMM_WORLD, &request);
  CHECK_EQ(Delta_send_data(out, 0), MPI_SUCCESS);
  CHECK_EQ(Delta_send_data(out + 20, 0), MPI_SUCCESS);
  Delta_send_end(&request);
  Delta_recv(in, 100, MPI_INT, left, 9, MPI_COMM_WORLD, &status);
  Delta_wait(&request, MPI_STATUS_IGNORE);
  CHECK_EQ(count_of(&status, MPI_INT), 0);
  for (int i = 0; i < 51; ++i) CHECK_EQ(in[i], -1);
  // Zero bytes of nothing.
  CHECK_EQ(Delta_wait_data(in, 0), MPI_SUCCESS);
  CHECK_EQ(Delta_wait_data(NULL, 0), MPI_SUCCESS);
  CHECK_EQ(Delta_wait_data(in, sizeof in), MPI_SUCCESS);
  // To nobody and from nobody.
  fill(100, 4);
  CHECK_EQ(Delta_send_begin(out, 50, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD, &request), MPI_SUCCESS);
  CHECK_EQ(Delta_send_data(out, 40), MPI_SUCCESS);
  CHECK_EQ(Delta_send_end(&request), MPI_SUCCESS);
  CHECK_EQ(Delta_wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  CHECK(request == MPI_REQUEST_NULL);
  CHECK_EQ(Delta_send_begin(out, 50, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD, &request), MPI_SUCCESS);
  CHECK_EQ(Delta_wait(&request, &status), MPI_SUCCESS);
  CHECK_EQ(Delta_recv(in, 50, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD, &status), MPI_SUCCESS);
  CHECK_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
  CHECK_EQ(count_of(&status, MPI_INT), 0);
  MPI_Irecv(in, 50, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD, &receives);
  CHECK_EQ(Delta_wait_data(in, 200), MPI_SUCCESS);
  CHECK_EQ(Delta_wait(&receives, &status), MPI_SUCCESS);
  CHECK_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
  CHECK_EQ(in[0], -1);
  // No buffer at all.
  CHECK_EQ(Delta_send_begin(NULL, 0, MPI_INT, right, 9, MPI_COMM_WORLD, &request), MPI_SUCCESS);
  CHECK_EQ(Delta_send_end(&request), MPI_SUCCESS);
  CHECK_EQ(Delta_recv(NULL, 0, MPI_INT, left, 9, MPI_COMM_WORLD, &status), MPI_SUCCESS);
  CHECK_EQ(count_of(&status, MPI_INT), 0);
  CHECK_EQ(Delta_wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  // No request at all.
  CHECK_EQ(Delta_wait(&request, &status), MPI_SUCCESS);
}

// Datatypes with gaps on either side; they are freed as soon as they have been named.
static void with_gaps(void) {
  enum { n = 200 };
  check_part("datatypes with gaps");
  for (int gaps = 0; gaps < 16; ++gaps) {
    const int out_has = gaps & 1, in_has = gaps >> 1 & 1, named = gaps >> 2 & 1, waits = gaps >> 3;
    const int step_out = out_has ? 3 : 1, step_in = in_has ? 2 : 1;
    int wrong = 0;
    MPI_Datatype type_out, type_in;
    MPI_Request request, receives;
    MPI_Status status;
    fill(4 * n, gaps);
    MPI_Type_vector(n, 1, step_out, MPI_INT, &type_out);
    MPI_Type_vector(n / 2, 1, step_in, MPI_INT, &type_in);
    MPI_Type_create_resized(type_in, 0, (MPI_Aint)sizeof(int) * step_in * n / 2, &type_in);
    MPI_Type_commit(&type_out);
    MPI_Type_commit(&type_in);
    MPI_Irecv(in, 2, type_in, left, 2, MPI_COMM_WORLD, &receives);
    CHECK_EQ(Delta_send_begin(out, 1, type_out, right, 2, MPI_COMM_WORLD, &request), MPI_SUCCESS);
    MPI_Type_free(&type_out);
    MPI_Type_free(&type_in);
    // Naming part of elements with gaps makes no difference: all are sent at the end.
    for (int i = 0; named && i < n; i += out_has ? 2 : 1)
      CHECK_EQ(Delta_send_data(&out[i * step_out], sizeof(int)), MPI_SUCCESS);
    Delta_send_end(&request);
    if (waits) {
      for (int i = n - 1; i >= 0; --i) {
        CHECK_EQ(Delta_wait_data(&in[i * step_in], sizeof(int)), MPI_SUCCESS);
        wrong += in[i * step_in] != value(left, i * step_out, gaps);
      }
      // With what is between the elements.
      CHECK_EQ(Delta_wait_data(in, sizeof(int) * (size_t)(n * step_in)), MPI_SUCCESS);
    }
    Delta_wait(&receives, &status);
    for (int i = 0; i < n; ++i) wrong += in[i * step_in] != value(left, i * step_out, gaps);
    if (in_has)
      for (int i = 0; i < n; ++i) wrong += in[2 * i + 1] != -1;
    CHECK_EQ(wrong, 0);
    CHECK_EQ(count_of(&status, MPI_INT), n);
    Delta_wait(&request, MPI_STATUS_IGNORE);
  }

  // Part of elements without gaps goes to elements with gaps.
  MPI_Datatype second;
  MPI_Request request;
  MPI_Status status;
  fill(400, 8);
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &second);
  MPI_Type_commit(&second);
  Delta_send_begin(out, 100, MPI_INT, right, 3, MPI_COMM_WORLD, &request);
  for (int i = 79; i >= 0; i -= 10) Delta_send_data(&out[i], sizeof(int));
  Delta_send_end(&request);
  Delta_recv(in, 120, second, left, 3, MPI_COMM_WORLD, &status);
  for (int i = 0; i < 100; ++i) {
    CHECK_EQ(in[2 * i], i < 80 && i % 10 == 9 ? value(left, i, 8) : -1);
    CHECK_EQ(in[2 * i + 1], -1);
  }
  CHECK_EQ(count_of(&status, second), 80);
  Delta_wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&second);
}

// Datatypes made of others, without gaps between their elements.
static void made_types(void) {
  MPI_Datatype seven, backwards, located;
  MPI_Request request, receives;
  MPI_Status status;
  MPI_Aint address;
  check_part("datatypes made of others");
  MPI_Type_contiguous(7, MPI_INT, &seven);
  MPI_Type_commit(&seven);
  fill(100, 1);
  Delta_send_begin(out, 10, seven, right, 4, MPI_COMM_WORLD, &request);
  for (int i = 9; i >= 0; --i) Delta_send_data(&out[7 * i], 28);
  Delta_send_end(&request);
  MPI_Irecv(in, 12, seven, left, 4, MPI_COMM_WORLD, &receives);
  for (int i = 0; i < 70; ++i) {
    Delta_wait_data(&in[i], sizeof(int));
    CHECK_EQ(in[i], value(left, i, 1));
  }
  Delta_wait(&receives, &status);
  CHECK_EQ(count_of(&status, seven), 10);
  CHECK_EQ(in[70], -1);
  Delta_wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&seven);

  // Elements that do not begin at the address, and that go back in memory.
  fill(100, 2);
  MPI_Type_create_hindexed(2, (int[]){10, 10}, (MPI_Aint[]){160, 40}, MPI_INT, &backwards);
  MPI_Type_commit(&backwards);
  Delta_send_begin(out, 1, backwards, right, 4, MPI_COMM_WORLD, &request);
  CHECK_EQ(Delta_send_data(&out[12], 8), MPI_SUCCESS);
  CHECK_EQ(Delta_send_data(&out[40], 40), MPI_SUCCESS);
  Delta_send_end(&request);
  Delta_recv(in, 20, MPI_INT, left, 4, MPI_COMM_WORLD, &status);
  for (int i = 0; i < 20; ++i) CHECK_EQ(in[i], value(left, i < 10 ? 40 + i : i, 2));
  Delta_wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&backwards);

  // Elements at absolute addresses.
  fill(100, 3);
  MPI_Get_address(&out[5], &address);
  MPI_Type_create_hindexed(1, (int[]){20}, &address, MPI_INT, &located);
  MPI_Type_commit(&located);
  CHECK_EQ(Delta_send_begin(MPI_BOTTOM, 1, located, right, 4, MPI_COMM_WORLD, &request), MPI_SUCCESS);
  CHECK_EQ(Delta_send_data(&out[5], 80), MPI_SUCCESS);
  Delta_send_end(&request);
  Delta_recv(in, 20, MPI_INT, left, 4, MPI_COMM_WORLD, &status);
  for (int i = 0; i < 20; ++i) CHECK_EQ(in[i], value(left, i + 5, 3));
  Delta_wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&located);
}

// One buffer to all ranks, named once; buffers that overlap.
static void to_several(void) {
  enum { n = 3000 };
  MPI_Request* const requests = malloc(sizeof(MPI_Request) * (size_t)size);
  MPI_Request second;
  MPI_Status status;
  check_part("one buffer to several ranks");
  for (int order = 0; order < orders; ++order) {
    fill(n, 40 + order);
    for (int to = 0; to < size; ++to)
      Delta_send_begin(out, n, MPI_INT, (to + rank) % size, 5, MPI_COMM_WORLD, &requests[to]);
    name_all(out, sizeof(int) * n, 300, order);
    for (int to = size; to-- > 0;) {
      if (order == in_order) CHECK_EQ(Delta_wait(&requests[to], MPI_STATUS_IGNORE), MPI_SUCCESS);
      if (order != in_order) CHECK_EQ(Delta_send_end(&requests[to]), MPI_SUCCESS);
    }
    if (order != in_order) MPI_Waitall(size, requests, MPI_STATUSES_IGNORE);
    for (int from = 0; from < size; ++from) {
      Delta_recv(in, n, MPI_INT, from, 5, MPI_COMM_WORLD, &status);
      CHECK_EQ(differ_from(from, in, 0, n, 40 + order), 0);
    }
  }

  // Elements 0 … 1999 and 1000 … 2999: what both have is named once.
  fill(n, 60);
  Delta_send_begin(out, 2000, MPI_INT, right, 5, MPI_COMM_WORLD, &requests[0]);
  Delta_send_begin(out + 1000, 2000, MPI_INT, right, 6, MPI_COMM_WORLD, &second);
  CHECK_EQ(Delta_send_data(out + 1000, 4000), MPI_SUCCESS);
  CHECK_EQ(Delta_send_data(out, 4000), MPI_SUCCESS);
  CHECK_EQ(Delta_send_data(out + 2000, 4000), MPI_SUCCESS);
  Delta_send_end(&second);
  Delta_send_end(&requests[0]);
  MPI_Recv(in + 1000, n, MPI_INT, left, 6, MPI_COMM_WORLD, &status);
  CHECK_EQ(differ(1000, 3000, 60), 0);
  CHECK_EQ(count_of(&status, MPI_INT), 2000);
  MPI_Recv(in, n, MPI_INT, left, 5, MPI_COMM_WORLD, &status);
  CHECK_EQ(differ(0, 2000, 60), 0);
  CHECK_EQ(count_of(&status, MPI_INT), 2000);
  Delta_wait(&requests[0], MPI_STATUS_IGNORE);
  Delta_wait(&second, MPI_STATUS_IGNORE);

  // A send that has ended does not have the elements any more, and another one has.
  fill(n, 61);
  Delta_send_begin(out, 1000, MPI_INT, right, 5, MPI_COMM_WORLD, &requests[0]);
  Delta_send_data(out, 2000);
  Delta_send_end(&requests[0]);
  Delta_send_begin(out, 2000, MPI_INT, right, 5, MPI_COMM_WORLD, &second);
  CHECK_EQ(Delta_send_data(out, 8000), MPI_SUCCESS);
  Delta_wait(&second, MPI_STATUS_IGNORE);
  Delta_wait(&requests[0], MPI_STATUS_IGNORE);
  Delta_recv(in, n, MPI_INT, left, 5, MPI_COMM_WORLD, &status);
  CHECK_EQ(count_of(&status, MPI_INT), 500);
  CHECK_EQ(differ(0, 500, 61), 0);
  Delta_recv(in, n, MPI_INT, left, 5, MPI_COMM_WORLD, &status);
  CHECK_EQ(count_of(&status, MPI_INT), 2000);
  CHECK_EQ(differ(0, 2000, 61), 0);
  free(requests);
}

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

// The receiver's elements are longer than what the sender names, and the ranges on both sides cross.
static void crossing(void) {
  enum { bytes = 10000 };
  char* const from = (char*)out;
  char* const to = (char*)in;
  MPI_Request request, receives;
  MPI_Status status;
  check_part("ranges that cross");
  for (int each_out = 1; each_out < 5000; each_out = 3 * each_out + 4) {
    for (int each_in = 1; each_in < 5000; each_in = 5 * each_in + 2) {
      int wrong = 0;
      for (int i = 0; i < bytes; ++i) from[i] = (char)(i * 7 + rank + each_out), to[i] = 0;
      MPI_Irecv(to, bytes, MPI_BYTE, left, 1, MPI_COMM_WORLD, &receives);
      Delta_send_begin(from, bytes, MPI_BYTE, right, 1, MPI_COMM_WORLD, &request);
      name_all(from, bytes, (size_t)each_out, each_in % orders);
      Delta_send_end(&request);
      for (int i = 0; i < bytes; i += each_in) {
        const int end = i + each_in < bytes ? i + each_in : bytes;
        Delta_wait_data(to + i, (size_t)(end - i));
        for (int k = i; k < end; ++k) wrong += to[k] != (char)(k * 7 + left + each_out);
      }
      Delta_wait(&receives, &status);
      CHECK_EQ(count_of(&status, MPI_BYTE), bytes);
      CHECK_EQ(wrong, 0);
      Delta_wait(&request, MPI_STATUS_IGNORE);
    }
  }
}

int main(int argc, char** argv) {
  begin_ring(&argc, &argv);
  check_part("orders");
  for (int order = 0; order < orders; ++order) {
    for (int kind = 0; kind < 3; ++kind) {
      around(1, 4, order, kind, kind == 0);
      around(50, 1, order, kind, kind == 1);
      around(1000, 1, order, kind, kind == 2);
      around(1000, 7, order, kind, kind == 0);
      around(1000, 100, order, kind, kind == 1);
      around(5000, 3000, order, kind, kind == 2);
      around(5000, 20000, order, kind, kind == 0);
    }
  }
  check_part("kinds of receives");
  for (int kind = 0; kind < kinds; ++kind) {
    for (int later = 0; later < 2; ++later) {
      around(1000, 64, shuffled, kind, later);
      around(30000, 4000, in_order, kind, later);
      around(30000, 30000, from_the_end, kind, later);
      around(2000, 0, in_order, kind, later);
      around(3, 0, in_order, kind, later);
    }
  }
  check_part("long messages");
  for (int kind = 0; kind < kinds; kind += 3) around(most, 65536, kind % orders, kind, kind % 2);
  check_part("ordinary messages");
  for (int how = 0; how < 5; ++how) {
    for (int kind = 0; kind < kinds; ++kind) {
      ordinary(how, 10, kind);
      ordinary(how, 3000, kind);
    }
    ordinary(how, 300000, by_delta_recv);
    ordinary(how, 300000, by_wait_data);
    ordinary(how, 300000, by_start_and_data);
    ordinary(how, 0, by_delta_recv);
  }
  only_parts();
  nothing();
  with_gaps();
  made_types();
  to_several();
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
  crossing();
  return check_finish();
}

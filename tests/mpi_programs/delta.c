// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Delta messages: they leave while their elements are computed, and are used while they arrive.
#include "delta_messages.h"

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
  CHECK_EQ(Delta_send_data(out + 50, 0), MPI_SUCCESS);
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

// What a rank has named is there for others when it waits, whatever the size of an increment: it waits for an
// answer to what it has named, and for what comes of it after a tour of the ring.
static void answers(void) {
  enum { ranges = 20, each = 50, all = ranges * each };
  MPI_Request send, receives;
  int answer = -1;
  check_part("answers to what was named");
  fill(all, 8);
  MPI_Irecv(in, all, MPI_INT, left, 4, MPI_COMM_WORLD, &receives);
  Delta_send_begin(out, all, MPI_INT, right, 4, MPI_COMM_WORLD, &send);
  for (int k = 0; k < all; k += each) {
    Delta_send_data(&out[k], each * sizeof(int));
    Delta_wait_data(&in[k], each * sizeof(int));
    CHECK_EQ(differ(k, k + each, 8), 0);
    MPI_Send(&in[k], 1, MPI_INT, left, 5, MPI_COMM_WORLD);
    MPI_Recv(&answer, 1, MPI_INT, right, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_EQ(answer, out[k]);
  }
  Delta_wait(&send, MPI_STATUS_IGNORE);
  Delta_wait(&receives, MPI_STATUS_IGNORE);

  MPI_Irecv(in, all, MPI_INT, left, 4, MPI_COMM_WORLD, &receives);
  Delta_send_begin(out, all, MPI_INT, right, 4, MPI_COMM_WORLD, &send);
  for (int k = 0; k < all; k += each) {
    const int from = rank > 0 ? k : k - each;
    if (from >= 0) Delta_wait_data(&in[from], each * sizeof(int));
    for (int i = 0; i < each; ++i) out[k + i] = 1 + (from < 0 ? 0 : in[from + i]);
    Delta_send_data(&out[k], each * sizeof(int));
  }
  Delta_wait(&send, MPI_STATUS_IGNORE);
  Delta_wait(&receives, MPI_STATUS_IGNORE);
  CHECK_EQ(in[all - 1], ranges * size - (rank == 0 ? 0 : size - rank));
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
  crossing();
  answers();
  return check_finish();
}

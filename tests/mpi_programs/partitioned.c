// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partitioned messages: parts that travel when MPI_Pready names them.
#include <mpi.h>
#include <stdlib.h>

#include "ring.h"

enum { most = 40000 };
static int out[most], in[most];

static void fill(int round) {
  for (int i = 0; i < most; ++i) {
    out[i] = 1000000 * rank + 100 * i + round;
    in[i] = -1;
  }
}

// Elements first … end-1 are those of the left neighbour, the others untouched by this message.
static void check_elements(int first, int end, int round) {
  int wrong = 0;
  for (int i = first; i < end; ++i) wrong += in[i] != 1000000 * left + 100 * i + round;
  CHECK_EQ(wrong, 0);
}

// Both sides divide the same elements: into `parts_out` parts, and `parts_in`.
static void divided(int parts_out, int parts_in, int elements) {
  MPI_Request requests[2];
  MPI_Psend_init(out, parts_out, elements / parts_out, MPI_INT, right, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Precv_init(in, parts_in, elements / parts_in, MPI_INT, left, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  for (int round = 0; round < 4; ++round) {
    MPI_Status statuses[2];
    fill(round);
    MPI_Startall(2, requests);
    if (round == 0) {
      for (int part = 0; part < parts_out; ++part) MPI_Pready(part, requests[0]);
    } else if (round == 1) {
      for (int part = parts_out; part-- > 0;) MPI_Pready(part, requests[0]);
    } else if (round == 2) {
      MPI_Pready_range(0, parts_out - 1, requests[0]);
    } else {
      int* const list = malloc(sizeof(int) * (size_t)parts_out);
      for (int i = 0; i < parts_out; ++i) list[i] = i % 2 == 0 ? i / 2 : parts_out - 1 - i / 2;
      MPI_Pready_list(parts_out, list, requests[0]);
      free(list);
    }
    if (round % 2 == 1) {
      for (int part = 0; part < parts_in; ++part) {
        int arrived = 0;
        while (!arrived) MPI_Parrived(requests[1], part, &arrived);
        check_elements(part * (elements / parts_in), (part + 1) * (elements / parts_in), round);
      }
    }
    MPI_Waitall(2, requests, statuses);
    check_elements(0, elements, round);
    for (int i = elements; i < most; ++i) CHECK_EQ(in[i], -1);
    CHECK(requests[0] != MPI_REQUEST_NULL);
    CHECK_EQ(statuses[1].MPI_SOURCE, left);
    CHECK_EQ(statuses[1].MPI_TAG, 7);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  CHECK(requests[1] == MPI_REQUEST_NULL);
}

// Several messages with the same tag are paired in the order in which they are made; they are started in
// others.
static void several(void) {
  enum { messages = 5, each = 60 };
  MPI_Request send[messages], receive[messages];
  check_part("several with one tag");
  fill(0);
  for (int i = 0; i < messages; ++i) {
    MPI_Psend_init(&out[i * each], 3, each / 3, MPI_INT, right, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &send[i]);
    MPI_Precv_init(&in[i * each], 2, each / 2, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &receive[i]);
  }
  for (int i = messages; i-- > 0;) {
    MPI_Start(&send[i]);
    MPI_Pready_range(0, 2, send[i]);
  }
  for (int i = 0; i < messages; ++i) {
    MPI_Start(&receive[i]);
    MPI_Wait(&receive[i], MPI_STATUS_IGNORE);
    check_elements(i * each, (i + 1) * each, 0);
  }
  MPI_Waitall(messages, send, MPI_STATUSES_IGNORE);
  for (int i = 0; i < messages; ++i) {
    MPI_Request_free(&send[i]);
    MPI_Request_free(&receive[i]);
  }
}

// A part that is late leaves the others usable. Ordinary messages of the same tag are not mixed up with them.
static void late_part(void) {
  MPI_Request send, receive, plain;
  int arrived = 0, beside = -1, go = rank;
  check_part("a late part");
  fill(3);
  MPI_Precv_init(in, 4, 10, MPI_INT, left, 2, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
  MPI_Psend_init(out, 4, 10, MPI_INT, right, 2, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
  MPI_Start(&receive);
  MPI_Start(&send);
  MPI_Irecv(&beside, 1, MPI_INT, left, 2, MPI_COMM_WORLD, &plain);
  MPI_Pready(3, send);
  MPI_Pready(1, send);
  while (!arrived) MPI_Parrived(receive, 3, &arrived);
  arrived = 0;
  while (!arrived) MPI_Parrived(receive, 1, &arrived);
  check_elements(30, 40, 3);
  check_elements(10, 20, 3);
  MPI_Parrived(receive, 0, &arrived);
  CHECK_EQ(arrived, 0);
  CHECK_EQ(in[0], -1);
  int done = 1;
  MPI_Test(&send, &done, MPI_STATUS_IGNORE);
  CHECK_EQ(done, 0);
  MPI_Test(&receive, &done, MPI_STATUS_IGNORE);
  CHECK_EQ(done, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(&go, 1, MPI_INT, right, 2, MPI_COMM_WORLD);
  MPI_Wait(&plain, MPI_STATUS_IGNORE);
  CHECK_EQ(beside, left);
  MPI_Pready(0, send);
  MPI_Pready(2, send);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  check_elements(0, 40, 3);
  MPI_Request_free(&send);
  MPI_Request_free(&receive);
}

// Columns of a matrix leave, and arrive as rows; the datatypes are freed as soon as they have been named.
static void with_gaps(void) {
  enum { n = 12 };
  MPI_Datatype column, resized;
  MPI_Request requests[2];
  check_part("datatypes with gaps");
  MPI_Type_vector(n, 1, n, MPI_INT, &column);
  MPI_Type_create_resized(column, 0, sizeof(int), &resized);
  MPI_Type_commit(&resized);
  for (int both = 0; both < 2; ++both) {
    fill(both);
    MPI_Psend_init(out, n, 1, resized, right, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    if (both)
      MPI_Precv_init(in, n / 2, 2, resized, left, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    else
      MPI_Precv_init(in, n, n, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    if (both) MPI_Type_free(&resized);
    for (int round = 0; round < 2; ++round) {
      MPI_Startall(2, requests);
      for (int i = 0; i < n; ++i) MPI_Pready(5 * i % n, requests[0]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
      for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) CHECK_EQ(in[both ? k * n + i : i * n + k], 1000000 * left + 100 * (k * n + i) + both);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
  }
  MPI_Type_free(&column);
}

static void to_nobody(void) {
  MPI_Request requests[2];
  int arrived = 0;
  check_part("MPI_PROC_NULL");
  MPI_Psend_init(out, 3, 5, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Precv_init(in, 3, 5, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  for (int round = 0; round < 2; ++round) {
    MPI_Startall(2, requests);
    MPI_Pready_range(0, 2, requests[0]);
    MPI_Parrived(requests[1], 2, &arrived);
    CHECK_EQ(arrived, 1);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

// The sender is several rounds ahead of the receiver.
static void rounds_ahead(void) {
  enum { rounds = 6, each = 50 };
  MPI_Request send, receive;
  check_part("a sender that is ahead");
  fill(0);
  MPI_Psend_init(out, 5, each / 5, MPI_INT, right, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < each; ++i) out[i] = 1000000 * rank + 100 * i + round;
    MPI_Start(&send);
    MPI_Pready_range(0, 4, send);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Precv_init(in, 5, each / 5, MPI_INT, left, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
  for (int round = 0; round < rounds; ++round) {
    MPI_Start(&receive);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    check_elements(0, each, round);
  }
  MPI_Request_free(&send);
  MPI_Request_free(&receive);
}

static int class_of(int code) {
  int result = -1;
  MPI_Error_class(code, &result);
  return result;
}

// What MPICH 4.0 does not answer, or otherwise.
static void errors(void) {
  MPI_Request send, receive, plain;
  int arrived = 0, flag = 0;
  check_part("errors");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK_EQ(class_of(MPI_Psend_init(out, -1, 1, MPI_INT, right, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &send)), MPI_ERR_ARG);
  CHECK(send == MPI_REQUEST_NULL);
  CHECK_EQ(class_of(MPI_Psend_init(out, 1, -1, MPI_INT, right, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &send)), MPI_ERR_COUNT);
  CHECK_EQ(class_of(MPI_Psend_init(out, 1, 1, MPI_INT, size, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &send)), MPI_ERR_RANK);
  CHECK_EQ(class_of(MPI_Psend_init(out, 1, 1, MPI_INT, right, -5, MPI_COMM_WORLD, MPI_INFO_NULL, &send)), MPI_ERR_TAG);
  CHECK_EQ(class_of(MPI_Precv_init(in, 1, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &receive)),
           MPI_ERR_RANK);
  CHECK_EQ(class_of(MPI_Precv_init(in, 1, 1, MPI_INT, left, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_INFO_NULL, &receive)),
           MPI_ERR_TAG);
  MPI_Send_init(out, 1, MPI_INT, right, 5, MPI_COMM_WORLD, &plain);
  CHECK_EQ(class_of(MPI_Pready(0, plain)), MPI_ERR_REQUEST);
  CHECK_EQ(class_of(MPI_Parrived(plain, 0, &flag)), MPI_ERR_REQUEST);
  MPI_Request_free(&plain);
  CHECK_EQ(class_of(MPI_Pready(0, MPI_REQUEST_NULL)), MPI_ERR_REQUEST);

  fill(0);
  MPI_Psend_init(out, 3, 10, MPI_INT, right, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
  MPI_Precv_init(in, 3, 10, MPI_INT, left, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
  CHECK_EQ(class_of(MPI_Pready(0, send)), MPI_ERR_REQUEST);
  MPI_Parrived(receive, 0, &arrived);
  CHECK_EQ(arrived, 1);
  MPI_Start(&receive);
  MPI_Start(&send);
  CHECK_EQ(class_of(MPI_Start(&send)), MPI_ERR_REQUEST);
  CHECK_EQ(class_of(MPI_Pready(3, send)), MPI_ERR_ARG);
  CHECK_EQ(class_of(MPI_Parrived(receive, -1, &flag)), MPI_ERR_ARG);
  MPI_Pready(1, send);
  CHECK_EQ(class_of(MPI_Pready(1, send)), MPI_ERR_ARG);
  CHECK_EQ(class_of(MPI_Pready(0, receive)), MPI_ERR_REQUEST);
  CHECK_EQ(class_of(MPI_Wait(&send, MPI_STATUS_IGNORE)), MPI_ERR_REQUEST);
  MPI_Pready(0, send);
  MPI_Pready(2, send);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  check_elements(0, 30, 0);
  MPI_Request_free(&send);
  MPI_Request_free(&receive);

  MPI_Psend_init(out, 3, 10, MPI_INT, right, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
  MPI_Precv_init(in, 3, 9, MPI_INT, left, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
  MPI_Start(&receive);
  MPI_Start(&send);
  MPI_Pready_range(0, 2, send);
  CHECK_EQ(class_of(MPI_Wait(&receive, MPI_STATUS_IGNORE)), MPI_ERR_TRUNCATE);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  MPI_Request_free(&send);
  MPI_Request_free(&receive);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char** argv) {
  begin_ring(&argc, &argv);
  check_part("divided alike");
  divided(1, 1, 100);
  divided(8, 8, 64);
  divided(1000, 1000, 4000);
  check_part("divided otherwise");
  divided(12, 4, 240);
  divided(4, 12, 240);
  divided(6, 4, 240);
  divided(1, 40, 40000);
  check_part("long parts");
  divided(2, 2, 40000);
  several();
  with_gaps();
  to_nobody();
  rounds_ahead();
  if (argc > 1) {  // MPICH 4.0 sends nothing before all parts are there
    late_part();
    errors();
  }
  return check_finish();
}

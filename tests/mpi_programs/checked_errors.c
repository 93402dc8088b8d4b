// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrong programs, one for each argument. checked.test has what checked mode says of them.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { tag = 7 };

static int rank;

// Says when the program is about to go wrong.
static void failing(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  fprintf(stderr, "failing at %lld.%09ld\n", (long long)now.tv_sec, now.tv_nsec);
}

static MPI_Datatype structure(MPI_Datatype first, MPI_Datatype second) {
  MPI_Datatype made;
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){first, second}, &made);
  MPI_Type_commit(&made);
  return made;
}

// Rank 1 sends to rank 2, which receives something else.
static void other_elements(const char* how) {
  char out[64] = "", in[64];
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  int count = -1;
  const MPI_Datatype sent = structure(MPI_INT, MPI_DOUBLE), got = structure(MPI_INT, MPI_LONG);
  if (rank == 1) {
    if (strcmp(how, "kind") == 0) MPI_Send(out, 3, MPI_INT, 2, tag, MPI_COMM_WORLD);
    if (strcmp(how, "bytes") == 0) MPI_Ssend(out, 3, MPI_INT, 2, tag, MPI_COMM_WORLD);
    if (strcmp(how, "element") == 0) MPI_Isend(out, 2, sent, 2, tag, MPI_COMM_WORLD, &request);
    if (strcmp(how, "persistent") == 0) {
      MPI_Send_init(out, 2, sent, 2, tag, MPI_COMM_WORLD, &request);
      MPI_Start(&request);
    }
    if (strcmp(how, "probed") == 0) MPI_Bsend(out, 3, MPI_SHORT, 2, tag, MPI_COMM_WORLD);
    if (strcmp(how, "both") == 0)
      MPI_Sendrecv(out, 2, MPI_CHAR, 2, tag, in, 2, MPI_CHAR, 2, tag, MPI_COMM_WORLD, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (rank == 2) {
    failing();
    if (strcmp(how, "kind") == 0) MPI_Recv(in, 3, MPI_FLOAT, 1, tag, MPI_COMM_WORLD, &status);
    if (strcmp(how, "bytes") == 0)
      MPI_Recv(in, 12, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (strcmp(how, "element") == 0) {
      MPI_Irecv(in, 2, got, 1, tag, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, &status);
    }
    if (strcmp(how, "persistent") == 0) {
      MPI_Recv_init(in, 4, got, 1, tag, MPI_COMM_WORLD, &request);
      MPI_Startall(1, &request);
      MPI_Waitall(1, &request, &status);
    }
    if (strcmp(how, "probed") == 0) {
      MPI_Mprobe(1, tag, MPI_COMM_WORLD, &message, &status);
      MPI_Get_count(&status, MPI_SHORT, &count);
      MPI_Mrecv(in, count, MPI_UNSIGNED_SHORT, &message, &status);
    }
    if (strcmp(how, "both") == 0)
      MPI_Sendrecv(out, 2, MPI_CHAR, 1, tag, in, 2, MPI_SIGNED_CHAR, 1, tag, MPI_COMM_WORLD, &status);
  }
}

// Rank 1 writes what it sends, or rank 2 where it receives, before the request is complete.
static void written(const char* how) {
  enum { count = 10, ended = tag + 1 };
  int out[2 * count] = {0}, in[2 * count] = {0}, token = 0;
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Datatype second;
  MPI_Type_vector(count, 1, 2, MPI_INT, &second);
  MPI_Type_commit(&second);
  if (rank == 1) {
    if (strcmp(how, "send") == 0) MPI_Isend(out, count, MPI_INT, 2, tag, MPI_COMM_WORLD, &requests[0]);
    if (strcmp(how, "gaps") == 0) MPI_Issend(out, 1, second, 2, tag, MPI_COMM_WORLD, &requests[0]);
    if (strcmp(how, "start") == 0) {
      MPI_Rsend_init(out, count, MPI_INT, 2, tag, MPI_COMM_WORLD, &requests[0]);
      MPI_Start(&requests[0]);
    }
    if (requests[0] != MPI_REQUEST_NULL) {
      failing();
      out[6] = 1;
    } else {
      // The receiver has begun.
      MPI_Recv(&token, 1, MPI_INT, 2, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int i = 0; i < 2; ++i) {
        out[0] = i;
        MPI_Send(out, count, MPI_INT, 2, tag + i, MPI_COMM_WORLD);
      }
    }
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  }
  if (rank != 2) return;
  if (strcmp(how, "receive") != 0 && strcmp(how, "late") != 0 && strcmp(how, "twice") != 0) {
    MPI_Recv(in, count, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return;
  }
  MPI_Irecv(in, count, MPI_INT, 1, tag, MPI_COMM_WORLD, &requests[0]);
  if (strcmp(how, "twice") == 0) MPI_Irecv(in, count, MPI_INT, 1, ended, MPI_COMM_WORLD, &requests[1]);
  failing();
  if (strcmp(how, "receive") == 0) in[3] = 1;
  MPI_Send(&token, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
  if (strcmp(how, "late") == 0) {
    // Both messages have come then, but nobody has waited for the first.
    MPI_Recv(in + count, count, MPI_INT, 1, ended, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    in[3] = 1;
  }
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

// Rank 2 takes part in another collective than the others, or in another way.
static void other_calls(const char* how) {
  int out[20] = {0}, in[20] = {0};
  float real = 1;
  char bytes[16] = "";
  MPI_Request request = MPI_REQUEST_NULL;
  const MPI_Datatype pair = structure(MPI_INT, MPI_DOUBLE), other = structure(MPI_DOUBLE, MPI_INT);
  const int is_other = rank == 2;
  if (is_other) failing();
  if (strcmp(how, "kind") == 0) {
    if (is_other)
      MPI_Allreduce(out, in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    else
      MPI_Barrier(MPI_COMM_WORLD);
  }
  if (strcmp(how, "root") == 0) MPI_Bcast(out, 1, MPI_INT, is_other ? 2 : 0, MPI_COMM_WORLD);
  if (strcmp(how, "returned") == 0) MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (strcmp(how, "type") == 0 || strcmp(how, "returned") == 0) {
    if (is_other)
      MPI_Bcast(&real, 1, MPI_FLOAT, 0, MPI_COMM_WORLD);
    else
      MPI_Bcast(out, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  if (strcmp(how, "order") == 0) MPI_Bcast(bytes, 1, is_other ? other : pair, 0, MPI_COMM_WORLD);
  if (strcmp(how, "count") == 0)
    MPI_Reduce(out, in, is_other ? 20 : 10, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (strcmp(how, "later") == 0) {
    if (is_other)
      MPI_Ibcast(out, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    else
      MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

// Each rank waits for what another one does not do, because it waits, too.
static void circle(int is_nonblocking) {
  int number = 0, index;
  MPI_Request requests[2];
  failing();
  if (is_nonblocking) {
    if (rank == 0) MPI_Probe(MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) {
      MPI_Issend(&number, 1, MPI_INT, 2, 9, MPI_COMM_WORLD, &requests[0]);
      MPI_Waitall(1, requests, MPI_STATUSES_IGNORE);
    }
    if (rank == 2) {
      for (int i = 0; i < 2; ++i) MPI_Irecv(&number, 1, MPI_INT, i, 10, MPI_COMM_WORLD, &requests[i]);
      MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    }
    if (rank == 3) MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return;
  }
  if (rank == 0) MPI_Recv(&number, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) {
    MPI_Irecv(&number, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  }
  if (rank == 2) MPI_Ssend(&number, 1, MPI_INT, 3, 10, MPI_COMM_WORLD);
  if (rank == 3) MPI_Barrier(MPI_COMM_WORLD);
}

// Nobody receives what rank 1 sends, and rank 2 waits for nothing that it has asked for.
static void left_over(void) {
  static int number[2];
  MPI_Request request;
  if (rank == 1) MPI_Send(number, 2, MPI_INT, 2, tag, MPI_COMM_WORLD);
  if (rank == 2) MPI_Irecv(number, 2, MPI_INT, 1, tag + 1, MPI_COMM_WORLD, &request);
}

// The same as with other elements, and MPI_ERRORS_RETURN: the call says so, and the program goes on.
static void returned(void) {
  int number = 5, code, class_of = -1, count = -1;
  float in[4] = {0};
  MPI_Status status;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank == 1) {
    MPI_Send(&number, 1, MPI_INT, 2, tag, MPI_COMM_WORLD);
    MPI_Send(in, 2, MPI_FLOAT, 2, tag, MPI_COMM_WORLD);
  }
  if (rank != 2) return;
  code = MPI_Recv(in, 4, MPI_FLOAT, 1, tag, MPI_COMM_WORLD, &status);
  MPI_Error_class(code, &class_of);
  if (class_of != MPI_ERR_TYPE) exit(2);
  code = MPI_Recv(in, 4, MPI_FLOAT, 1, tag, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_FLOAT, &count);
  if (code != MPI_SUCCESS || count != 2) exit(3);
}

int main(int argc, char** argv) {
  static char space[4096];
  const char* const how = argc > 1 ? argv[1] : "";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Buffer_attach(space, sizeof space);
  MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(how, "returned") == 0)
    returned();
  else if (strncmp(how, "write-", 6) == 0)
    written(how + 6);
  else if (strncmp(how, "call-", 5) == 0)
    other_calls(how + 5);
  else if (strncmp(how, "circle", 6) == 0)
    circle(strcmp(how, "circle-nonblocking") == 0);
  else if (strcmp(how, "left") == 0)
    left_over();
  else
    other_elements(how);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Probes, and messages that are received by their handles.
#include <mpi.h>
#include <stdlib.h>

#include "ring.h"

static int count_of(const MPI_Status* status, MPI_Datatype type) {
  int count = -1;
  MPI_Get_count(status, type, &count);
  return count;
}

static void check_status(const MPI_Status* status, int source, int tag, int count) {
  CHECK_EQ(status->MPI_SOURCE, source);
  CHECK_EQ(status->MPI_TAG, tag);
  CHECK_EQ(count_of(status, MPI_INT), count);
}

// The message that is probed is the one that is received, of all lengths.
static void lengths(void) {
  const int most = 100000;
  int* const out = malloc(sizeof(int) * (size_t)most);
  int* const in = malloc(sizeof(int) * (size_t)most);
  MPI_Status status;
  MPI_Request request;
  check_part("probes of messages of all lengths");
  for (int i = 0; i < most; ++i) out[i] = rank + i;
  for (int count = 0; count <= most; count = 3 * count + 1) {
    MPI_Isend(out, count, MPI_INT, right, count, MPI_COMM_WORLD, &request);
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    check_status(&status, left, count, count);
    MPI_Recv(in, count_of(&status, MPI_INT), MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
             &status);
    check_status(&status, left, count, count);
    if (count > 0) CHECK_EQ(in[count - 1], left + count - 1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  free(out);
  free(in);
}

static void probes_see_only_what_nobody_receives(void) {
  int flag = -1, values[3] = {1, 2, 3}, in[3], got = 0;
  MPI_Status status;
  MPI_Request receive, sends[3];
  MPI_Comm other;
  check_part("probes do not see what is received, or of other communicators");
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
  CHECK_EQ(flag, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Irecv(&got, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &receive);
  MPI_Isend(values, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &sends[0]);
  MPI_Isend(values, 2, MPI_INT, right, 1, MPI_COMM_WORLD, &sends[1]);
  MPI_Isend(values, 3, MPI_INT, right, 1, other, &sends[2]);
  MPI_Probe(left, 1, MPI_COMM_WORLD, &status);
  check_status(&status, left, 1, 2);
  MPI_Probe(left, MPI_ANY_TAG, other, &status);
  check_status(&status, left, 1, 3);
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  CHECK_EQ(got, 1);
  MPI_Recv(in, 3, MPI_INT, left, 1, MPI_COMM_WORLD, &status);
  check_status(&status, left, 1, 2);
  MPI_Recv(in, 3, MPI_INT, left, 1, other, &status);
  check_status(&status, left, 1, 3);
  MPI_Waitall(3, sends, MPI_STATUSES_IGNORE);
  MPI_Iprobe(MPI_PROC_NULL, 4, MPI_COMM_WORLD, &flag, &status);
  CHECK_EQ(flag, 1);
  check_status(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
  MPI_Comm_free(&other);
}

// A message of MPI_Mprobe goes to no other receive.
static void matched(void) {
  int out[4] = {0, 1, 2, 3}, in[4], flag = 0;
  MPI_Message first, second = MPI_MESSAGE_NULL, none;
  MPI_Request request, sends[3];
  MPI_Status status;
  check_part("matched probes");
  for (int count = 1; count <= 3; ++count)
    MPI_Isend(out, count, MPI_INT, right, 6, MPI_COMM_WORLD, &sends[count - 1]);
  MPI_Mprobe(left, 6, MPI_COMM_WORLD, &first, &status);
  check_status(&status, left, 6, 1);
  while (!flag) MPI_Improbe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &flag, &second, &status);
  check_status(&status, left, 6, 2);
  MPI_Recv(in, 4, MPI_INT, left, 6, MPI_COMM_WORLD, &status);
  check_status(&status, left, 6, 3);
  MPI_Improbe(left, 6, MPI_COMM_WORLD, &flag, &none, &status);
  CHECK_EQ(flag, 0);
  MPI_Imrecv(in, 4, MPI_INT, &second, &request);
  CHECK(second == MPI_MESSAGE_NULL);
  MPI_Wait(&request, &status);
  check_status(&status, left, 6, 2);
  CHECK_EQ(in[1], 1);
  MPI_Mrecv(in, 4, MPI_INT, &first, &status);
  CHECK(first == MPI_MESSAGE_NULL);
  check_status(&status, left, 6, 1);
  MPI_Waitall(3, sends, MPI_STATUSES_IGNORE);
  MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &none, &status);
  CHECK(none == MPI_MESSAGE_NO_PROC);
  check_status(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
  MPI_Mrecv(in, 4, MPI_INT, &none, &status);
  CHECK(none == MPI_MESSAGE_NULL);
  check_status(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
}

// A synchronous send is complete once its message is received, not when it is probed.
static void matched_synchronous(void) {
  int flag = -1, got = -1;
  MPI_Message message;
  MPI_Request request;
  check_part("matched probes of synchronous sends");
  MPI_Issend(&rank, 1, MPI_INT, right, 8, MPI_COMM_WORLD, &request);
  MPI_Mprobe(left, 8, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
  MPI_Mrecv(&got, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  CHECK_EQ(got, left);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void vectors_and_truncation(void) {
  int out[6] = {1, 2, 3, 4, 5, 6}, in[12] = {0}, code, class_of;
  MPI_Datatype strided;
  MPI_Message message;
  MPI_Request request;
  MPI_Status status;
  MPI_Comm comm;
  check_part("matched receives with layouts, and truncated");
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Type_vector(6, 1, 2, MPI_INT, &strided);
  MPI_Type_commit(&strided);
  MPI_Isend(out, 6, MPI_INT, right, 2, comm, &request);
  MPI_Mprobe(left, 2, comm, &message, &status);
  CHECK_EQ(count_of(&status, strided), 1);
  MPI_Mrecv(in, 1, strided, &message, &status);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < 12; ++i) CHECK_EQ(in[i], i % 2 ? 0 : i / 2 + 1);
  MPI_Type_free(&strided);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Isend(out, 6, MPI_INT, right, 2, comm, &request);
  MPI_Mprobe(left, 2, comm, &message, &status);
  code = MPI_Mrecv(in, 2, MPI_INT, &message, &status);
  MPI_Error_class(code, &class_of);
  CHECK_EQ(class_of, MPI_ERR_TRUNCATE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
  begin_ring(&argc, &argv);
  lengths();
  MPI_Barrier(MPI_COMM_WORLD);
  probes_see_only_what_nobody_receives();
  MPI_Barrier(MPI_COMM_WORLD);
  matched();
  MPI_Barrier(MPI_COMM_WORLD);
  matched_synchronous();
  vectors_and_truncation();
  return check_finish();
}

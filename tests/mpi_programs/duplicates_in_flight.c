/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MPI_Comm_idup: several under way, in different orders, of all kinds of communicators. */
#include <stdlib.h>

#include "check.h"

enum { copies = 8 };

static int rank, size;

/* Each communicator's messages are its own: of equal tags, received in the other order. */
static void check_apart(MPI_Comm a, MPI_Comm b) {
  int to = (rank + 1) % size, from = (rank + size - 1) % size;
  int out[2] = {10 + rank, 20 + rank}, in[2] = {-1, -1};
  MPI_Request sends[2];
  MPI_Isend(&out[0], 1, MPI_INT, to, 3, a, &sends[0]);
  MPI_Isend(&out[1], 1, MPI_INT, to, 3, b, &sends[1]);
  MPI_Recv(&in[1], 1, MPI_INT, from, 3, b, MPI_STATUS_IGNORE);
  MPI_Recv(&in[0], 1, MPI_INT, from, 3, a, MPI_STATUS_IGNORE);
  MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
  CHECK_EQ(in[0], 10 + from);
  CHECK_EQ(in[1], 20 + from);
}

static void check_many(void) {
  MPI_Comm made[copies];
  MPI_Request requests[copies + 1];
  int i, result, sum = 0;
  check_part("many");
  for (i = 0; i < copies; ++i) MPI_Comm_idup(MPI_COMM_WORLD, &made[i], &requests[i]);
  MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[copies]);
  MPI_Waitall(copies + 1, requests, MPI_STATUSES_IGNORE);
  CHECK_EQ(sum, size * (size - 1) / 2);
  for (i = 0; i < copies; ++i) {
    CHECK_EQ(requests[i], MPI_REQUEST_NULL);
    MPI_Comm_compare(MPI_COMM_WORLD, made[i], &result);
    CHECK_EQ(result, MPI_CONGRUENT);
    check_apart(made[i], made[(i + 1) % copies]);
  }
  for (i = 0; i < copies; ++i) MPI_Comm_free(&made[i]);
}

/* The ranks begin the duplicates of two communicators in different orders, and use others meanwhile. */
static void check_orders(void) {
  MPI_Comm parents[2], made[2], between;
  MPI_Request requests[2];
  int first = rank % 2, i;
  check_part("orders");
  MPI_Comm_dup(MPI_COMM_WORLD, &parents[0]);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &parents[1]);
  for (i = 0; i < 2; ++i) {
    int which = i == 0 ? first : 1 - first;
    MPI_Comm_idup(parents[which], &made[which], &requests[which]);
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &between);
  for (i = 0; i < 2; ++i) MPI_Comm_free(&parents[i]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  /* The second one has the ranks in the other order. */
  {
    int number;
    MPI_Comm_rank(made[1], &number);
    CHECK_EQ(number, size - 1 - rank);
  }
  check_apart(made[0], between);
  {
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    int out[2] = {1, 2}, in[2] = {-1, -1};
    MPI_Request sends[2];
    MPI_Isend(&out[0], 1, MPI_INT, to, 3, made[0], &sends[0]);
    MPI_Isend(&out[1], 1, MPI_INT, size - 1 - to, 3, made[1], &sends[1]);
    MPI_Recv(&in[1], 1, MPI_INT, size - 1 - from, 3, made[1], MPI_STATUS_IGNORE);
    MPI_Recv(&in[0], 1, MPI_INT, from, 3, made[0], MPI_STATUS_IGNORE);
    MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
    CHECK_EQ(in[0], 1);
    CHECK_EQ(in[1], 2);
  }
  for (i = 0; i < 2; ++i) MPI_Comm_free(&made[i]);
  MPI_Comm_free(&between);
}

static int copy_attribute(MPI_Comm comm, int key, void* state, void* value, void* made, int* flag) {
  (void)comm, (void)key, (void)state;
  *(void**)made = (char*)value + 1;
  *flag = 1;
  return MPI_SUCCESS;
}

static int refuse_attribute(MPI_Comm comm, int key, void* state, void* value, void* made, int* flag) {
  (void)comm, (void)key, (void)state, (void)value, (void)made, (void)flag;
  return MPI_ERR_ARG;
}

static void check_attributes(void) {
  static char place[2];
  MPI_Comm parent, made;
  MPI_Request request;
  int key, refusing, found = 0, dimensions[1], periodic[1] = {1}, topology;
  void* value = NULL;
  check_part("attributes and topologies");
  dimensions[0] = size;
  MPI_Cart_create(MPI_COMM_WORLD, 1, dimensions, periodic, 0, &parent);
  MPI_Comm_create_keyval(copy_attribute, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(parent, key, place);
  MPI_Comm_idup(parent, &made, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_get_attr(made, key, &value, &found);
  CHECK_EQ(found, 1);
  CHECK(value == place + 1);
  MPI_Topo_test(made, &topology);
  CHECK_EQ(topology, MPI_CART);
  MPI_Comm_free(&made);
  /* A function that fails makes the call fail, and the next one works. */
  MPI_Comm_create_keyval(refuse_attribute, MPI_COMM_NULL_DELETE_FN, &refusing, NULL);
  MPI_Comm_set_attr(parent, refusing, place);
  MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN);
  CHECK(MPI_Comm_idup(parent, &made, &request) != MPI_SUCCESS);
  MPI_Comm_delete_attr(parent, refusing);
  MPI_Comm_idup(parent, &made, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  check_apart(parent, made);
  MPI_Comm_free(&made);
  MPI_Comm_free_keyval(&key);
  MPI_Comm_free_keyval(&refusing);
  MPI_Comm_free(&parent);
}

static void check_between_groups(void) {
  MPI_Comm half, between, made;
  MPI_Request request;
  int inter = 0, remote, own, value = -1;
  check_part("intercommunicators");
  if (size < 2) return;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &between);
  MPI_Comm_idup(between, &made, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_test_inter(made, &inter);
  CHECK_EQ(inter, 1);
  MPI_Comm_remote_size(made, &remote);
  CHECK_EQ(remote, rank % 2 ? (size + 1) / 2 : size / 2);
  MPI_Comm_rank(made, &own);
  if (own == 0)
    MPI_Sendrecv(&rank, 1, MPI_INT, 0, 1, &value, 1, MPI_INT, 0, 1, made, MPI_STATUS_IGNORE);
  if (own == 0) CHECK_EQ(value, 1 - rank % 2);
  MPI_Comm_free(&made);
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

static void check_errors(void) {
  MPI_Comm made = MPI_COMM_WORLD;
  MPI_Request request = MPI_REQUEST_NULL;
  int class_of_error;
  check_part("errors");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Error_class(MPI_Comm_idup(MPI_COMM_NULL, &made, &request), &class_of_error);
  CHECK_EQ(class_of_error, MPI_ERR_COMM);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  CHECK_EQ(request, MPI_REQUEST_NULL);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check_many();
  check_orders();
  check_attributes();
  check_between_groups();
  check_errors();
  return check_finish();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Communicators: how they are made, compared, named and freed, and that they keep messages apart.
//
// Comm_dup, Comm_idup, Comm_dup_with_info, Comm_split, Comm_split_type, Comm_create,
// Comm_create_group, Comm_compare, names, Comm_free with messages under way, thousands of
// communicators one after another and many at once, messages and collectives in several at the same
// time, MPI_COMM_SELF, MPI_COMM_NULL. An argument says how often the world is copied and the copy
// freed; it is 150 without, because MPICH needs long for it where ranks are more than cores.
#include <mpi.h>
#include <stdlib.h>

#include "ring.h"

// Its size and this rank's number in it, and that a collective works.
static void check_comm(MPI_Comm comm, int expected_size, int expected_rank) {
  int number = -1, ranks = -1, sum = -1;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &number);
  CHECK_EQ(ranks, expected_size);
  CHECK_EQ(number, expected_rank);
  number += 1;
  MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, comm);
  CHECK_EQ(sum, ranks * (ranks + 1) / 2);
}

static int compare(MPI_Comm one, MPI_Comm other) {
  int result = -1;
  MPI_Comm_compare(one, other, &result);
  return result;
}

static void check_predefined(void) {
  int value = rank, got = -1;
  check_comm(MPI_COMM_WORLD, size, rank);
  check_comm(MPI_COMM_SELF, 1, 0);
  CHECK_EQ(compare(MPI_COMM_WORLD, MPI_COMM_WORLD), MPI_IDENT);
  CHECK_EQ(compare(MPI_COMM_WORLD, MPI_COMM_SELF), size == 1 ? MPI_CONGRUENT : MPI_UNEQUAL);
  MPI_Sendrecv(&value, 1, MPI_INT, 0, 1, &got, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  CHECK_EQ(got, rank);
  char name[MPI_MAX_OBJECT_NAME];
  int length = 0;
  MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
  CHECK_STR(name, "MPI_COMM_WORLD");
  CHECK_EQ(length, 14);
  MPI_Comm_get_name(MPI_COMM_SELF, name, &length);
  CHECK_STR(name, "MPI_COMM_SELF");
}

static void check_dup(void) {
  MPI_Comm copy, second, third;
  MPI_Request request;
  char name[MPI_MAX_OBJECT_NAME] = "?";
  int length = -1;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  CHECK_EQ(compare(MPI_COMM_WORLD, copy), MPI_CONGRUENT);
  CHECK_EQ(compare(copy, copy), MPI_IDENT);
  check_comm(copy, size, rank);
  MPI_Comm_get_name(copy, name, &length);
  CHECK_EQ(length, 0);  // names are not copied
  MPI_Comm_set_name(copy, "a copy of the world");
  MPI_Comm_get_name(copy, name, &length);
  CHECK_STR(name, "a copy of the world");
  CHECK_EQ(length, 19);
  MPI_Comm_idup(copy, &second, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  check_comm(second, size, rank);
  MPI_Comm_dup_with_info(copy, MPI_INFO_NULL, &third);
  check_comm(third, size, rank);
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Comm_set_info(third, info);
  MPI_Info_free(&info);
  MPI_Comm_get_info(third, &info);
  CHECK(info != MPI_INFO_NULL);
  MPI_Info_free(&info);
  MPI_Comm_free(&copy);
  CHECK(copy == MPI_COMM_NULL);
  check_comm(second, size, rank);
  CHECK_EQ(compare(second, third), MPI_CONGRUENT);
  MPI_Comm_free(&second);
  MPI_Comm_free(&third);
  MPI_Comm_dup(MPI_COMM_SELF, &copy);
  check_comm(copy, 1, 0);
  MPI_Comm_free(&copy);
}

static void check_split(void) {
  MPI_Comm part = MPI_COMM_NULL;
  // Odd and even, in reverse order.
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
  const int evens = (size + 1) / 2, mine = rank % 2 ? size / 2 : evens;
  check_comm(part, mine, mine - 1 - rank / 2);
  CHECK_EQ(compare(part, MPI_COMM_WORLD), size == 1 ? MPI_CONGRUENT : MPI_UNEQUAL);
  // A part of the part: its first rank, and the others.
  int number;
  MPI_Comm_rank(part, &number);
  MPI_Comm deeper;
  MPI_Comm_split(part, number > 0, 0, &deeper);
  check_comm(deeper, number > 0 ? mine - 1 : 1, number > 0 ? number - 1 : 0);
  MPI_Comm_disconnect(&deeper);
  CHECK(deeper == MPI_COMM_NULL);
  MPI_Comm_free(&part);
  // All in reverse: the same ranks in another order.
  MPI_Comm_split(MPI_COMM_WORLD, 7, size - rank, &part);
  check_comm(part, size, size - 1 - rank);
  CHECK_EQ(compare(part, MPI_COMM_WORLD), size == 1 ? MPI_CONGRUENT : MPI_SIMILAR);
  MPI_Comm_free(&part);
  // The same keys keep the order.
  MPI_Comm_split(MPI_COMM_WORLD, 0, 5, &part);
  CHECK_EQ(compare(part, MPI_COMM_WORLD), MPI_CONGRUENT);
  MPI_Comm_free(&part);
  // Some take no part.
  MPI_Comm_split(MPI_COMM_WORLD, rank % 3 == 1 ? MPI_UNDEFINED : 1000000 + rank % 3, rank, &part);
  if (rank % 3 == 1)
    CHECK(part == MPI_COMM_NULL);
  else
    check_comm(part, rank % 3 == 0 ? (size + 2) / 3 : size / 3, rank / 3);
  if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
  // One machine, one memory.
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &part);
  check_comm(part, size, size - 1 - rank);
  MPI_Comm_free(&part);
  MPI_Comm_split_type(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, rank,
                      MPI_INFO_NULL, &part);
  if (rank == 0)
    CHECK(part == MPI_COMM_NULL);
  else
    check_comm(part, size - 1, rank - 1);
  if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
}

static void check_create(void) {
  MPI_Group world, some, empty = MPI_GROUP_EMPTY;
  MPI_Comm made = MPI_COMM_WORLD;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  // The ranks from the last to the first, without each second one.
  int ranks[64], members = 0, mine = -1;
  for (int i = size - 1; i >= 0; i -= 2) {
    if (i == rank) mine = members;
    ranks[members++] = i;
  }
  MPI_Group_incl(world, members, ranks, &some);
  MPI_Comm_create(MPI_COMM_WORLD, some, &made);
  if (mine < 0)
    CHECK(made == MPI_COMM_NULL);
  else
    check_comm(made, members, mine);
  if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
  // The same by its members alone.
  if (mine >= 0) {
    MPI_Comm_create_group(MPI_COMM_WORLD, some, 17, &made);
    check_comm(made, members, mine);
    MPI_Comm_free(&made);
  }
  MPI_Comm_create(MPI_COMM_WORLD, empty, &made);
  CHECK(made == MPI_COMM_NULL);
  // Groups that have no ranks in common, in one call.
  MPI_Group half;
  int range[1][3] = {
      {rank < size / 2 ? 0 : size / 2, rank < size / 2 ? size / 2 - 1 : size - 1, 1}};
  MPI_Group_range_incl(world, 1, range, &half);
  MPI_Comm_create(MPI_COMM_WORLD, half, &made);
  check_comm(made, range[0][1] - range[0][0] + 1, rank - range[0][0]);
  MPI_Comm_free(&made);
  MPI_Group_free(&half);
  MPI_Group_free(&some);
  MPI_Group_free(&world);
}

// A communicator lives until its messages have arrived.
static void check_free(void) {
  MPI_Comm copy;
  MPI_Request requests[2];
  MPI_Status statuses[2];
  int sent[2000], got[2000];
  for (int i = 0; i < 2000; ++i) sent[i] = rank + i, got[i] = -1;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Irecv(got, 2000, MPI_INT, left, 4, copy, &requests[0]);
  MPI_Barrier(copy);
  MPI_Isend(sent, 2000, MPI_INT, right, 4, copy, &requests[1]);
  MPI_Comm_free(&copy);
  CHECK(copy == MPI_COMM_NULL);
  MPI_Waitall(2, requests, statuses);
  CHECK_EQ(statuses[0].MPI_SOURCE, left);
  CHECK_EQ(got[0], left);
  CHECK_EQ(got[1999], left + 1999);
}

static void check_many(int times) {
  MPI_Comm copy;
  for (int i = 0; i < 5000; ++i) {
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    if (i % 1000 == 0) check_comm(copy, 1, 0);
    MPI_Comm_free(&copy);
  }
  for (int i = 0; i < times; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (i % 100 == 0) check_comm(copy, size, rank);
    MPI_Comm_free(&copy);
  }
  enum { at_once = 60 };
  MPI_Comm comms[at_once];
  for (int i = 0; i < at_once; ++i)
    if (i % 10)
      MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    else
      MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comms[i]);
  for (int i = 0; i < at_once; i += 9) check_comm(comms[i], size, rank);
  for (int i = at_once; i-- > 0;) MPI_Comm_free(&comms[i]);
}

// The same tags in several communicators, sent and received in different orders.
static void check_apart(void) {
  enum { comms = 6 };
  MPI_Comm all[comms];
  int sent[comms][2], got[comms][2], value = -1;
  MPI_Request requests[2 * comms];
  all[0] = MPI_COMM_WORLD;
  for (int i = 1; i < comms; ++i) MPI_Comm_dup(all[i - 1], &all[i]);
  for (int i = 0; i < comms; ++i)
    for (int k = 0; k < 2; ++k) {
      sent[i][k] = 1000 * rank + 10 * i + k;
      MPI_Isend(&sent[i][k], 1, MPI_INT, right, 3, all[i], &requests[2 * i + k]);
    }
  // Collectives in between, each in its own communicator.
  for (int i = comms - 1; i >= 0; --i) {
    value = rank == i % size ? 100 + i : -1;
    MPI_Bcast(&value, 1, MPI_INT, i % size, all[i]);
    CHECK_EQ(value, 100 + i);
  }
  for (int i = comms - 1; i >= 0; --i)
    for (int k = 0; k < 2; ++k) {
      MPI_Recv(&got[i][k], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, all[i], MPI_STATUS_IGNORE);
      CHECK_EQ(got[i][k], 1000 * left + 10 * i + k);
    }
  MPI_Waitall(2 * comms, requests, MPI_STATUSES_IGNORE);
  // A collective's messages and those of the same communicator do not mix either.
  MPI_Isend(&rank, 1, MPI_INT, right, 0, all[1], &requests[0]);
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, all[1]);
  CHECK_EQ(sum, size * (size - 1) / 2);
  MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, all[1], MPI_STATUS_IGNORE);
  CHECK_EQ(value, left);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  // Rows and columns at once: a rank of a row waits for another row's only through the columns.
  MPI_Comm row, column;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 3, rank, &row);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 3, rank, &column);
  long total = rank + 1;
  MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_LONG, MPI_SUM, row);
  long most = total;
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_LONG, MPI_MAX, column);
  long expected = 0;
  for (int r = rank % 3; r < size; r += 3) {
    long of_row = 0;
    for (int k = r / 3 * 3; k < r / 3 * 3 + 3 && k < size; ++k) of_row += k + 1;
    if (of_row > expected) expected = of_row;
  }
  CHECK_EQ(most, expected);
  MPI_Comm_free(&row);
  MPI_Comm_free(&column);
  for (int i = 1; i < comms; ++i) MPI_Comm_free(&all[i]);
}

int main(int argc, char** argv) {
  begin_ring(&argc, &argv);
  check_part("predefined");
  check_predefined();
  check_part("dup");
  check_dup();
  check_part("split");
  check_split();
  check_part("create");
  check_create();
  check_part("free");
  check_free();
  check_part("many");
  check_many(argc > 1 ? atoi(argv[1]) : 150);
  check_part("apart");
  check_apart();
  return check_finish();
}

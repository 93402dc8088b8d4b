// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intercommunicators: two groups that talk to each other.
//
// Intercomm_create, Comm_test_inter, Comm_remote_size, Comm_remote_group, Comm_compare,
// point-to-point messages, collectives (Barrier, Bcast, Reduce, Allreduce, Gather, Scatter,
// Allgather, Alltoall), Comm_dup, Comm_split and Intercomm_merge. One rank alone only checks that
// the world is none.
#include <mpi.h>

#include "check.h"

static int rank, size;
static int low;           // whether this rank is of the first group
static int mine, others;  // how many ranks there are here and there
static int number;        // this rank's in its group
static MPI_Comm local, inter;

// The rank in the world of a member of the other group.
static int world_rank_there(int member) { return low ? mine + member : member; }

static void check_shape(void) {
  int flag = -1, count = -1, place = -1, result = -1;
  MPI_Group group, world;
  MPI_Comm_test_inter(MPI_COMM_WORLD, &flag);
  CHECK_EQ(flag, 0);
  MPI_Comm_test_inter(inter, &flag);
  CHECK_EQ(flag, 1);
  MPI_Comm_size(inter, &count);
  CHECK_EQ(count, mine);
  MPI_Comm_rank(inter, &place);
  CHECK_EQ(place, number);
  MPI_Comm_remote_size(inter, &count);
  CHECK_EQ(count, others);
  MPI_Comm_remote_group(inter, &group);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_size(group, &count);
  CHECK_EQ(count, others);
  for (int i = 0; i < others; ++i) {
    MPI_Group_translate_ranks(group, 1, &i, world, &place);
    CHECK_EQ(place, world_rank_there(i));
  }
  MPI_Group_free(&group);
  MPI_Comm_group(inter, &group);
  MPI_Group_rank(group, &place);
  CHECK_EQ(place, number);
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  MPI_Comm_compare(inter, inter, &result);
  CHECK_EQ(result, MPI_IDENT);
}

// Ranks are those of the other group.
static void check_messages(void) {
  MPI_Request requests[64];
  int sent[32][2], got = -1;
  MPI_Status status;
  for (int to = 0; to < others; ++to) {
    sent[to][0] = rank;
    sent[to][1] = world_rank_there(to);
    MPI_Isend(sent[to], 2, MPI_INT, to, number, inter, &requests[to]);
  }
  for (int i = 0; i < others; ++i) {
    int pair[2] = {-1, -1};
    MPI_Recv(pair, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, inter, &status);
    CHECK_EQ(pair[0], world_rank_there(status.MPI_SOURCE));
    CHECK_EQ(pair[1], rank);
    CHECK_EQ(status.MPI_TAG, status.MPI_SOURCE);
  }
  MPI_Waitall(others, requests, MPI_STATUSES_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  // Pairs; the larger group's rest has nobody.
  const int partner = number < others ? number : MPI_PROC_NULL;
  MPI_Sendrecv(&rank, 1, MPI_INT, partner, 5, &got, 1, MPI_INT, partner, 5, inter, &status);
  CHECK_EQ(got, partner == MPI_PROC_NULL ? -1 : world_rank_there(partner));
}

static int root_for(int from_low, int root) {
  if (from_low != low) return root;
  return number == root ? MPI_ROOT : MPI_PROC_NULL;
}

static void check_collectives(void) {
  int all[64], out[64], value, sum;
  MPI_Barrier(inter);
  for (int from_low = 0; from_low < 2; ++from_low) {
    const int there = from_low == low ? others : mine;  // ranks of the receiving group
    const int here = from_low == low ? mine : others;   // ranks of the root's group
    for (int root = 0; root < here; ++root) {
      const int argument = root_for(from_low, root);
      value = argument == MPI_ROOT ? 500 + root : -1;
      MPI_Bcast(&value, 1, MPI_INT, argument, inter);
      CHECK_EQ(value, from_low != low || argument == MPI_ROOT ? 500 + root : -1);
      // The other group's sum reaches the root.
      sum = -1;
      value = number + 1;
      MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, argument, inter);
      CHECK_EQ(sum, argument == MPI_ROOT ? there * (there + 1) / 2 : -1);
      value = 10 * number + root;
      MPI_Gather(&value, 1, MPI_INT, all, 1, MPI_INT, argument, inter);
      if (argument == MPI_ROOT)
        for (int i = 0; i < there; ++i) CHECK_EQ(all[i], 10 * i + root);
      for (int i = 0; i < there; ++i) out[i] = 70 * i + root;
      MPI_Scatter(out, 1, MPI_INT, &value, 1, MPI_INT, argument, inter);
      CHECK_EQ(value, from_low != low ? 70 * number + root : 10 * number + root);
    }
  }
  // Each group gets the other one's.
  const int first_there = low ? mine : 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, inter);
  CHECK_EQ(sum, others * first_there + others * (others - 1) / 2);
  MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, inter);
  for (int i = 0; i < others; ++i) CHECK_EQ(all[i], first_there + i);
  for (int i = 0; i < others; ++i) out[i] = 100 * rank + i;
  MPI_Alltoall(out, 1, MPI_INT, all, 1, MPI_INT, inter);
  for (int i = 0; i < others; ++i) CHECK_EQ(all[i], 100 * (first_there + i) + number);
  MPI_Barrier(inter);
}

static void check_merge(void) {
  MPI_Comm merged;
  int place = -1, count = -1, flag = -1, result = -1;
  for (int low_is_high = 0; low_is_high < 2; ++low_is_high) {
    MPI_Intercomm_merge(inter, low_is_high ? low : !low, &merged);
    MPI_Comm_test_inter(merged, &flag);
    CHECK_EQ(flag, 0);
    MPI_Comm_size(merged, &count);
    CHECK_EQ(count, size);
    MPI_Comm_rank(merged, &place);
    CHECK_EQ(place, low == low_is_high ? others + number : number);
    MPI_Comm_compare(merged, MPI_COMM_WORLD, &result);
    CHECK_EQ(result, low_is_high ? MPI_SIMILAR : MPI_CONGRUENT);
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, merged);
    CHECK_EQ(sum, size * (size - 1) / 2);
    MPI_Comm_free(&merged);
  }
}

static void check_dup_and_split(void) {
  MPI_Comm copy, part;
  int flag = -1, result = -1, count = -1, sum = -1;
  MPI_Comm_dup(inter, &copy);
  MPI_Comm_test_inter(copy, &flag);
  CHECK_EQ(flag, 1);
  MPI_Comm_compare(inter, copy, &result);
  CHECK_EQ(result, MPI_CONGRUENT);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_MAX, copy);
  CHECK_EQ(sum, low ? size - 1 : others - 1);
  MPI_Comm_disconnect(&copy);
  CHECK(copy == MPI_COMM_NULL);
  // The first ranks of both groups, and the others, where both groups have such.
  MPI_Comm_split(inter, number == 0, 0, &part);
  if (number == 0 || (mine > 1 && others > 1)) {
    CHECK(part != MPI_COMM_NULL);
    MPI_Comm_test_inter(part, &flag);
    CHECK_EQ(flag, 1);
    MPI_Comm_size(part, &count);
    CHECK_EQ(count, number == 0 ? 1 : mine - 1);
    MPI_Comm_remote_size(part, &count);
    CHECK_EQ(count, number == 0 ? 1 : others - 1);
    MPI_Comm_free(&part);
  } else if (part != MPI_COMM_NULL) {
    MPI_Comm_free(&part);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size == 1) {
    int flag = -1;
    MPI_Comm_test_inter(MPI_COMM_WORLD, &flag);
    CHECK_EQ(flag, 0);
    return check_finish();
  }
  // A third and the rest; the leaders are the first ones.
  const int border = size < 3 ? 1 : size / 3;
  low = rank < border;
  mine = low ? border : size - border;
  others = size - mine;
  number = low ? rank : rank - border;
  MPI_Comm_split(MPI_COMM_WORLD, low, rank, &local);
  MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, low ? border : 0, 12, &inter);
  check_part("shape");
  check_shape();
  check_part("messages");
  check_messages();
  check_part("collectives");
  check_collectives();
  check_part("merge");
  check_merge();
  check_part("dup and split");
  check_dup_and_split();
  MPI_Comm_free(&inter);
  // The last ranks as leaders, through a copy of the world.
  check_part("other leaders");
  MPI_Comm world;
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  MPI_Intercomm_create(local, mine - 1, world, low ? size - 1 : border - 1, 13, &inter);
  check_shape();
  check_messages();
  MPI_Comm_free(&inter);
  MPI_Comm_free(&world);
  MPI_Comm_free(&local);
  return check_finish();
}

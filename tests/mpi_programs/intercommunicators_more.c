/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Intercommunicators: how they are made, messages, and collectives. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, failures;

static void check(int holds, const char* what, int line) {
  if (holds) return;
  if (++failures <= 10) printf("rank %d of %d, line %d: %s\n", rank, size, line, what);
}
#define CHECK(condition) check(condition, #condition, __LINE__)

/* An intercommunicator as one rank has it. The members of a group are ranks in MPI_COMM_WORLD from
 * `first` on, `step` apart. */
typedef struct {
  int side; /* 0 or 1 */
  int own_first, own_step, own_size, other_first, other_step, other_size;
  MPI_Comm own, between;
} Sides;

static int own_world(const Sides* sides, int member) { return sides->own_first + member * sides->own_step; }
static int other_world(const Sides* sides, int member) {
  return sides->other_first + member * sides->other_step;
}

static void check_between(const Sides* sides, MPI_Comm between) {
  int me, own_size, other_size, flag, *ranks, *found, i;
  MPI_Group world, others;
  MPI_Comm_rank(between, &me);
  CHECK(own_world(sides, me) == rank);
  MPI_Comm_size(between, &own_size);
  MPI_Comm_remote_size(between, &other_size);
  MPI_Comm_test_inter(between, &flag);
  CHECK(own_size == sides->own_size && other_size == sides->other_size && flag);
  MPI_Comm_test_inter(sides->own, &flag);
  CHECK(!flag);
  ranks = malloc(2 * (size_t)other_size * sizeof *ranks);
  found = ranks + other_size;
  for (i = 0; i < other_size; ++i) ranks[i] = i;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Comm_remote_group(between, &others);
  MPI_Group_translate_ranks(others, other_size, ranks, world, found);
  for (i = 0; i < other_size; ++i) CHECK(found[i] == other_world(sides, i));
  MPI_Group_free(&world);
  MPI_Group_free(&others);
  free(ranks);
}

/* Each rank sends to all of the other group. */
static void messages(const Sides* sides, MPI_Comm between) {
  int me, got, i;
  MPI_Status status;
  MPI_Request request;
  MPI_Comm_rank(between, &me);
  for (i = 0; i < sides->other_size; ++i) {
    const int value = rank * 100 + i;
    MPI_Isend(&value, 1, MPI_INT, i, 5, between, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  for (i = 0; i < sides->other_size; ++i) {
    if (i % 2) {
      MPI_Recv(&got, 1, MPI_INT, i, 5, between, &status);
      CHECK(status.MPI_SOURCE == i);
    } else {
      MPI_Irecv(&got, 1, MPI_INT, i, MPI_ANY_TAG, between, &request);
      MPI_Wait(&request, &status);
      CHECK(status.MPI_SOURCE == i && status.MPI_TAG == 5);
    }
    CHECK(got == other_world(sides, i) * 100 + me);
  }
  MPI_Barrier(between);
  for (i = 0; i < sides->other_size; ++i) MPI_Send(&rank, 1, MPI_INT, i, 6, between);
  for (i = 0; i < sides->other_size; ++i) {
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 6, between, &status);
    CHECK(got == other_world(sides, status.MPI_SOURCE));
  }
}

static int element(int world_rank, int to, int index) { return world_rank * 1000003 + to * 10007 + index; }

static void rooted(const Sides* sides, int root_side, int root, int count) {
  int me, i, k;
  const int other = sides->other_size, largest = other > sides->own_size ? other : sides->own_size;
  int* const own = malloc((size_t)(largest * count + 1) * sizeof(int));
  int* const all = malloc((size_t)(largest * (count + 1) + 1) * sizeof(int));
  int* const counts = malloc(2 * (size_t)largest * sizeof(int));
  int* const offsets = counts + largest;
  MPI_Comm_rank(sides->own, &me);
  const int is_root = sides->side == root_side && me == root, gets = sides->side != root_side;
  const int its_root = is_root ? MPI_ROOT : gets ? root : MPI_PROC_NULL;
  const int world = gets ? other_world(sides, root) : own_world(sides, root);

  for (i = 0; i < count; ++i) own[i] = is_root ? element(rank, 0, i) : -1;
  MPI_Bcast(own, count, MPI_INT, its_root, sides->between);
  if (gets)
    for (i = 0; i < count; ++i) CHECK(own[i] == element(world, 0, i));

  for (i = 0; i < count; ++i) own[i] = element(rank, 1, i);
  for (i = 0; i < largest * (count + 1); ++i) all[i] = -1;
  MPI_Gather(own, count, MPI_INT, all, count, MPI_INT, its_root, sides->between);
  if (is_root)
    for (k = 0; k < other; ++k)
      for (i = 0; i < count; ++i) CHECK(all[k * count + i] == element(other_world(sides, k), 1, i));

  for (k = 0; k < largest; ++k) {
    counts[k] = count;
    offsets[k] = k * (count + 1);
  }
  for (i = 0; i < largest * (count + 1); ++i) all[i] = -1;
  MPI_Gatherv(own, count, MPI_INT, all, counts, offsets, MPI_INT, its_root, sides->between);
  if (is_root)
    for (k = 0; k < other; ++k)
      for (i = 0; i < count; ++i) CHECK(all[offsets[k] + i] == element(other_world(sides, k), 1, i));

  for (k = 0; k < other; ++k)
    for (i = 0; i < count; ++i) all[k * count + i] = element(rank, k, i);
  for (i = 0; i < count; ++i) own[i] = -1;
  MPI_Scatter(all, count, MPI_INT, own, count, MPI_INT, its_root, sides->between);
  if (gets)
    for (i = 0; i < count; ++i) CHECK(own[i] == element(world, me, i));

  for (k = 0; k < other; ++k)
    for (i = 0; i < count; ++i) all[offsets[k] + i] = element(rank, k + 50, i);
  MPI_Scatterv(all, counts, offsets, MPI_INT, own, count, MPI_INT, its_root, sides->between);
  if (gets)
    for (i = 0; i < count; ++i) CHECK(own[i] == element(world, me + 50, i));

  for (i = 0; i < count; ++i) {
    own[i] = rank + i;
    all[i] = -1;
  }
  MPI_Reduce(own, all, count, MPI_INT, MPI_SUM, its_root, sides->between);
  if (is_root)
    for (i = 0; i < count; ++i) {
      int sum = 0;
      for (k = 0; k < other; ++k) sum += other_world(sides, k) + i;
      CHECK(all[i] == sum);
    }
  free(own);
  free(all);
  free(counts);
}

static void of_all(const Sides* sides, MPI_Comm between, int count) {
  int me, i, k;
  const int other = sides->other_size, room = other * (count + 1) + count + 1;
  int* const own = malloc((size_t)room * sizeof(int));
  int* const all = malloc((size_t)room * sizeof(int));
  int* const counts = malloc(2 * (size_t)other * sizeof(int));
  int* const offsets = counts + other;
  MPI_Comm_rank(between, &me);
  for (i = 0; i < count; ++i) own[i] = element(rank, 2, i);
  MPI_Allgather(own, count, MPI_INT, all, count, MPI_INT, between);
  for (k = 0; k < other; ++k)
    for (i = 0; i < count; ++i) CHECK(all[k * count + i] == element(other_world(sides, k), 2, i));
  for (k = 0; k < other; ++k) {
    counts[k] = count;
    offsets[k] = (other - 1 - k) * (count + 1);
  }
  MPI_Allgatherv(own, count, MPI_INT, all, counts, offsets, MPI_INT, between);
  for (k = 0; k < other; ++k)
    for (i = 0; i < count; ++i) CHECK(all[offsets[k] + i] == element(other_world(sides, k), 2, i));
  for (k = 0; k < other; ++k)
    for (i = 0; i < count; ++i) own[k * count + i] = element(rank, k, i);
  MPI_Alltoall(own, count, MPI_INT, all, count, MPI_INT, between);
  for (k = 0; k < other; ++k)
    for (i = 0; i < count; ++i) CHECK(all[k * count + i] == element(other_world(sides, k), me, i));
  for (k = 0; k < other; ++k)
    for (i = 0; i < count; ++i) own[offsets[k] + i] = element(rank, k + 7, i);
  MPI_Alltoallv(own, counts, offsets, MPI_INT, all, counts, offsets, MPI_INT, between);
  for (k = 0; k < other; ++k)
    for (i = 0; i < count; ++i) CHECK(all[offsets[k] + i] == element(other_world(sides, k), me + 7, i));
  for (i = 0; i < count; ++i) own[i] = rank * 3 + i;
  MPI_Allreduce(own, all, count, MPI_INT, MPI_MAX, between);
  for (i = 0; i < count; ++i) {
    int most = 0;
    for (k = 0; k < other; ++k)
      if (other_world(sides, k) * 3 + i > most) most = other_world(sides, k) * 3 + i;
    CHECK(all[i] == most);
  }
  free(own);
  free(all);
  free(counts);
}

static void merges(const Sides* sides) {
  int high, me, all, sum;
  MPI_Comm merged;
  for (high = 0; high < 2; ++high) {
    const int is_high = sides->side == high;
    MPI_Intercomm_merge(sides->between, is_high, &merged);
    MPI_Comm_rank(merged, &me);
    MPI_Comm_size(merged, &all);
    CHECK(all == sides->own_size + sides->other_size);
    CHECK(own_world(sides, me - (is_high ? sides->other_size : 0)) == rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, merged);
    CHECK(sum == size * (size - 1) / 2);
    MPI_Comm_free(&merged);
  }
  MPI_Intercomm_merge(sides->between, 1, &merged);
  MPI_Comm_size(merged, &all);
  CHECK(all == size);
  MPI_Comm_free(&merged);
}

static void others_of_it(const Sides* sides) {
  int result, me, own_size, other_size;
  MPI_Comm copy, part;
  MPI_Group group, first;
  const int zero = 0;
  MPI_Comm_dup(sides->between, &copy);
  check_between(sides, copy);
  MPI_Comm_compare(sides->between, sides->between, &result);
  CHECK(result == MPI_IDENT);
  MPI_Comm_compare(sides->between, copy, &result);
  CHECK(result == MPI_CONGRUENT);
  MPI_Comm_compare(sides->own, copy, &result);
  CHECK(result == MPI_UNEQUAL);
  messages(sides, copy);
  of_all(sides, copy, 3);

  /* In reverse order. */
  MPI_Comm_rank(copy, &me);
  MPI_Comm_split(copy, 4, -me, &part);
  CHECK(part != MPI_COMM_NULL);
  MPI_Comm_rank(part, &result);
  CHECK(result == sides->own_size - 1 - me);
  MPI_Comm_compare(copy, part, &result);
  CHECK(result == (sides->own_size == 1 && sides->other_size == 1 ? MPI_CONGRUENT : MPI_SIMILAR));
  const int back = sides->other_size - 1 - me % sides->other_size;
  int got = -1;
  if (me < sides->other_size) MPI_Send(&rank, 1, MPI_INT, back, 9, part);
  for (int from = 0; from < sides->other_size; ++from)
    if (from < sides->own_size && from == me) {
      MPI_Recv(&got, 1, MPI_INT, sides->other_size - 1 - from, 9, part, MPI_STATUS_IGNORE);
      CHECK(got == other_world(sides, from));
    }
  MPI_Comm_free(&part);

#ifndef MPICH_VERSION /* which cannot do this with several ranks in a group */
  /* Everybody shares memory here. */
  MPI_Comm_split_type(copy, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &part);
  check_between(sides, part);
  MPI_Comm_free(&part);
#endif

  /* The first of each group. */
  MPI_Comm_group(copy, &group);
  MPI_Group_incl(group, 1, &zero, &first);
  MPI_Comm_create(copy, first, &part);
  CHECK((part == MPI_COMM_NULL) == (me > 0));
  if (part != MPI_COMM_NULL) {
    MPI_Comm_size(part, &own_size);
    MPI_Comm_remote_size(part, &other_size);
    CHECK(own_size == 1 && other_size == 1);
    got = -1;
    MPI_Allreduce(&rank, &got, 1, MPI_INT, MPI_SUM, part);
    CHECK(got == other_world(sides, 0));
    MPI_Comm_free(&part);
  }
  MPI_Group_free(&group);
  MPI_Group_free(&first);
  MPI_Comm_free(&copy);
}

/* The group of the ranks below `middle` and the others', or of the even and of the odd ranks. */
static void between_groups(int middle) {
  Sides sides;
  int leader, root_side, root, i;
  const int counts[] = {0, 1, 7, 3000};
  if (middle > 0) {
    const int low = rank < middle;
    sides.side = !low;
    sides.own_step = sides.other_step = 1;
    sides.own_first = low ? 0 : middle;
    sides.own_size = low ? middle : size - middle;
    sides.other_first = low ? middle : 0;
  } else {
    sides.side = rank % 2;
    sides.own_step = sides.other_step = 2;
    sides.own_first = rank % 2;
    sides.own_size = (size + 1 - rank % 2) / 2;
    sides.other_first = 1 - rank % 2;
  }
  sides.other_size = size - sides.own_size;
  MPI_Comm_split(MPI_COMM_WORLD, sides.side, rank, &sides.own);
  /* The last of the first group, and the first of the second one. */
  leader = sides.side == 0 ? sides.own_size - 1 : 0;
  MPI_Intercomm_create(sides.own, leader, MPI_COMM_WORLD,
                       other_world(&sides, sides.side == 0 ? 0 : sides.other_size - 1), 77, &sides.between);
  check_between(&sides, sides.between);
  messages(&sides, sides.between);
  for (i = 0; i < 4; ++i) {
    of_all(&sides, sides.between, counts[i]);
    for (root_side = 0; root_side < 2; ++root_side) {
      const int roots = sides.side == root_side ? sides.own_size : sides.other_size;
      for (root = 0; root < roots; ++root) rooted(&sides, root_side, root, counts[i]);
    }
    MPI_Barrier(sides.between);
  }
  merges(&sides);
  others_of_it(&sides);
  MPI_Comm_free(&sides.between);
  MPI_Comm_free(&sides.own);
}

int main(int argc, char** argv) {
  int all = 0, middle;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > 1) between_groups(0);
  for (middle = 1; middle < size; ++middle) between_groups(middle);
  MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && all == 0) printf("passed\n");
  MPI_Finalize();
  return all != 0;
}

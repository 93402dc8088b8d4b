// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All functions of groups.
//
// Group_size, Group_rank, Comm_group, Group_incl, Group_excl, Group_range_incl, Group_range_excl,
// Group_union, Group_intersection, Group_difference, Group_translate_ranks, Group_compare, the
// empty group.
#include <mpi.h>

#include "check.h"

static int rank, size;
static MPI_Group world;

static int compare(MPI_Group one, MPI_Group other) {
  int result = -1;
  MPI_Group_compare(one, other, &result);
  return result;
}

// That the group has these ranks of the world in this order.
static void check_members(MPI_Group group, int count, const int* expected) {
  int number = -9, members = -9, mine = MPI_UNDEFINED, places[64], of_world[64];
  MPI_Group_size(group, &members);
  CHECK_EQ(members, count);
  for (int i = 0; i < count; ++i) {
    places[i] = i;
    if (expected[i] == rank) mine = i;
  }
  MPI_Group_rank(group, &number);
  CHECK_EQ(number, mine);
  if (members != count) return;
  MPI_Group_translate_ranks(group, count, places, world, of_world);
  for (int i = 0; i < count; ++i) CHECK_EQ(of_world[i], expected[i]);
}

static void check_world(void) {
  int all[64];
  MPI_Group again, self;
  for (int i = 0; i < size; ++i) all[i] = i;
  check_members(world, size, all);
  MPI_Comm_group(MPI_COMM_WORLD, &again);
  CHECK_EQ(compare(world, again), MPI_IDENT);
  MPI_Comm_group(MPI_COMM_SELF, &self);
  check_members(self, 1, &rank);
  CHECK_EQ(compare(world, self), size == 1 ? MPI_IDENT : MPI_UNEQUAL);
  MPI_Group_free(&again);
  CHECK(again == MPI_GROUP_NULL);
  MPI_Group_free(&self);
  int members = -1;
  MPI_Group_size(MPI_GROUP_EMPTY, &members);
  CHECK_EQ(members, 0);
  MPI_Group_rank(MPI_GROUP_EMPTY, &members);
  CHECK_EQ(members, MPI_UNDEFINED);
}

static void check_lists(void) {
  int reversed[64], odds[64], evens[64], count_odd = 0, count_even = 0;
  MPI_Group group, other;
  for (int i = 0; i < size; ++i) {
    reversed[i] = size - 1 - i;
    if (i % 2)
      odds[count_odd++] = i;
    else
      evens[count_even++] = i;
  }
  MPI_Group_incl(world, size, reversed, &group);
  check_members(group, size, reversed);
  CHECK_EQ(compare(world, group), size == 1 ? MPI_IDENT : MPI_SIMILAR);
  // A part of a group in another order: places count in that group.
  MPI_Group_incl(group, count_even, evens, &other);
  int expected[64];
  for (int i = 0; i < count_even; ++i) expected[i] = size - 1 - evens[i];
  check_members(other, count_even, expected);
  MPI_Group_free(&other);
  MPI_Group_free(&group);
  MPI_Group_excl(world, count_odd, odds, &group);
  check_members(group, count_even, evens);
  MPI_Group_incl(world, count_even, evens, &other);
  CHECK_EQ(compare(group, other), MPI_IDENT);
  MPI_Group_free(&other);
  MPI_Group_free(&group);
  MPI_Group_incl(world, 0, NULL, &group);
  CHECK_EQ(compare(group, MPI_GROUP_EMPTY), MPI_IDENT);
  MPI_Group_free(&group);
  MPI_Group_excl(world, 0, NULL, &group);
  CHECK_EQ(compare(group, world), MPI_IDENT);
  MPI_Group_free(&group);
  MPI_Group_excl(world, size, reversed, &group);
  CHECK_EQ(compare(group, MPI_GROUP_EMPTY), MPI_IDENT);
  MPI_Group_free(&group);
}

static void check_ranges(void) {
  MPI_Group group;
  int expected[64], count = 0;
  // Downwards by two, and, where there are three or more, the rank before the last.
  int ranges[2][3] = {{size - 1, 0, -2}, {size - 2, size - 2, 1}};
  const int how_many = size >= 3 ? 2 : 1;
  for (int i = size - 1; i >= 0; i -= 2) expected[count++] = i;
  if (how_many == 2) expected[count++] = size - 2;
  MPI_Group_range_incl(world, how_many, ranges, &group);
  check_members(group, count, expected);
  MPI_Group_free(&group);

  count = 0;
  for (int i = 0; i < size; ++i) {
    int in = (size - 1 - i) % 2 != 0;
    if (how_many == 2 && i == size - 2) in = 0;
    if (in) expected[count++] = i;
  }
  MPI_Group_range_excl(world, how_many, ranges, &group);
  check_members(group, count, expected);
  MPI_Group_free(&group);
  // A stride that steps over the end.
  int stepped[1][3] = {{0, size - 1, 3}};
  count = 0;
  for (int i = 0; i < size; i += 3) expected[count++] = i;
  MPI_Group_range_incl(world, 1, stepped, &group);
  check_members(group, count, expected);
  MPI_Group_free(&group);
  MPI_Group_range_incl(world, 0, NULL, &group);
  CHECK_EQ(compare(group, MPI_GROUP_EMPTY), MPI_IDENT);
  MPI_Group_free(&group);
}

// The first two thirds downwards and the last two thirds upwards.
static void check_sets(void) {
  const int third = size / 3, low = size - third;
  int one[64], two[64], expected[64], count = 0;
  MPI_Group first, second, result;
  for (int i = 0; i < low; ++i) one[i] = low - 1 - i;
  for (int i = third; i < size; ++i) two[i - third] = i;
  MPI_Group_incl(world, low, one, &first);
  MPI_Group_incl(world, size - third, two, &second);

  for (int i = 0; i < low; ++i) expected[count++] = one[i];
  for (int i = low; i < size; ++i) expected[count++] = i;
  MPI_Group_union(first, second, &result);
  check_members(result, count, expected);
  MPI_Group_free(&result);

  count = 0;
  for (int i = 0; i < low; ++i)
    if (one[i] >= third) expected[count++] = one[i];
  MPI_Group_intersection(first, second, &result);
  check_members(result, count, expected);
  MPI_Group_free(&result);

  count = 0;
  for (int i = 0; i < low; ++i)
    if (one[i] < third) expected[count++] = one[i];
  MPI_Group_difference(first, second, &result);
  check_members(result, count, expected);
  CHECK_EQ(compare(result, first) == MPI_IDENT, count == low);
  MPI_Group_free(&result);

  MPI_Group_difference(first, first, &result);
  CHECK_EQ(compare(result, MPI_GROUP_EMPTY), MPI_IDENT);
  MPI_Group_free(&result);
  MPI_Group_union(MPI_GROUP_EMPTY, second, &result);
  CHECK_EQ(compare(result, second), MPI_IDENT);
  MPI_Group_free(&result);
  MPI_Group_intersection(second, MPI_GROUP_EMPTY, &result);
  CHECK_EQ(compare(result, MPI_GROUP_EMPTY), MPI_IDENT);
  MPI_Group_free(&result);

  // From one to the other: some have no number there.
  int places[64], there[64];
  for (int i = 0; i < low; ++i) places[i] = i;
  places[low] = MPI_PROC_NULL;
  MPI_Group_translate_ranks(first, low + 1, places, second, there);
  for (int i = 0; i < low; ++i)
    CHECK_EQ(there[i], one[i] >= third ? one[i] - third : MPI_UNDEFINED);
  CHECK_EQ(there[low], MPI_PROC_NULL);
  MPI_Group_free(&first);
  MPI_Group_free(&second);
}

// The groups of communicators that a split made.
static void check_of_comms(void) {
  MPI_Comm part;
  MPI_Group group;
  int expected[64], count = 0;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
  MPI_Comm_group(part, &group);
  for (int i = size - 1; i >= 0; --i)
    if (i % 2 == rank % 2) expected[count++] = i;
  MPI_Comm_free(&part);  // the group stays
  check_members(group, count, expected);
  MPI_Group_free(&group);
  for (int i = 0; i < 2000; ++i) {
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Group_free(&group);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  check_part("the world's group");
  check_world();
  check_part("lists");
  check_lists();
  check_part("ranges");
  check_ranges();
  check_part("sets");
  check_sets();
  check_part("groups of communicators");
  check_of_comms();
  MPI_Group_free(&world);
  return check_finish();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derived datatypes: their constructors, measures and use in messages.
//
// contiguous, vector, hvector, indexed, hindexed, indexed_block, hindexed_block, struct, subarray,
// darray, resized, dup; negative strides and displacements, gaps, overlaps in what is sent;
// extents, true extents, sizes; envelopes and contents; names; MPI_BOTTOM with addresses; one type
// sent and another one received.
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

#include "ring.h"

enum { room = 256 };

static void check_extent(MPI_Datatype type, long bytes, long lower, long extent, long true_lower,
                         long true_extent) {
  int got_bytes = -1;
  MPI_Count long_bytes = -1, long_lower = -1, long_extent = -1;
  MPI_Aint got_lower = -99, got_extent = -99;
  MPI_Type_size(type, &got_bytes);
  CHECK_EQ(got_bytes, bytes);
  MPI_Type_size_x(type, &long_bytes);
  CHECK_EQ(long_bytes, bytes);
  MPI_Type_get_extent(type, &got_lower, &got_extent);
  CHECK_EQ(got_lower, lower);
  CHECK_EQ(got_extent, extent);
  MPI_Type_get_extent_x(type, &long_lower, &long_extent);
  CHECK_EQ(long_lower, lower);
  CHECK_EQ(long_extent, extent);
  MPI_Type_get_true_extent(type, &got_lower, &got_extent);
  CHECK_EQ(got_lower, true_lower);
  CHECK_EQ(got_extent, true_extent);
  MPI_Type_get_true_extent_x(type, &long_lower, &long_extent);
  CHECK_EQ(long_lower, true_lower);
  CHECK_EQ(long_extent, true_extent);
}

// Sends `count` of the type, made of ints, from the middle of a buffer to the right, once to plain
// ints and once to the same type: `places` are where in the buffer the ints are, in the type's
// order.
static void exchange(MPI_Datatype type, int count, int total, const int* places) {
  int sent[room], got[room], plain[room], received = -1;
  MPI_Status status;
  MPI_Type_commit(&type);
  for (int i = 0; i < room; ++i) sent[i] = 1000 * rank + i, got[i] = plain[i] = -1;
  MPI_Sendrecv(sent + room / 2, count, type, right, 1, plain, room, MPI_INT, left, 1,
               MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_INT, &received);
  CHECK_EQ(received, total);
  for (int i = 0; i < total; ++i) CHECK_EQ(plain[i], 1000 * left + room / 2 + places[i]);
  CHECK_EQ(plain[total], -1);
  MPI_Sendrecv(plain, total, MPI_INT, right, 2, got + room / 2, count, type, left, 2,
               MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, type, &received);
  CHECK_EQ(received, count);
  const int before = (left + size - 1) % size;
  int filled = 0;
  for (int i = 0; i < room; ++i) {
    int expected = -1;
    for (int k = 0; k < total; ++k)
      if (i == room / 2 + places[k]) expected = 1000 * before + i;
    CHECK_EQ(got[i], expected);
    filled += got[i] != -1;
  }
  CHECK_EQ(filled, total);
}

static void check_simple(void) {
  MPI_Datatype type, inner;
  MPI_Type_contiguous(3, MPI_INT, &type);
  check_extent(type, 12, 0, 12, 0, 12);
  exchange(type, 2, 6, (int[]){0, 1, 2, 3, 4, 5});
  MPI_Type_free(&type);
  CHECK(type == MPI_DATATYPE_NULL);

  MPI_Type_vector(3, 2, 4, MPI_INT, &type);
  check_extent(type, 24, 0, 40, 0, 40);
  exchange(type, 2, 12, (int[]){0, 1, 4, 5, 8, 9, 10, 11, 14, 15, 18, 19});
  MPI_Type_free(&type);

  MPI_Type_vector(3, 1, -2, MPI_INT, &type);  // backwards
  check_extent(type, 12, -16, 20, -16, 20);
  exchange(type, 1, 3, (int[]){0, -2, -4});
  exchange(type, 2, 6, (int[]){0, -2, -4, 5, 3, 1});
  MPI_Type_free(&type);

  MPI_Type_create_hvector(4, 1, 12, MPI_INT, &type);
  check_extent(type, 16, 0, 40, 0, 40);
  exchange(type, 1, 4, (int[]){0, 3, 6, 9});
  MPI_Type_free(&type);

  MPI_Type_vector(2, 1, 3, MPI_INT, &inner);
  MPI_Type_create_hvector(2, 1, -36, inner, &type);
  check_extent(type, 16, -36, 52, -36, 52);
  exchange(type, 1, 4, (int[]){0, 3, -9, -6});
  MPI_Type_free(&inner);
  exchange(type, 1, 4, (int[]){0, 3, -9, -6});  // without the type that it is made of
  MPI_Type_free(&type);
  MPI_Type_contiguous(0, MPI_INT, &type);
  check_extent(type, 0, 0, 0, 0, 0);
  MPI_Type_free(&type);
}

static void check_indexed(void) {
  MPI_Datatype type;
  int lengths[4] = {1, 0, 3, 2}, places[4] = {5, 50, -4, 0};
  MPI_Aint bytes[4] = {20, 200, -16, 0};
  MPI_Type_indexed(4, lengths, places, MPI_INT, &type);
  check_extent(type, 24, -16, 40, -16, 40);
  exchange(type, 1, 6, (int[]){5, -4, -3, -2, 0, 1});
  MPI_Type_free(&type);
  MPI_Type_create_hindexed(4, lengths, bytes, MPI_INT, &type);
  check_extent(type, 24, -16, 40, -16, 40);
  exchange(type, 2, 12, (int[]){5, -4, -3, -2, 0, 1, 15, 6, 7, 8, 10, 11});
  MPI_Type_free(&type);
  MPI_Type_create_indexed_block(3, 2, (int[]){6, 0, -3}, MPI_INT, &type);
  check_extent(type, 24, -12, 44, -12, 44);
  exchange(type, 1, 6, (int[]){6, 7, 0, 1, -3, -2});
  MPI_Type_free(&type);
  MPI_Type_create_hindexed_block(2, 3, (MPI_Aint[]){28, 4}, MPI_INT, &type);
  check_extent(type, 24, 4, 36, 4, 36);
  exchange(type, 1, 6, (int[]){7, 8, 9, 1, 2, 3});
  MPI_Type_free(&type);
}

struct mixed {
  char letter;
  double numbers[2];
  int count;
  short pad[3];
};

static MPI_Datatype type_of_mixed(void) {
  MPI_Datatype made, type;
  int lengths[4] = {1, 2, 1, 3};
  MPI_Aint places[4] = {offsetof(struct mixed, letter), offsetof(struct mixed, numbers),
                        offsetof(struct mixed, count), offsetof(struct mixed, pad)};
  MPI_Datatype types[4] = {MPI_CHAR, MPI_DOUBLE, MPI_INT, MPI_SHORT};
  MPI_Type_create_struct(4, lengths, places, types, &made);
  MPI_Type_create_resized(made, 0, sizeof(struct mixed), &type);
  MPI_Type_free(&made);
  MPI_Type_commit(&type);
  return type;
}

static void check_struct(void) {
  MPI_Datatype type = type_of_mixed();
  struct mixed sent[20], got[20];
  check_extent(type, 27, 0, sizeof(struct mixed), 0, offsetof(struct mixed, pad) + 6);
  memset(got, 0x55, sizeof got);
  for (int i = 0; i < 20; ++i) {
    sent[i].letter = (char)('a' + i);
    sent[i].numbers[0] = rank + i / 4.0;
    sent[i].numbers[1] = -i;
    sent[i].count = rank * i;
    for (int k = 0; k < 3; ++k) sent[i].pad[k] = (short)(i - k);
  }
  MPI_Sendrecv(sent, 20, type, right, 3, got, 20, type, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < 20; ++i) {
    CHECK_EQ(got[i].letter, 'a' + i);
    CHECK_NUM(got[i].numbers[0], left + i / 4.0);
    CHECK_NUM(got[i].numbers[1], -i);
    CHECK_EQ(got[i].count, left * i);
    for (int k = 0; k < 3; ++k) CHECK_EQ(got[i].pad[k], i - k);
  }
  CHECK_EQ(((unsigned char*)&got[0])[1], 0x55);  // the gaps stay
  // Without resizing, a structure ends with its alignment.
  MPI_Datatype odd;
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8},
                         (MPI_Datatype[]){MPI_DOUBLE, MPI_CHAR}, &odd);
  check_extent(odd, 9, 0, 16, 0, 9);
  MPI_Type_free(&odd);
  MPI_Type_free(&type);
}

static void check_resized(void) {
  MPI_Datatype column, type, copy;
  MPI_Type_vector(4, 1, 5, MPI_INT, &column);
  MPI_Type_create_resized(column, 0, sizeof(int), &type);
  check_extent(type, 16, 0, 4, 0, 64);
  exchange(type, 3, 12, (int[]){0, 5, 10, 15, 1, 6, 11, 16, 2, 7, 12, 17});  // columns of a matrix
  MPI_Type_dup(type, &copy);
  MPI_Type_free(&type);
  check_extent(copy, 16, 0, 4, 0, 64);
  exchange(copy, 2, 8, (int[]){0, 5, 10, 15, 1, 6, 11, 16});
  MPI_Type_free(&copy);
  MPI_Type_free(&column);
  MPI_Type_create_resized(MPI_INT, -8, 20, &type);
  check_extent(type, 4, -8, 20, 0, 4);
  exchange(type, 3, 3, (int[]){0, 5, 10});
  MPI_Type_contiguous(2, type, &copy);
  check_extent(copy, 8, -8, 40, 0, 24);
  exchange(copy, 2, 4, (int[]){0, 5, 10, 15});
  MPI_Type_free(&copy);
  MPI_Type_create_resized(MPI_INT, 0, -4, &copy);
  exchange(copy, 4, 4, (int[]){0, -1, -2, -3});  // a negative extent
  MPI_Type_free(&copy);
  MPI_Type_free(&type);
}

static void check_arrays(void) {
  MPI_Datatype type;
  int whole[2] = {4, 6}, part[2] = {2, 3}, start[2] = {1, 2};
  MPI_Type_create_subarray(2, whole, part, start, MPI_ORDER_C, MPI_INT, &type);
  check_extent(type, 24, 0, 96, 32, 36);
  exchange(type, 1, 6, (int[]){8, 9, 10, 14, 15, 16});
  exchange(type, 2, 12, (int[]){8, 9, 10, 14, 15, 16, 32, 33, 34, 38, 39, 40});
  MPI_Type_free(&type);
  MPI_Type_create_subarray(2, whole, part, start, MPI_ORDER_FORTRAN, MPI_INT, &type);
  exchange(type, 1, 6, (int[]){9, 10, 13, 14, 17, 18});
  MPI_Type_free(&type);
  int cube[3] = {3, 3, 3}, middle[3] = {1, 1, 1}, length[3] = {2, 1, 2};
  MPI_Type_create_subarray(3, cube, length, middle, MPI_ORDER_C, MPI_INT, &type);
  exchange(type, 1, 4, (int[]){13, 14, 22, 23});
  MPI_Type_free(&type);

  // Six rows, dealt out to three processes one after another; seven columns, of which each has a
  // block of four.
  int sizes[2] = {6, 7}, kinds[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK}, grid[2] = {3, 2};
  int arguments[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
  MPI_Type_create_darray(6, 3, 2, sizes, kinds, arguments, grid, MPI_ORDER_C, MPI_INT, &type);
  check_extent(type, 24, 0, 168, 44, 96);  // process 3 is in row 1, column 1
  exchange(type, 1, 6, (int[]){11, 12, 13, 32, 33, 34});
  MPI_Type_free(&type);
  kinds[0] = MPI_DISTRIBUTE_NONE;
  kinds[1] = MPI_DISTRIBUTE_CYCLIC;
  arguments[1] = 2;
  grid[0] = 1;
  sizes[0] = 2;
  MPI_Type_create_darray(2, 1, 2, sizes, kinds, arguments, grid, MPI_ORDER_C, MPI_INT, &type);
  exchange(type, 1, 6, (int[]){2, 3, 6, 9, 10, 13});
  MPI_Type_free(&type);
}

// One value may be sent several times.
static void check_overlap(void) {
  MPI_Datatype type;
  int sent[4], got[9] = {0};
  for (int i = 0; i < 4; ++i) sent[i] = 10 * rank + i;
  MPI_Type_create_hvector(3, 2, 4, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Sendrecv(sent, 1, type, right, 4, got, 9, MPI_INT, left, 4, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  for (int i = 0; i < 6; ++i) CHECK_EQ(got[i], 10 * left + i / 2 + i % 2);
  MPI_Type_free(&type);
}

static void check_bottom(void) {
  static double far[3];
  int near = rank + 5;
  char* heap = malloc(4);
  MPI_Aint places[3], here, there;
  MPI_Datatype type;
  memcpy(heap, "abc", 4);
  for (int i = 0; i < 3; ++i) far[i] = rank + 0.5 * i;
  MPI_Get_address(&near, &places[0]);
  MPI_Get_address(far, &places[1]);
  MPI_Get_address(heap, &places[2]);
  MPI_Get_address(&far[2], &there);
  MPI_Get_address(&far[0], &here);
  CHECK_EQ(MPI_Aint_diff(there, here), 16);
  CHECK(MPI_Aint_add(here, 16) == there);
  MPI_Type_create_struct(3, (int[]){1, 3, 3}, places,
                         (MPI_Datatype[]){MPI_INT, MPI_DOUBLE, MPI_CHAR}, &type);
  MPI_Type_commit(&type);
  heap[0] = (char)('a' + rank);
  MPI_Sendrecv_replace(MPI_BOTTOM, 1, type, right, 5, left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK_EQ(near, left + 5);
  CHECK_NUM(far[0], left);
  CHECK_NUM(far[2], left + 1);
  CHECK_EQ(heap[0], 'a' + left);
  CHECK_STR(heap + 1, "bc");
  if (rank == 0) far[1] = 99;
  MPI_Bcast(MPI_BOTTOM, 1, type, 0, MPI_COMM_WORLD);
  CHECK_NUM(far[1], 99);
  MPI_Type_free(&type);
  free(heap);
}

static void check_contents(void) {
  MPI_Datatype vector, type, got_types[4];
  int integers = -1, addresses = -1, types = -1, combiner = -1, got_integers[16];
  MPI_Aint got_addresses[8];
  MPI_Type_get_envelope(MPI_DOUBLE, &integers, &addresses, &types, &combiner);
  CHECK_EQ(combiner, MPI_COMBINER_NAMED);
  MPI_Type_vector(3, 2, 4, MPI_INT, &vector);
  MPI_Type_get_envelope(vector, &integers, &addresses, &types, &combiner);
  CHECK(integers == 3 && addresses == 0 && types == 1);
  CHECK_EQ(combiner, MPI_COMBINER_VECTOR);
  MPI_Type_get_contents(vector, 3, 0, 1, got_integers, got_addresses, got_types);
  CHECK(got_integers[0] == 3 && got_integers[1] == 2 && got_integers[2] == 4 &&
        got_types[0] == MPI_INT);
  MPI_Type_create_struct(2, (int[]){5, 6}, (MPI_Aint[]){8, 800}, (MPI_Datatype[]){MPI_CHAR, vector},
                         &type);
  MPI_Type_free(&vector);
  MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  CHECK(integers == 3 && addresses == 2 && types == 2);
  CHECK_EQ(combiner, MPI_COMBINER_STRUCT);
  MPI_Type_get_contents(type, 3, 2, 2, got_integers, got_addresses, got_types);
  CHECK(got_integers[0] == 2 && got_integers[1] == 5 && got_integers[2] == 6);
  CHECK(got_addresses[0] == 8 && got_addresses[1] == 800);
  CHECK(got_types[0] == MPI_CHAR);
  MPI_Type_get_envelope(got_types[1], &integers, &addresses, &types, &combiner);
  CHECK_EQ(combiner, MPI_COMBINER_VECTOR);
  check_extent(got_types[1], 24, 0, 40, 0, 40);
  MPI_Type_free(&got_types[1]);
  MPI_Type_free(&type);
  MPI_Type_create_resized(MPI_INT, -4, 24, &type);
  MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  CHECK(integers == 0 && addresses == 2 && types == 1);
  CHECK_EQ(combiner, MPI_COMBINER_RESIZED);
  MPI_Type_free(&type);
  MPI_Type_create_hindexed_block(2, 3, (MPI_Aint[]){28, 4}, MPI_INT, &type);
  MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  CHECK(integers == 2 && addresses == 2 && types == 1);
  CHECK_EQ(combiner, MPI_COMBINER_HINDEXED_BLOCK);
  MPI_Type_free(&type);
  MPI_Type_dup(MPI_INT, &type);
  MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  CHECK_EQ(combiner, MPI_COMBINER_DUP);
  MPI_Type_free(&type);
}

static void check_names(void) {
  char name[MPI_MAX_OBJECT_NAME];
  int length = -1;
  MPI_Datatype type;
  MPI_Type_get_name(MPI_INT, name, &length);
  CHECK_STR(name, "MPI_INT");
  CHECK_EQ(length, 7);
  MPI_Type_get_name(MPI_DOUBLE, name, &length);
  CHECK_STR(name, "MPI_DOUBLE");
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_get_name(type, name, &length);
  CHECK_EQ(length, 0);
  MPI_Type_set_name(type, "a pair of numbers");
  MPI_Type_get_name(type, name, &length);
  CHECK_STR(name, "a pair of numbers");
  MPI_Type_free(&type);
  MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &type);
  MPI_Type_size(type, &length);
  CHECK_EQ(length, 8);
}

int main(int argc, char** argv) {
  begin_ring(&argc, &argv);
  check_part("contiguous and vectors");
  check_simple();
  check_part("indexed");
  check_indexed();
  check_part("structures");
  check_struct();
  check_part("resized");
  check_resized();
  check_part("arrays");
  check_arrays();
  check_part("overlaps");
  check_overlap();
  check_part("bottom");
  check_bottom();
  check_part("contents");
  check_contents();
  check_part("names");
  check_names();
  return check_finish();
}

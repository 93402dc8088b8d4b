/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Nests of datatypes of all kinds, made at random, beside lists of the bytes that they have: bounds,
 * order and number of elements must be those of the lists, packed and sent.
 */
#include <stdlib.h>

#include "check.h"

enum { most_bytes = 4096, room = 1 << 20, middle = 1 << 19 };

/* A datatype, and what it must be. */
typedef struct Model {
  MPI_Datatype type;
  long lower, upper;
  int given_lower, given_upper; /* the program has set the bound */
  int bytes, offsets[most_bytes];
} Model;

static unsigned seed = 1;
static int random_below(int limit) {
  seed = seed * 1103515245u + 12345u;
  return (int)((seed >> 16) % (unsigned)limit);
}

static int rank, size;

static void begin(Model* made) {
  memset(made, 0, sizeof *made);
  made->type = MPI_DATATYPE_NULL;
}

/* Puts an element behind those of the new datatype. */
static void put(Model* made, const Model* one, long offset, int is_first) {
  int i;
  long low = one->lower + offset, high = one->upper + offset;
  if (is_first || (one->given_lower && !made->given_lower) ||
      (one->given_lower == made->given_lower && low < made->lower)) {
    made->lower = low;
    made->given_lower = one->given_lower;
  }
  if (is_first || (one->given_upper && !made->given_upper) ||
      (one->given_upper == made->given_upper && high > made->upper)) {
    made->upper = high;
    made->given_upper = one->given_upper;
  }
  for (i = 0; i < one->bytes; ++i) made->offsets[made->bytes++] = one->offsets[i] + (int)offset;
}

static void put_block(Model* made, const Model* one, int length, long offset) {
  int i;
  for (i = 0; i < length; ++i) put(made, one, offset + i * (one->upper - one->lower), made->bytes == 0);
}

/* Offsets of blocks that do not overlap, in any order and direction, in bytes: multiples of four. */
static void choose_offsets(const Model* one, int count, long length, long* offsets) {
  int i, j;
  long step = (length + 2) * (one->upper - one->lower);
  for (i = 0; i < count; ++i) offsets[i] = (i - count / 2) * step;
  for (i = count - 1; i > 0; --i) {
    long kept = offsets[i];
    j = random_below(i + 1);
    offsets[i] = offsets[j];
    offsets[j] = kept;
  }
}

static void make_vector(Model* made, const Model* one, int with_bytes) {
  int count = 1 + random_below(3), length = 1 + random_below(3), i;
  int stride = (random_below(2) ? 1 : -1) * (length + random_below(3));
  long extent = one->upper - one->lower;
  if (with_bytes)
    MPI_Type_create_hvector(count, length, stride * extent, one->type, &made->type);
  else
    MPI_Type_vector(count, length, stride, one->type, &made->type);
  for (i = 0; i < count; ++i) put_block(made, one, length, i * stride * extent);
}

static void make_indexed(Model* made, const Model* one, int how) {
  int lengths[4], offsets[4], count = 1 + random_below(4), length = 1 + random_below(2), i;
  long far[4], extent = one->upper - one->lower;
  MPI_Aint addresses[4];
  choose_offsets(one, count, length, far);
  for (i = 0; i < count; ++i) {
    lengths[i] = how >= 2 ? length : 1 + random_below(length);
    offsets[i] = (int)(far[i] / extent);
    addresses[i] = far[i];
  }
  if (how == 0) MPI_Type_indexed(count, lengths, offsets, one->type, &made->type);
  if (how == 1) MPI_Type_create_hindexed(count, lengths, addresses, one->type, &made->type);
  if (how == 2) MPI_Type_create_indexed_block(count, length, offsets, one->type, &made->type);
  if (how == 3) MPI_Type_create_hindexed_block(count, length, addresses, one->type, &made->type);
  for (i = 0; i < count; ++i) put_block(made, one, lengths[i], far[i]);
}

/* The same datatype in several blocks, between which there is a number: unless the program has set
   bounds, which MPI 3.1 gives more weight than others, as Open MPI does and MPICH does not. */
static void make_struct(Model* made, const Model* one, const Model* number) {
  int lengths[3] = {1, 1, 2};
  long far[3];
  MPI_Aint addresses[3];
  MPI_Datatype types[3];
  int i;
  if (one->given_lower) number = one;
  choose_offsets(one, 3, 2, far);
  for (i = 0; i < 3; ++i) {
    addresses[i] = far[i];
    types[i] = i == 1 ? number->type : one->type;
    put_block(made, i == 1 ? number : one, lengths[i], far[i]);
  }
  MPI_Type_create_struct(3, lengths, addresses, types, &made->type);
}

static void make_subarray(Model* made, const Model* one, int order) {
  int sizes[2], parts[2], starts[2], i, j;
  long extent = one->upper - one->lower;
  for (i = 0; i < 2; ++i) {
    sizes[i] = 2 + random_below(3);
    parts[i] = 1 + random_below(sizes[i]);
    starts[i] = random_below(sizes[i] - parts[i] + 1);
  }
  MPI_Type_create_subarray(2, sizes, parts, starts, order, one->type, &made->type);
  if (order == MPI_ORDER_FORTRAN) {
    int kept;
    kept = sizes[0], sizes[0] = sizes[1], sizes[1] = kept;
    kept = parts[0], parts[0] = parts[1], parts[1] = kept;
    kept = starts[0], starts[0] = starts[1], starts[1] = kept;
  }
  for (i = 0; i < parts[0]; ++i)
    for (j = 0; j < parts[1]; ++j)
      put(made, one, ((starts[0] + i) * sizes[1] + starts[1] + j) * extent, i + j == 0);
  made->lower = 0;
  made->upper = sizes[0] * sizes[1] * extent;
  made->given_lower = made->given_upper = 1;
}

/* What is made of `one`. */
static void make(Model* made, const Model* one, const Model* number) {
  int i, count = 1 + random_below(3);
  begin(made);
  switch (random_below(11)) {
    case 0:
      MPI_Type_contiguous(count, one->type, &made->type);
      for (i = 0; i < count; ++i) put_block(made, one, 1, i * (one->upper - one->lower));
      break;
    case 1:
      make_vector(made, one, 0);
      break;
    case 2:
      make_vector(made, one, 1);
      break;
    case 3:
    case 4:
    case 5:
    case 6:
      make_indexed(made, one, random_below(4));
      break;
    case 7:
      make_struct(made, one, number);
      break;
    case 8:
      make_subarray(made, one, random_below(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN);
      break;
    case 9:
      *made = *one;
      made->lower -= 4 * random_below(3);
      made->upper += 4 * random_below(3);
      made->given_lower = made->given_upper = 1;
      MPI_Type_create_resized(one->type, made->lower, made->upper - made->lower, &made->type);
      break;
    default:
      *made = *one;
      MPI_Type_dup(one->type, &made->type);
  }
}

static void check_bounds(const Model* model) {
  MPI_Aint lower, extent;
  MPI_Count large;
  int bytes, i, low = room, high = -room;
  for (i = 0; i < model->bytes; ++i) {
    if (model->offsets[i] < low) low = model->offsets[i];
    if (model->offsets[i] + 1 > high) high = model->offsets[i] + 1;
  }
  MPI_Type_size(model->type, &bytes);
  CHECK_EQ(bytes, model->bytes);
  MPI_Type_size_x(model->type, &large);
  CHECK_EQ(large, model->bytes);
  MPI_Type_get_extent(model->type, &lower, &extent);
  CHECK_EQ(lower, model->lower);
  CHECK_EQ(extent, model->upper - model->lower);
  MPI_Type_get_true_extent(model->type, &lower, &extent);
  CHECK_EQ(lower, low);
  CHECK_EQ(extent, high - low);
}

/* Elements packed and unpacked, and sent to the next rank in part. */
static void check_bytes(Model* model) {
  static unsigned char memory[room], expected[2 * most_bytes], packed[2 * most_bytes], other[room];
  int i, position = 0, count = 1 + random_below(2), parts, elements, to = (rank + 1) % size;
  int extent = (int)(model->upper - model->lower), all = count * model->bytes;
  MPI_Request request;
  MPI_Status status;
  for (i = 0; i < room; ++i) memory[i] = (unsigned char)(i * 7 + i / 256);
  for (i = 0; i < all; ++i)
    expected[i] = memory[middle + model->offsets[i % model->bytes] + i / model->bytes * extent];
  MPI_Type_commit(&model->type);
  MPI_Pack(memory + middle, count, model->type, packed, 2 * most_bytes, &position, MPI_COMM_SELF);
  CHECK_EQ(position, all);
  CHECK(memcmp(packed, expected, (size_t)all) == 0);
  position = 0;
  memset(other, 0, room);
  MPI_Unpack(packed, all, &position, other + middle, count, model->type, MPI_COMM_SELF);
  for (i = 0; i < all; ++i)
    CHECK_EQ(other[middle + model->offsets[i % model->bytes] + i / model->bytes * extent], expected[i]);
  /* All numbers have four bytes. */
  parts = random_below(all / 4 + 1);
  memset(other, 0, room);
  MPI_Irecv(other + middle, count, model->type, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request);
  MPI_Send(expected, 4 * parts, MPI_PACKED, to, 1, MPI_COMM_WORLD);
  MPI_Wait(&request, &status);
  MPI_Get_elements(&status, model->type, &elements);
  CHECK_EQ(elements, parts);
  for (i = 0; i < 4 * parts; ++i)
    CHECK_EQ(other[middle + model->offsets[i % model->bytes] + i / model->bytes * extent], expected[i]);
  for (; i < all; ++i)
    CHECK_EQ(other[middle + model->offsets[i % model->bytes] + i / model->bytes * extent], 0);
  memset(packed, 0, (size_t)all);
  MPI_Irecv(packed, all, MPI_BYTE, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &request);
  MPI_Send(memory + middle, count, model->type, to, 2, MPI_COMM_WORLD);
  MPI_Wait(&request, &status);
  CHECK(memcmp(packed, expected, (size_t)all) == 0);
}

static void check_random_nests(void) {
  static Model levels[5];
  int round, level;
  check_part("nests of datatypes");
  for (round = 0; round < 300; ++round) {
    begin(&levels[0]);
    levels[0].type = random_below(2) ? MPI_INT : MPI_FLOAT;
    levels[0].upper = 4;
    levels[0].bytes = 4;
    for (level = 0; level < 4; ++level) levels[0].offsets[level] = level;
    for (level = 1; level < 5; ++level) {
      make(&levels[level], &levels[level - 1], &levels[0]);
      /* A factor of 18 bytes, at most. */
      if (levels[level].bytes * 18 > most_bytes) {
        ++level;
        break;
      }
    }
    check_bounds(&levels[level - 1]);
    check_bytes(&levels[level - 1]);
    while (--level > 0) MPI_Type_free(&levels[level].type);
  }
}

/* Every element of a distributed array is some process's, and in the order of the array. */
static void check_distributions(void) {
  static const int kinds[3] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
  int round, process, i;
  check_part("distributed arrays");
  for (round = 0; round < 60; ++round) {
    int sizes[2], how[2], arguments[2], grid[2], processes, owners[200];
    int order = round % 2 ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    memset(owners, 0, sizeof owners);
    for (i = 0; i < 2; ++i) {
      sizes[i] = 1 + random_below(13);
      how[i] = kinds[random_below(3)];
      grid[i] = how[i] == MPI_DISTRIBUTE_NONE ? 1 : 1 + random_below(3);
      arguments[i] =
          how[i] == MPI_DISTRIBUTE_CYCLIC && random_below(2) ? 1 + random_below(4) : MPI_DISTRIBUTE_DFLT_DARG;
    }
    processes = grid[0] * grid[1];
    for (process = 0; process < processes; ++process) {
      int bytes, all = sizes[0] * sizes[1], position = 0, numbers[200], mine[200], last = -1;
      MPI_Aint lower, extent;
      MPI_Datatype type;
      MPI_Type_create_darray(processes, process, 2, sizes, how, arguments, grid, order, MPI_INT, &type);
      MPI_Type_commit(&type);
      MPI_Type_get_extent(type, &lower, &extent);
      CHECK_EQ(lower, 0);
      CHECK_EQ(extent, all * (int)sizeof(int));
      MPI_Type_size(type, &bytes);
      for (i = 0; i < all; ++i) numbers[i] = i;
      MPI_Pack(numbers, 1, type, mine, (int)sizeof mine, &position, MPI_COMM_SELF);
      CHECK_EQ(position, bytes);
      for (i = 0; i < bytes / (int)sizeof(int); ++i) {
        CHECK(mine[i] > last);
        last = mine[i];
        ++owners[mine[i]];
      }
      MPI_Type_free(&type);
    }
    for (i = 0; i < sizes[0] * sizes[1]; ++i) CHECK_EQ(owners[i], 1);
  }
}

/* Absolute addresses in messages and collectives, and one block apart from the element's address. */
static void check_addresses(void) {
  int first = 10 + rank, got_first = -1, one = -1, all[8], i, lengths[2] = {1, 1};
  double second = 0.5 + rank, got_second = -1;
  MPI_Aint sent[2], got[2];
  MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, from, to, single, behind;
  MPI_Request request;
  check_part("absolute addresses");
  MPI_Get_address(&first, &sent[0]);
  MPI_Get_address(&second, &sent[1]);
  MPI_Get_address(&got_first, &got[0]);
  MPI_Get_address(&got_second, &got[1]);
  MPI_Type_create_struct(2, lengths, sent, types, &from);
  MPI_Type_create_struct(2, lengths, got, types, &to);
  MPI_Type_commit(&from);
  MPI_Type_commit(&to);
  MPI_Irecv(MPI_BOTTOM, 1, to, (rank + size - 1) % size, 3, MPI_COMM_WORLD, &request);
  MPI_Send(MPI_BOTTOM, 1, from, (rank + 1) % size, 3, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK_EQ(got_first, 10 + (rank + size - 1) % size);
  CHECK_NUM(got_second, 0.5 + (rank + size - 1) % size);
  MPI_Bcast(MPI_BOTTOM, 1, rank == size - 1 ? from : to, size - 1, MPI_COMM_WORLD);
  CHECK_EQ(rank == size - 1 ? first : got_first, 10 + size - 1);
  MPI_Get_address(&one, &got[0]);
  one = rank;
  MPI_Type_create_hindexed(1, lengths, got, MPI_INT, &single);
  MPI_Type_commit(&single);
  MPI_Gather(MPI_BOTTOM, 1, single, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0)
    for (i = 0; i < size && i < 8; ++i) CHECK_EQ(all[i], i);
  got[0] = -(MPI_Aint)sizeof(int);
  MPI_Type_create_hindexed(1, lengths, got, MPI_INT, &behind);
  MPI_Type_commit(&behind);
  for (i = 0; i < 8; ++i) all[i] = i;
  MPI_Irecv(all + 3, 1, behind, rank, 4, MPI_COMM_WORLD, &request);
  MPI_Send(all + 7, 1, behind, rank, 4, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK_EQ(all[2], 6);
  MPI_Type_free(&from);
  MPI_Type_free(&to);
  MPI_Type_free(&single);
  MPI_Type_free(&behind);
}

/* A datatype made again of what MPI_Type_get_contents tells. */
static void check_contents(void) {
  int lengths[2] = {2, 1}, integers[3], counts[3], combiner, i;
  MPI_Aint offsets[2] = {8, 0}, addresses[2], lower, extent;
  MPI_Datatype vector, types[2], made, again, found[2];
  check_part("contents");
  MPI_Type_vector(3, 1, 2, MPI_INT, &vector);
  types[0] = vector;
  types[1] = MPI_INT;
  MPI_Type_create_struct(2, lengths, offsets, types, &made);
  MPI_Type_free(&vector);
  MPI_Type_get_envelope(made, &counts[0], &counts[1], &counts[2], &combiner);
  CHECK_EQ(counts[0], 3);
  CHECK_EQ(counts[1], 2);
  CHECK_EQ(counts[2], 2);
  CHECK_EQ(combiner, MPI_COMBINER_STRUCT);
  MPI_Type_get_contents(made, 3, 2, 2, integers, addresses, found);
  CHECK_EQ(integers[0], 2);
  for (i = 0; i < 2; ++i) {
    CHECK_EQ(integers[1 + i], lengths[i]);
    CHECK_EQ(addresses[i], offsets[i]);
  }
  CHECK(found[1] == MPI_INT);
  MPI_Type_get_envelope(found[0], &counts[0], &counts[1], &counts[2], &combiner);
  CHECK_EQ(combiner, MPI_COMBINER_VECTOR);
  MPI_Type_create_struct(2, integers + 1, addresses, found, &again);
  MPI_Type_free(&found[0]);
  MPI_Type_free(&made);
  MPI_Type_get_extent(again, &lower, &extent);
  CHECK_EQ(lower, 0);
  CHECK_EQ(extent, 8 + 2 * 5 * (int)sizeof(int));
  MPI_Type_free(&again);
}

/* Overlapping elements may be sent. */
static void check_overlaps(void) {
  int numbers[4] = {1, 2, 3, 4}, got[6], i, offsets[3] = {1, 0, 1};
  static const int expected[6] = {2, 3, 1, 2, 2, 3};
  MPI_Datatype type;
  MPI_Request request;
  check_part("overlapping elements");
  MPI_Type_create_indexed_block(3, 2, offsets, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Irecv(got, 6, MPI_INT, rank, 5, MPI_COMM_WORLD, &request);
  MPI_Send(numbers, 1, type, rank, 5, MPI_COMM_WORLD);
  MPI_Type_free(&type);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (i = 0; i < 6; ++i) CHECK_EQ(got[i], expected[i]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check_random_nests();
  check_distributions();
  check_addresses();
  check_contents();
  check_overlaps();
  return check_finish();
}

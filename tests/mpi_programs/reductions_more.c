/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Reductions of elements with gaps and with other bounds, of values and indices, of truth values and
 * of Fortran's numbers, in few and in many elements; external32, and names.
 */
#include <stdlib.h>

#include "check.h"

static int rank, size;

typedef struct Located {
  double value;
  int index;
} Located;

typedef struct Long {
  long double value;
  int index;
} Long;

static void check_located(int count) {
  Located* own = (Located*)calloc((size_t)count, sizeof *own);
  Located* most = (Located*)calloc((size_t)count, sizeof *most);
  Located* least = (Located*)calloc((size_t)count, sizeof *least);
  int i, root = size - 1;
  for (i = 0; i < count; ++i) {
    own[i].value = (rank + i) % 3;
    own[i].index = size - rank;
  }
  MPI_Allreduce(own, most, count, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  MPI_Reduce(own, least, count, MPI_DOUBLE_INT, MPI_MINLOC, root, MPI_COMM_WORLD);
  for (i = 0; i < count; ++i) {
    Located high = {-1, 0}, low = {9, 0};
    int from;
    for (from = 0; from < size; ++from) {
      double value = (from + i) % 3;
      int index = size - from;
      if (value > high.value || (value == high.value && index < high.index))
        high.value = value, high.index = index;
      if (value < low.value || (value == low.value && index < low.index))
        low.value = value, low.index = index;
    }
    CHECK_NUM(most[i].value, high.value);
    CHECK_EQ(most[i].index, high.index);
    if (rank != root) continue;
    CHECK_NUM(least[i].value, low.value);
    CHECK_EQ(least[i].index, low.index);
  }
  free(own);
  free(most);
  free(least);
}

static void check_other_pairs(void) {
  struct {
    short value;
    int index;
  } small[2];
  struct {
    long value;
    int index;
  } large[2];
  struct {
    float value;
    int index;
  } single[2];
  Long wide[2];
  int two[4];
  check_part("values and indices of all types");
  memset(small, 0, sizeof small);
  memset(wide, 0, sizeof wide);
  small[0].value = (short)rank, small[0].index = rank;
  large[0].value = -rank, large[0].index = rank;
  single[0].value = (float)rank, single[0].index = rank;
  wide[0].value = rank, wide[0].index = rank;
  two[0] = 7, two[1] = rank + 3;
  MPI_Allreduce(small, small + 1, 1, MPI_SHORT_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  CHECK_EQ(small[1].value, size - 1);
  CHECK_EQ(small[1].index, size - 1);
  MPI_Allreduce(large, large + 1, 1, MPI_LONG_INT, MPI_MINLOC, MPI_COMM_WORLD);
  CHECK_EQ(large[1].value, 1 - size);
  CHECK_EQ(large[1].index, size - 1);
  MPI_Allreduce(single, single + 1, 1, MPI_FLOAT_INT, MPI_MINLOC, MPI_COMM_WORLD);
  CHECK_EQ(single[1].index, 0);
  MPI_Allreduce(wide, wide + 1, 1, MPI_LONG_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  CHECK_NUM(wide[1].value, size - 1);
  CHECK_EQ(wide[1].index, size - 1);
  MPI_Allreduce(two, two + 2, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
  CHECK_EQ(two[2], 7);
  CHECK_EQ(two[3], 3);
}

/* Two numbers with a gap between them and one behind them, and a bound before them. */
static MPI_Datatype gapped;
enum { gapped_ints = 6 };

/* Composition of x -> scale * x + shift: associative, and not commutative. Numbers wrap around. */
static void compose(void* in, void* inout, int* count, MPI_Datatype* type) {
  const unsigned* first = (const unsigned*)in;
  unsigned* second = (unsigned*)inout;
  int i;
  CHECK(*type == gapped);
  for (i = 0; i < *count; ++i, first += gapped_ints, second += gapped_ints) {
    second[2] += second[0] * first[2];
    second[0] *= first[0];
  }
}

static unsigned scale_of(int from, int i) { return 3u + (unsigned)(from * 5 + i % 7); }
static unsigned shift_of(int from, int i) { return 1u + (unsigned)(from * 2 + i % 5); }

static void check_gapped(int count) {
  MPI_Op op;
  MPI_Request request;
  unsigned* own = (unsigned*)malloc((size_t)(count + 1) * gapped_ints * sizeof(unsigned));
  unsigned* got = (unsigned*)malloc((size_t)(count + 1) * gapped_ints * sizeof(unsigned));
  unsigned all_scale, all_shift, scale, shift;
  int i, from, commutes = 1, kind, elements = (count + 1) * gapped_ints;
  MPI_Op_create(compose, 0, &op);
  MPI_Op_commutative(op, &commutes);
  CHECK_EQ(commutes, 0);
  for (kind = 0; kind < 4; ++kind) {
    for (i = 0; i < elements; ++i) own[i] = got[i] = 99;
    for (i = 0; i < count; ++i) {
      own[i * gapped_ints] = scale_of(rank, i);
      own[i * gapped_ints + 2] = shift_of(rank, i);
    }
    if (kind == 0) MPI_Allreduce(own, got, count, gapped, op, MPI_COMM_WORLD);
    if (kind == 1) MPI_Reduce(own, got, count, gapped, op, 0, MPI_COMM_WORLD);
    if (kind == 2) MPI_Scan(own, got, count, gapped, op, MPI_COMM_WORLD);
    if (kind == 3) {
      MPI_Isend(own, count, gapped, rank, 1, MPI_COMM_WORLD, &request);
      MPI_Recv(got, count, gapped, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      MPI_Allreduce(MPI_IN_PLACE, got, count, gapped, op, MPI_COMM_WORLD);
    }
    if (kind == 1 && rank != 0) continue;
    for (i = 0; i < count; ++i) {
      all_scale = 1, all_shift = 0;
      for (from = 0; from < (kind == 2 ? rank + 1 : size); ++from) {
        scale = scale_of(from, i);
        shift = shift_of(from, i);
        all_shift = shift + scale * all_shift;
        all_scale *= scale;
      }
      CHECK_EQ(got[i * gapped_ints], all_scale);
      CHECK_EQ(got[i * gapped_ints + 1], 99);
      CHECK_EQ(got[i * gapped_ints + 2], all_shift);
      CHECK_EQ(got[i * gapped_ints + 3], 99);
    }
  }
  MPI_Op_free(&op);
  free(own);
  free(got);
}

static void make_gapped(void) {
  MPI_Datatype vector;
  MPI_Type_vector(2, 1, 2, MPI_UNSIGNED, &vector);
  MPI_Type_create_resized(vector, -8, gapped_ints * (int)sizeof(unsigned), &gapped);
  MPI_Type_commit(&gapped);
  MPI_Type_free(&vector);
}

static void check_here(void) {
  Located first[2] = {{1, 5}, {2, 6}}, second[2] = {{1, 4}, {3, 7}};
  int numbers[2] = {1, 2}, sums[2] = {10, 20};
  MPI_Op op;
  unsigned in[gapped_ints] = {2, 9, 3, 9, 9, 9}, inout[gapped_ints] = {5, 8, 7, 8, 8, 8};
  check_part("local reductions");
  MPI_Reduce_local(numbers, sums, 2, MPI_INT, MPI_SUM);
  CHECK_EQ(sums[0], 11);
  CHECK_EQ(sums[1], 22);
  MPI_Reduce_local(first, second, 2, MPI_DOUBLE_INT, MPI_MINLOC);
  CHECK_EQ(second[0].index, 4);
  CHECK_EQ(second[1].index, 6);
  MPI_Op_create(compose, 0, &op);
  MPI_Reduce_local(in, inout, 1, gapped, op);
  CHECK_EQ(inout[0], 10);
  CHECK_EQ(inout[1], 8);
  CHECK_EQ(inout[2], 22);
  MPI_Op_free(&op);
}

static void check_types(void) {
  unsigned char on = rank == 0, all = 9, one = 9;
  MPI_Aint address = 1 + rank, addresses = 0;
  MPI_Count number = 2, product = 0;
  int integer = 1 << rank, bits = 0, commutes = 0;
  long double complex_number[2] = {1, 2}, sum[2] = {0, 0};
  float real = (float)rank, least = 9;
  check_part("reductions of more types");
  MPI_Allreduce(&on, &all, 1, MPI_C_BOOL, MPI_LAND, MPI_COMM_WORLD);
  MPI_Allreduce(&on, &one, 1, MPI_C_BOOL, MPI_LOR, MPI_COMM_WORLD);
  CHECK_EQ(all, size == 1);
  CHECK_EQ(one, 1);
  MPI_Allreduce(&address, &addresses, 1, MPI_AINT, MPI_SUM, MPI_COMM_WORLD);
  CHECK_EQ(addresses, size * (size + 1) / 2);
  MPI_Allreduce(&number, &product, 1, MPI_COUNT, MPI_PROD, MPI_COMM_WORLD);
  CHECK_EQ(product, 1L << size);
  MPI_Allreduce(&integer, &bits, 1, MPI_INTEGER, MPI_BOR, MPI_COMM_WORLD);
  CHECK_EQ(bits, (1 << size) - 1);
  MPI_Allreduce(complex_number, sum, 1, MPI_C_LONG_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
  CHECK_NUM(sum[1], 2 * size);
  MPI_Allreduce(&real, &least, 1, MPI_REAL, MPI_MIN, MPI_COMM_WORLD);
  CHECK_NUM(least, 0);
  MPI_Op_commutative(MPI_MAXLOC, &commutes);
  CHECK_EQ(commutes, 1);
}

/* In external32 a number's highest byte is the first. */
static void check_external(void) {
  static const unsigned char expected[] = {0xff, 0xff, 0xff, 0xfe, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0};
  int index = -2, got_index = 0;
  double value = 1.5, got_value = 0;
  unsigned char packed[64];
  MPI_Aint position = 0, bytes = 0;
  check_part("external32");
  MPI_Pack_external_size("external32", 3, MPI_DOUBLE, &bytes);
  CHECK_EQ(bytes, 24);
  MPI_Pack_external("external32", &index, 1, MPI_INT, packed, (MPI_Aint)sizeof packed, &position);
  CHECK_EQ(position, 4);
  MPI_Pack_external("external32", &value, 1, MPI_DOUBLE, packed, (MPI_Aint)sizeof packed, &position);
  CHECK_EQ(position, 12);
  CHECK(memcmp(packed, expected, 12) == 0);
  position = 0;
  MPI_Unpack_external("external32", packed, 12, &position, &got_index, 1, MPI_INT);
  MPI_Unpack_external("external32", packed, 12, &position, &got_value, 1, MPI_DOUBLE);
  CHECK_EQ(position, 12);
  CHECK_EQ(got_index, -2);
  CHECK_NUM(got_value, 1.5);
}

static void check_names(void) {
  char name[MPI_MAX_OBJECT_NAME];
  int length = -1, bytes = 0;
  MPI_Datatype type;
  check_part("names and sizes");
  MPI_Type_get_name(MPI_DOUBLE_INT, name, &length);
  CHECK_STR(name, "MPI_DOUBLE_INT");
  CHECK_EQ(length, 14);
  MPI_Type_dup(MPI_INT, &type);
  MPI_Type_get_name(type, name, &length);
  CHECK_EQ(length, 0);
  MPI_Type_set_name(type, "number");
  MPI_Type_get_name(type, name, &length);
  CHECK_STR(name, "number");
  MPI_Type_free(&type);
  MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &type);
  MPI_Type_size(type, &bytes);
  CHECK_EQ(bytes, 8);
  MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 2, &type);
  MPI_Type_size(type, &bytes);
  CHECK_EQ(bytes, 2);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  make_gapped();
  check_part("values and indices");
  check_located(3);
  check_located(3000);
  check_other_pairs();
  check_part("elements with gaps");
  check_gapped(2);
  check_gapped(4000);
  check_here();
  check_types();
  check_external();
  check_names();
  MPI_Type_free(&gapped);
  return check_finish();
}

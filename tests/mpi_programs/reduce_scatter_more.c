// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI_Reduce_scatter and MPI_Reduce_scatter_block with an operation that does not commute,
// MPI_Alltoallw with a datatype on one side and another on the other, and wrong calls of
// collectives, blocking and nonblocking.
#include <mpi.h>
#include <stdlib.h>

#include "check.h"

static int rank, size;

// Affine functions modulo a prime, whose composition does not commute.
typedef struct {
  long long factor, term;
} Affine;
enum { prime = 1000003 };

static Affine composed(Affine first, Affine second) {
  Affine result;
  result.factor = first.factor * second.factor % prime;
  result.term = (first.term * second.factor + second.term) % prime;
  return result;
}

static void compose(void* in, void* inout, int* count, MPI_Datatype* type) {
  Affine* const left = in;
  Affine* const right = inout;
  (void)type;
  for (int i = 0; i < *count; ++i) right[i] = composed(left[i], right[i]);
}

static Affine term_of(int member, int index) {
  Affine result;
  result.factor = 2 + member * 7 + index % 11;
  result.term = 1 + member + index * 3;
  return result;
}

static Affine expected(int members, int index) {
  Affine result = term_of(0, index);
  for (int member = 1; member < members; ++member) result = composed(result, term_of(member, index));
  return result;
}

// Of rank i's part: `scale` times i elements, or as many for all.
static void reduce_scatter_in_order(MPI_Comm comm, int scale, int same) {
  int me, members, all = 0, before = 0;
  MPI_Datatype pair;
  MPI_Op op;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &members);
  int* const counts = malloc((size_t)members * sizeof *counts);
  for (int i = 0; i < members; ++i) {
    counts[i] = same ? scale : scale * i;
    if (i < me) before += counts[i];
    all += counts[i];
  }
  MPI_Type_contiguous(2, MPI_LONG_LONG, &pair);
  MPI_Type_commit(&pair);
  MPI_Op_create(compose, 0, &op);
  Affine* const own = malloc((size_t)(all + 1) * sizeof *own);
  Affine* const result = malloc((size_t)(all + 1) * sizeof *result);
  for (int in_place = 0; in_place < 2; ++in_place) {
    for (int i = 0; i < all; ++i) own[i] = result[i] = term_of(me, i);
    const void* const from = in_place ? MPI_IN_PLACE : own;
    if (same)
      MPI_Reduce_scatter_block(from, result, scale, pair, op, comm);
    else
      MPI_Reduce_scatter(from, result, counts, pair, op, comm);
    for (int i = 0; i < counts[me]; ++i) {
      const Affine wanted = expected(members, before + i);
      CHECK(result[i].factor == wanted.factor && result[i].term == wanted.term);
    }
    if (in_place) continue;
    for (int i = 0; i < all; ++i)
      CHECK(own[i].factor == term_of(me, i).factor && own[i].term == term_of(me, i).term);
  }
  free(own);
  free(result);
  free(counts);
  MPI_Op_free(&op);
  MPI_Type_free(&pair);
}

// Rank i gets row i as a column: the types of both sides differ.
static void transpose_by_types(MPI_Comm comm, int in_place) {
  int me, members;
  MPI_Datatype column;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &members);
  enum { rows = 3 };
  const size_t n = (size_t)members;
  MPI_Type_vector(rows, 1, members, MPI_INT, &column);
  MPI_Type_commit(&column);
  int* const counts = malloc(n * sizeof *counts);
  int* const blocks = malloc(n * sizeof *blocks);
  int* const offsets_out = malloc(n * sizeof *offsets_out);
  int* const offsets_in = malloc(n * sizeof *offsets_in);
  MPI_Datatype* const columns = malloc(n * sizeof *columns);
  MPI_Datatype* const ints = malloc(n * sizeof *ints);
  int* const out = malloc(n * rows * sizeof *out);
  int* const in = malloc(n * rows * sizeof *in);
  for (int i = 0; i < members; ++i) {
    counts[i] = 1;
    blocks[i] = rows;
    offsets_out[i] = i * (int)sizeof(int);
    offsets_in[i] = i * rows * (int)sizeof(int);
    columns[i] = column;
    ints[i] = MPI_INT;
    for (int row = 0; row < rows; ++row) {
      out[row * members + i] = 10000 * me + 100 * i + row;
      in[row * members + i] = in_place ? out[row * members + i] : -1;
    }
  }
  if (in_place)
    MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, in, counts, offsets_out, columns, comm);
  else
    MPI_Alltoallw(out, counts, offsets_out, columns, in, blocks, offsets_in, ints, comm);
  for (int i = 0; i < members; ++i)
    for (int row = 0; row < rows; ++row)
      CHECK(in[in_place ? row * members + i : i * rows + row] == 10000 * i + 100 * me + row);
  free(counts);
  free(blocks);
  free(offsets_out);
  free(offsets_in);
  free(columns);
  free(ints);
  free(out);
  free(in);
  MPI_Type_free(&column);
}

static int class_of(int code) {
  int result = MPI_SUCCESS;
  if (code != MPI_SUCCESS) MPI_Error_class(code, &result);
  return result;
}

// All ranks make the same wrong calls, none of which waits.
static void wrong_calls(void) {
  MPI_Comm comm;
  MPI_Request request;
  int* const one = calloc((size_t)size + 1, sizeof *one);
  int* const other = calloc((size_t)size + 1, sizeof *other);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  CHECK(class_of(MPI_Bcast(one, -1, MPI_INT, 0, comm)) == MPI_ERR_COUNT);
  CHECK(class_of(MPI_Ibcast(one, -1, MPI_INT, 0, comm, &request)) == MPI_ERR_COUNT);
#ifdef KANOR_MPI_H
  // MPICH 4.0 does not check these.
  CHECK(class_of(MPI_Reduce_scatter_block(one, other, -1, MPI_INT, MPI_SUM, comm)) == MPI_ERR_COUNT);
  CHECK(class_of(MPI_Ireduce_scatter_block(one, other, -1, MPI_INT, MPI_SUM, comm, &request)) ==
        MPI_ERR_COUNT);
#endif
  CHECK(class_of(MPI_Reduce(one, other, 1, MPI_INT, MPI_SUM, size, comm)) == MPI_ERR_ROOT);
  CHECK(class_of(MPI_Ireduce(one, other, 1, MPI_INT, MPI_SUM, -5, comm, &request)) == MPI_ERR_ROOT);
  CHECK(class_of(MPI_Iscatter(one, 1, MPI_INT, other, 1, MPI_INT, size, comm, &request)) == MPI_ERR_ROOT);
  CHECK(class_of(MPI_Allreduce(one, one, 1, MPI_INT, MPI_SUM, comm)) == MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Iallreduce(one, one, 1, MPI_INT, MPI_SUM, comm, &request)) == MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Reduce_scatter_block(one, one, 1, MPI_INT, MPI_SUM, comm)) == MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Iallreduce(one, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, comm, &request)) == MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Iscan(one, one, 1, MPI_INT, MPI_SUM, comm, &request)) == MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Ialltoall(one, 1, MPI_INT, one, 1, MPI_INT, comm, &request)) == MPI_ERR_BUFFER);
  CHECK(class_of(MPI_Iallreduce(one, other, 1, MPI_INT, MPI_OP_NULL, comm, &request)) == MPI_ERR_OP);
  CHECK(class_of(MPI_Ibcast(one, 1, MPI_DATATYPE_NULL, 0, comm, &request)) == MPI_ERR_TYPE);
  MPI_Comm_free(&comm);
  free(one);
  free(other);
}

int main(int argc, char** argv) {
  MPI_Comm backwards;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &backwards);
  const int scales[] = {0, 1, 5, 3000};
  for (int i = 0; i < 4; ++i)
    for (int same = 0; same < 2; ++same) {
      reduce_scatter_in_order(MPI_COMM_WORLD, scales[i], same);
      reduce_scatter_in_order(backwards, scales[i], same);
      reduce_scatter_in_order(MPI_COMM_SELF, scales[i], same);
    }
  for (int in_place = 0; in_place < 2; ++in_place) {
    transpose_by_types(MPI_COMM_WORLD, in_place);
    transpose_by_types(backwards, in_place);
    transpose_by_types(MPI_COMM_SELF, in_place);
  }
  wrong_calls();
  MPI_Comm_free(&backwards);
  return check_finish();
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The names of MPI-1 that MPI 3.0 has removed, and that old programs still use; in C89.
 *
 * Type_struct, Type_hvector, Type_hindexed, Address, Type_extent, Type_lb, Type_ub, the markers
 * MPI_LB and MPI_UB, Errhandler_create, Errhandler_set, Errhandler_get. (Keyval_create and Attr_put
 * are in attributes.c.)
 */
#include <mpi.h>
#include <stdlib.h>

#include "ring.h"

struct particle {
  double place[3];
  int kind;
  char name[5];
};

static int called;

static void check_types(void) {
  struct particle sent[3], got[3];
  MPI_Datatype type, column, many;
  int lengths[3], i, k;
  int numbers[12], values[12];
  MPI_Aint places[3], start, extent, bound;
  MPI_Datatype types[3];
  lengths[0] = 3;
  lengths[1] = 1;
  lengths[2] = 5;
  types[0] = MPI_DOUBLE;
  types[1] = MPI_INT;
  types[2] = MPI_CHAR;
  MPI_Address(&sent[0], &start);
  MPI_Address(sent[0].place, &places[0]);
  MPI_Address(&sent[0].kind, &places[1]);
  MPI_Address(sent[0].name, &places[2]);
  for (i = 0; i < 3; ++i) places[i] -= start;
  MPI_Type_struct(3, lengths, places, types, &type);
  MPI_Type_commit(&type);
  MPI_Type_extent(type, &extent);
  CHECK_EQ(extent, sizeof(struct particle));
  MPI_Type_lb(type, &bound);
  CHECK_EQ(bound, 0);
  MPI_Type_ub(type, &bound);
  CHECK_EQ(bound, sizeof(struct particle));
  for (i = 0; i < 3; ++i) {
    for (k = 0; k < 3; ++k) sent[i].place[k] = rank + i + k;
    sent[i].kind = rank * i;
    strcpy(sent[i].name, i == 0 ? "zero" : i == 1 ? "one" : "two");
  }
  MPI_Sendrecv(sent, 3, type, right, 1, got, 3, type, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (i = 0; i < 3; ++i) {
    for (k = 0; k < 3; ++k) CHECK_NUM(got[i].place[k], left + i + k);
    CHECK_EQ(got[i].kind, left * i);
    CHECK_STR(got[i].name, sent[i].name);
  }
  MPI_Type_free(&type);

  /* A matrix of 3 rows and 4 columns goes by columns and comes by rows. */
  for (i = 0; i < 12; ++i) numbers[i] = 100 * rank + i;
  MPI_Type_vector(3, 1, 4, MPI_INT, &column);
  MPI_Type_hvector(4, 1, sizeof(int), column, &type);
  MPI_Type_commit(&type);
  MPI_Sendrecv(numbers, 1, type, right, 2, values, 12, MPI_INT, left, 2, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  for (i = 0; i < 12; ++i) CHECK_EQ(values[i], 100 * left + i % 3 * 4 + i / 3);
  MPI_Type_free(&type);
  MPI_Type_free(&column);

  lengths[0] = 2;
  lengths[1] = 1;
  places[0] = 16;
  places[1] = -4;
  MPI_Type_hindexed(2, lengths, places, MPI_INT, &many);
  MPI_Type_commit(&many);
  MPI_Type_lb(many, &bound);
  CHECK_EQ(bound, -4);
  MPI_Type_ub(many, &bound);
  CHECK_EQ(bound, 24);
  MPI_Sendrecv(numbers + 1, 1, many, right, 3, values, 3, MPI_INT, left, 3, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  CHECK_EQ(values[0], 100 * left + 5);
  CHECK_EQ(values[1], 100 * left + 6);
  CHECK_EQ(values[2], 100 * left);
  MPI_Type_free(&many);
}

/* A marker at the end makes the type longer. */
static void check_markers(void) {
  MPI_Datatype type;
  MPI_Datatype types[3];
  int lengths[3], numbers[12], values[3], i;
  MPI_Aint places[3], extent, bound;
  for (i = 0; i < 3; ++i) lengths[i] = 1;
  types[0] = MPI_LB;
  types[1] = MPI_INT;
  types[2] = MPI_UB;
  places[0] = -4;
  places[1] = 0;
  places[2] = 12;
  MPI_Type_struct(3, lengths, places, types, &type);
  MPI_Type_commit(&type);
  MPI_Type_extent(type, &extent);
  CHECK_EQ(extent, 16);
  MPI_Type_lb(type, &bound);
  CHECK_EQ(bound, -4);
  MPI_Type_ub(type, &bound);
  CHECK_EQ(bound, 12);
  for (i = 0; i < 12; ++i) numbers[i] = 100 * rank + i;
  MPI_Sendrecv(numbers, 3, type, right, 4, values, 3, MPI_INT, left, 4, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  for (i = 0; i < 3; ++i) CHECK_EQ(values[i], 100 * left + 4 * i);
  MPI_Type_free(&type);
}

static void on_error(MPI_Comm* comm, int* code, ...) {
  int kind = -1;
  MPI_Error_class(*code, &kind);
  CHECK_EQ(kind, MPI_ERR_RANK);
  CHECK(*comm == MPI_COMM_WORLD);
  ++called;
}

static void check_errors(void) {
  MPI_Errhandler handler, got, before;
  int value = 0, code;
  MPI_Errhandler_get(MPI_COMM_WORLD, &before);
  CHECK(before == MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_create(on_error, &handler);
  MPI_Errhandler_set(MPI_COMM_WORLD, handler);
  MPI_Errhandler_get(MPI_COMM_WORLD, &got);
  CHECK(got == handler);
  MPI_Errhandler_free(&got);
  MPI_Errhandler_free(&handler);
  code = MPI_Send(&value, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
  CHECK(code != MPI_SUCCESS);
  CHECK_EQ(called, 1);
  MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  code = MPI_Send(&value, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
  CHECK(code != MPI_SUCCESS);
  CHECK_EQ(called, 1);
  MPI_Errhandler_set(MPI_COMM_WORLD, before);
}

int main(int argc, char** argv) {
  begin_ring(&argc, &argv);
  check_part("types");
  check_types();
  check_part("markers");
  check_markers();
  check_part("error handlers");
  check_errors();
  return check_finish();
}

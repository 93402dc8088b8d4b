/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What C programs use of Fortran: statuses, and datatypes by their precision. */
#include <mpi.h>
#include <stdlib.h>

#include "check.h"

static int rank, size, is_kanor; /* MPICH lets go what counts as predefined */

static int size_of(MPI_Datatype type) {
  int bytes = -1;
  MPI_Type_size(type, &bytes);
  return bytes;
}

static int class_of(int code) {
  int class_of_code = -1;
  MPI_Error_class(code, &class_of_code);
  return class_of_code;
}

static void check_statuses(void) {
  int to = (rank + 1) % size, from = (rank + size - 1) % size, in = -1, count = -1;
  MPI_Status status, copy;
  MPI_Fint* numbers = malloc(sizeof(MPI_Status));
  check_part("statuses");
  memset(&copy, 0, sizeof copy);
  MPI_Sendrecv(&rank, 1, MPI_INT, to, 4, &in, 1, MPI_INT, from, 4, MPI_COMM_WORLD, &status);
  CHECK_EQ(MPI_Status_c2f(&status, numbers), MPI_SUCCESS);
  CHECK_EQ(MPI_Status_f2c(numbers, &copy), MPI_SUCCESS);
  CHECK_EQ(copy.MPI_SOURCE, from);
  CHECK_EQ(copy.MPI_TAG, 4);
  MPI_Get_count(&copy, MPI_INT, &count);
  CHECK_EQ(count, 1);
  free(numbers);
}

static void check_handles(void) {
  MPI_Request request;
  MPI_Errhandler handler;
  MPI_Info info;
  int value = rank, in = -1, flag = 0;
  char text[8];
  check_part("handles");
  MPI_Irecv(&in, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &request);
  MPI_Send(&value, 1, MPI_INT, rank, 1, MPI_COMM_WORLD);
  request = MPI_Request_f2c(MPI_Request_c2f(request));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK_EQ(in, rank);
  MPI_Info_create(&info);
  MPI_Info_set(MPI_Info_f2c(MPI_Info_c2f(info)), "key", "value");
  MPI_Info_get(info, "key", 7, text, &flag);
  CHECK_EQ(flag, 1);
  MPI_Info_free(&info);
  handler = MPI_Errhandler_f2c(MPI_Errhandler_c2f(MPI_ERRORS_RETURN));
  CHECK(handler == MPI_ERRORS_RETURN);
  CHECK(MPI_Message_f2c(MPI_Message_c2f(MPI_MESSAGE_NO_PROC)) == MPI_MESSAGE_NO_PROC);
}

static void check_integers(void) {
  /* Digits, and the bytes that are enough for them, up to each border. */
  static const int digits[] = {1, 2, 3, 4, 5, 9, 10, 18};
  static const int bytes[] = {1, 1, 2, 2, 4, 4, 8, 8};
  MPI_Datatype type, again, other;
  int i, integers, addresses, types, combiner, parameter = -1;
  check_part("integers");
  for (i = 0; i < 8; ++i) {
    MPI_Type_create_f90_integer(digits[i], &type);
    CHECK_EQ(size_of(type), bytes[i]);
    MPI_Type_create_f90_integer(digits[i], &again);
    CHECK(type == again);
  }
  MPI_Type_create_f90_integer(17, &other);
  CHECK(type != other);
  MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  CHECK_EQ(combiner, MPI_COMBINER_F90_INTEGER);
  CHECK_EQ(integers, 1);
  CHECK_EQ(addresses, 0);
  CHECK_EQ(types, 0);
  MPI_Type_get_contents(type, 1, 0, 0, &parameter, NULL, NULL);
  CHECK_EQ(parameter, 18);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK(MPI_Type_create_f90_integer(99, &type) != MPI_SUCCESS);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static void check_reals(void) {
  MPI_Datatype one, two, pair, inner = MPI_DATATYPE_NULL;
  double mine[2], sum[2] = {0, 0};
  float low, least = 0;
  int parameters[2] = {-1, -1}, integers, addresses, types, combiner, length;
  MPI_Aint none;
  check_part("floating-point numbers");
  MPI_Type_create_f90_real(6, 30, &one);
  CHECK_EQ(size_of(one), 4);
  MPI_Type_create_f90_real(15, MPI_UNDEFINED, &two);
  CHECK_EQ(size_of(two), 8);
  MPI_Type_create_f90_real(MPI_UNDEFINED, 300, &pair);
  CHECK_EQ(size_of(pair), 8);
  MPI_Type_get_contents(pair, 2, 0, 0, parameters, NULL, NULL);
  CHECK_EQ(parameters[0], MPI_UNDEFINED);
  CHECK_EQ(parameters[1], 300);
  MPI_Type_create_f90_complex(15, 300, &pair);
  CHECK_EQ(size_of(pair), 16);
  MPI_Type_get_envelope(pair, &integers, &addresses, &types, &combiner);
  CHECK_EQ(combiner, MPI_COMBINER_F90_COMPLEX);
  CHECK_EQ(integers, 2);
  /* They count as predefined: reductions have them, they need no commit, and stay. */
  mine[0] = rank, mine[1] = 0.5;
  MPI_Allreduce(mine, sum, 2, two, MPI_SUM, MPI_COMM_WORLD);
  CHECK_NUM(sum[0], size * (size - 1) / 2.0);
  CHECK_NUM(sum[1], size * 0.5);
  MPI_Allreduce(mine, sum, 1, pair, MPI_SUM, MPI_COMM_WORLD);
  CHECK_NUM(sum[1], size * 0.5);
  low = (float)rank;
  MPI_Allreduce(&low, &least, 1, one, MPI_MAX, MPI_COMM_WORLD);
  CHECK_NUM(least, size - 1);
  /* What is made of one has it. */
  MPI_Type_contiguous(2, two, &pair);
  MPI_Type_get_contents(pair, 1, 0, 1, &length, &none, &inner);
  CHECK(inner == two);
  MPI_Type_free(&pair);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK(MPI_Type_create_f90_real(99, 9, &pair) != MPI_SUCCESS);
  if (is_kanor) CHECK_EQ(class_of(MPI_Type_free(&one)), MPI_ERR_TYPE);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static void check_sizes(void) {
  MPI_Datatype type;
  MPI_Aint bytes = -1;
  check_part("sizes");
  MPI_Type_match_size(MPI_TYPECLASS_REAL, (int)sizeof(long double), &type);
  CHECK_EQ(size_of(type), sizeof(long double));
  MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 8, &type);
  CHECK_EQ(size_of(type), 8);
  MPI_Pack_external_size("external32", 3, MPI_C_BOOL, &bytes);
  CHECK_EQ(bytes, 3);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  is_kanor = argc > 1;
  check_statuses();
  check_handles();
  check_integers();
  check_reals();
  check_sizes();
  return check_finish();
}

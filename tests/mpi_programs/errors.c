// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors: handlers, classes, codes and texts, and which class wrong arguments have.
//
// Comm_create_errhandler, Comm_set_errhandler, Comm_get_errhandler, Comm_call_errhandler,
// Errhandler_free, Error_class, Error_string, Add_error_class, Add_error_code, Add_error_string;
// wrong ranks, tags, counts, communicators, types, roots, groups and operations; messages that are
// too long for their buffers.
#include <mpi.h>

#include "ring.h"

static int calls, last_code;
static MPI_Comm last_comm;

static int class_of(int code) {
  int result = -1;
  MPI_Error_class(code, &result);
  return result;
}

static void count_errors(MPI_Comm* comm, int* code, ...) {
  ++calls;
  last_code = *code;
  last_comm = *comm;
}

static void check_handlers(void) {
  MPI_Errhandler handler, got;
  MPI_Comm copy, second;
  int value = 0;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got);
  CHECK(got == MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&got);
  CHECK(got == MPI_ERRHANDLER_NULL);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_create_errhandler(count_errors, &handler);
  MPI_Comm_set_errhandler(copy, handler);
  MPI_Comm_get_errhandler(copy, &got);
  CHECK(got == handler);
  MPI_Errhandler_free(&got);
  MPI_Errhandler_free(&handler);  // the communicator keeps it
  CHECK(handler == MPI_ERRHANDLER_NULL);
  calls = 0;
  int code = MPI_Send(&value, 1, MPI_INT, size + 5, 0, copy);
  CHECK_EQ(calls, 1);
  CHECK_EQ(class_of(code), MPI_ERR_RANK);
  CHECK_EQ(class_of(last_code), MPI_ERR_RANK);
  CHECK(last_comm == copy);
  // Copies take it over; calling it is possible, too.
  MPI_Comm_dup(copy, &second);
  MPI_Comm_call_errhandler(second, MPI_ERR_OTHER);
  CHECK_EQ(calls, 2);
  CHECK_EQ(class_of(last_code), MPI_ERR_OTHER);
  CHECK(last_comm == second);
  MPI_Comm_set_errhandler(second, MPI_ERRORS_RETURN);
  code = MPI_Send(&value, 1, MPI_INT, -77, 0, second);
  CHECK_EQ(class_of(code), MPI_ERR_RANK);
  CHECK_EQ(calls, 2);
  MPI_Comm_call_errhandler(second, MPI_ERR_TAG);
  CHECK_EQ(calls, 2);
  MPI_Comm_get_errhandler(second, &got);
  CHECK(got == MPI_ERRORS_RETURN);
  MPI_Errhandler_free(&got);
  MPI_Comm_free(&second);
  MPI_Comm_free(&copy);
}

#define CHECK_CLASS(call, expected)                                   \
  do {                                                                \
    const int code = (call);                                          \
    CHECK(code != MPI_SUCCESS);                                       \
    check_equal(class_of(code), expected, #call, __FILE__, __LINE__); \
  } while (0)

static void check_arguments(void) {
  int value = 0, got = 0, two[2] = {0, 0};
  MPI_Request request;
  MPI_Comm comm;
  MPI_Datatype type;
  // Errors of no communicator are those of the world, or, since MPI 4, those of MPI_COMM_SELF.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  CHECK_CLASS(MPI_Send(&value, 1, MPI_INT, size, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
  CHECK_CLASS(MPI_Recv(&value, 1, MPI_INT, size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
              MPI_ERR_RANK);
  CHECK_CLASS(MPI_Send(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
  CHECK_CLASS(MPI_Isend(&value, 1, MPI_INT, size, 0, MPI_COMM_WORLD, &request), MPI_ERR_RANK);
  CHECK_CLASS(MPI_Send(&value, 1, MPI_INT, 0, -9, MPI_COMM_WORLD), MPI_ERR_TAG);
  CHECK_CLASS(MPI_Send(&value, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD), MPI_ERR_TAG);
  CHECK_CLASS(MPI_Irecv(&value, 1, MPI_INT, 0, -9, MPI_COMM_WORLD, &request), MPI_ERR_TAG);
  CHECK_CLASS(MPI_Send(&value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
  CHECK_CLASS(MPI_Recv(&value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
              MPI_ERR_COUNT);
  CHECK_CLASS(MPI_Send(&value, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
  CHECK_CLASS(MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_NULL), MPI_ERR_COMM);
  CHECK_CLASS(MPI_Comm_rank(MPI_COMM_NULL, &got), MPI_ERR_COMM);
  CHECK_CLASS(MPI_Barrier(MPI_COMM_NULL), MPI_ERR_COMM);
  CHECK_CLASS(MPI_Comm_dup(MPI_COMM_NULL, &comm), MPI_ERR_COMM);
  CHECK_CLASS(MPI_Bcast(&value, 1, MPI_INT, size, MPI_COMM_WORLD), MPI_ERR_ROOT);
  CHECK_CLASS(MPI_Bcast(&value, -1, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
  CHECK_CLASS(MPI_Allreduce(&value, &got, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD), MPI_ERR_OP);
  CHECK_CLASS(MPI_Group_size(MPI_GROUP_NULL, &got), MPI_ERR_GROUP);
  MPI_Type_contiguous(2, MPI_INT, &type);
  CHECK_CLASS(MPI_Send(two, 1, type, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);  // not committed
  MPI_Type_free(&type);
  CHECK_CLASS(MPI_Type_free(&type), MPI_ERR_TYPE);
  // Everything still works.
  MPI_Allreduce(&rank, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK_EQ(got, size * (size - 1) / 2);
}

static void check_truncation(void) {
  int sent[10], got[10];
  MPI_Request requests[3];
  MPI_Status status, statuses[3];
  for (int i = 0; i < 10; ++i) sent[i] = rank + i, got[i] = -1;
  MPI_Isend(sent, 10, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[0]);
  CHECK_CLASS(MPI_Recv(got, 4, MPI_INT, left, 1, MPI_COMM_WORLD, &status), MPI_ERR_TRUNCATE);
  CHECK_EQ(got[4], -1);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Irecv(got, 3, MPI_INT, left, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Isend(sent, 5, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[1]);
  CHECK_CLASS(MPI_Wait(&requests[0], &status), MPI_ERR_TRUNCATE);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  // Of several requests, the statuses say which one failed.
  MPI_Irecv(got, 10, MPI_INT, left, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(got, 2, MPI_INT, left, 4, MPI_COMM_WORLD, &requests[1]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Isend(sent, 3, MPI_INT, right, 3, MPI_COMM_WORLD, &requests[2]);
  MPI_Send(sent, 3, MPI_INT, right, 4, MPI_COMM_WORLD);
  const int code = MPI_Waitall(3, requests, statuses);
  CHECK_EQ(class_of(code), MPI_ERR_IN_STATUS);
  CHECK_EQ(class_of(statuses[1].MPI_ERROR), MPI_ERR_TRUNCATE);
  for (int i = 0; i < 3; i += 2) {
    CHECK(statuses[i].MPI_ERROR == MPI_SUCCESS || statuses[i].MPI_ERROR == MPI_ERR_PENDING);
    CHECK((requests[i] != MPI_REQUEST_NULL) == (statuses[i].MPI_ERROR == MPI_ERR_PENDING));
    MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  }
}

static void check_texts(void) {
  char text[MPI_MAX_ERROR_STRING];
  int length = -1;
  const int classes[] = {MPI_SUCCESS,        MPI_ERR_BUFFER, MPI_ERR_COUNT,     MPI_ERR_TYPE,
                         MPI_ERR_TAG,        MPI_ERR_COMM,   MPI_ERR_RANK,      MPI_ERR_REQUEST,
                         MPI_ERR_ROOT,       MPI_ERR_GROUP,  MPI_ERR_OP,        MPI_ERR_TOPOLOGY,
                         MPI_ERR_DIMS,       MPI_ERR_ARG,    MPI_ERR_UNKNOWN,   MPI_ERR_TRUNCATE,
                         MPI_ERR_OTHER,      MPI_ERR_INTERN, MPI_ERR_IN_STATUS, MPI_ERR_PENDING,
                         MPI_ERR_KEYVAL,     MPI_ERR_NO_MEM, MPI_ERR_INFO_KEY,  MPI_ERR_INFO_VALUE,
                         MPI_ERR_INFO_NOKEY, MPI_ERR_INFO,   MPI_ERR_LASTCODE};
  CHECK_EQ(MPI_SUCCESS, 0);
  for (int i = 0; i < (int)(sizeof classes / sizeof classes[0]) - 1; ++i) {
    CHECK_EQ(class_of(classes[i]), classes[i]);
    CHECK(classes[i] <= MPI_ERR_LASTCODE);
    MPI_Error_string(classes[i], text, &length);
    CHECK(length > 0 && length < MPI_MAX_ERROR_STRING);
    CHECK_EQ(strlen(text), length);
  }
}

static void check_own(void) {
  char text[MPI_MAX_ERROR_STRING];
  int own_class = -1, code = -1, second = -1, length = -1, flag = 0;
  void* last = NULL;
  MPI_Add_error_class(&own_class);
  CHECK(own_class > MPI_ERR_LASTCODE);
  MPI_Add_error_code(own_class, &code);
  CHECK_EQ(class_of(code), own_class);
  CHECK_EQ(class_of(own_class), own_class);
  MPI_Add_error_code(MPI_ERR_OTHER, &second);
  CHECK_EQ(class_of(second), MPI_ERR_OTHER);
  CHECK(second != code);
  MPI_Error_string(code, text, &length);
  CHECK_EQ(length, 0);  // none yet
  MPI_Add_error_string(own_class, "a class of our own");
  MPI_Add_error_string(code, "a code of our own");
  MPI_Error_string(code, text, &length);
  CHECK_STR(text, "a code of our own");
  CHECK_EQ(length, 17);
  MPI_Error_string(own_class, text, &length);
  CHECK_STR(text, "a class of our own");
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag);
  CHECK(flag && *(int*)last >= own_class);
  // The handlers get it.
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(count_errors, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  calls = 0;
  MPI_Comm_call_errhandler(MPI_COMM_SELF, code);
  CHECK_EQ(calls, 1);
  CHECK_EQ(last_code, code);
  CHECK(last_comm == MPI_COMM_SELF);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler);
}

int main(int argc, char** argv) {
  begin_ring(&argc, &argv);
  check_part("handlers");
  check_handlers();
  check_part("arguments");
  check_arguments();
  check_part("truncation");
  check_truncation();
  check_part("texts");
  check_texts();
  check_part("errors of our own");
  check_own();
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  return check_finish();
}

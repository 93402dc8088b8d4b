// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error handlers that do more than count, and many error codes.
//
// Handlers that make calls, also calls that fail, that set another handler, free the communicator or
// jump out of the call; handlers that communicators inherit; one handler of many communicators; the
// texts of all error classes, and of codes of the program.
#include <mpi.h>
#include <setjmp.h>
#include <stdlib.h>

#include "check.h"

static int rank, size;
static int calls, nested_class, nested_size;
static MPI_Comm last;
static jmp_buf way_out;

static int class_of(int code) {
  int result = -1;
  MPI_Error_class(code, &result);
  return result;
}

static void count(MPI_Comm* comm, int* code, ...) {
  ++calls;
  last = *comm;
  (void)code;
}

static void make_calls(MPI_Comm* comm, int* code, ...) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0, value = 0;
  ++calls;
  MPI_Comm_size(*comm, &nested_size);
  MPI_Error_string(*code, text, &length);
  CHECK(length > 0 && (int)strlen(text) == length);
  // The world returns its errors.
  nested_class = class_of(MPI_Send(&value, 1, MPI_INT, size + 1, 0, MPI_COMM_WORLD));
}

static void replace(MPI_Comm* comm, int* code, ...) {
  (void)code;
  ++calls;
  MPI_Comm_set_errhandler(*comm, MPI_ERRORS_RETURN);
}

static void jump(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  longjmp(way_out, class_of(*code));
}

static MPI_Comm with_handler(MPI_Comm_errhandler_function* function) {
  MPI_Errhandler handler;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler(function, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Errhandler_free(&handler);
  return comm;
}

static int send_wrongly(MPI_Comm comm) {
  int value = 0;
  return class_of(MPI_Send(&value, 1, MPI_INT, size + 7, 0, comm));
}

static void check_functions(void) {
  MPI_Comm comm = with_handler(make_calls);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  calls = 0;
  CHECK_EQ(send_wrongly(comm), MPI_ERR_RANK);
  CHECK_EQ(calls, 1);
  CHECK_EQ(nested_size, size);
  CHECK_EQ(nested_class, MPI_ERR_RANK);
  MPI_Comm_free(&comm);
  comm = with_handler(replace);
  CHECK_EQ(send_wrongly(comm), MPI_ERR_RANK);
  CHECK_EQ(calls, 2);
  CHECK_EQ(send_wrongly(comm), MPI_ERR_RANK);
  CHECK_EQ(calls, 2);
  MPI_Comm_free(&comm);
  comm = with_handler(jump);
  const int jumped = setjmp(way_out);
  if (jumped == 0) {
    send_wrongly(comm);
    CHECK(!"the handler has returned");
  }
  CHECK_EQ(jumped, MPI_ERR_RANK);
  // Everything still works.
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
  CHECK_EQ(sum, size * (size - 1) / 2);
  MPI_Comm_free(&comm);
}

static void check_inheritance(void) {
  MPI_Errhandler handler, got;
  MPI_Comm first, part, all[20];
  MPI_Comm_create_errhandler(count, &handler);
  MPI_Comm_dup(MPI_COMM_WORLD, &first);
  MPI_Comm_set_errhandler(first, handler);
  MPI_Comm_split(first, rank % 2, rank, &part);
  calls = 0;
  CHECK_EQ(send_wrongly(part), MPI_ERR_RANK);
  CHECK_EQ(calls, 1);
  CHECK(last == part);
  MPI_Comm_free(&part);
  MPI_Comm_dup(first, &part);
  MPI_Comm_get_errhandler(part, &got);
  CHECK(got == handler);
  MPI_Errhandler_free(&got);
  MPI_Comm_free(&first);
  // One for many: it stays until the last communicator goes.
  for (int i = 0; i < 20; ++i) MPI_Comm_dup(i ? all[i - 1] : part, &all[i]);
  MPI_Comm_free(&part);
  MPI_Errhandler_free(&handler);
  CHECK(handler == MPI_ERRHANDLER_NULL);
  for (int i = 0; i < 20; ++i) {
    calls = 0;
    CHECK_EQ(send_wrongly(all[i]), MPI_ERR_RANK);
    CHECK_EQ(calls, 1);
    CHECK(last == all[i]);
    MPI_Comm_free(&all[i]);
  }
  // A handler for this rank's world and itself.
  MPI_Comm_create_errhandler(count, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  calls = 0;
  CHECK_EQ(send_wrongly(MPI_COMM_SELF), MPI_ERR_RANK);
  CHECK_EQ(calls, 1);
  CHECK(last == MPI_COMM_SELF);
  CHECK_EQ(MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER), MPI_SUCCESS);
  CHECK_EQ(calls, 2);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Errhandler_free(&handler);
}

static void check_wrong_handlers(void) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRHANDLER_NULL) != MPI_SUCCESS);
  CHECK(MPI_Errhandler_free(&handler) != MPI_SUCCESS);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
  CHECK(handler == MPI_ERRORS_RETURN);
  CHECK_EQ(class_of(MPI_Comm_set_errhandler(MPI_COMM_NULL, MPI_ERRORS_RETURN)), MPI_ERR_COMM);
}

static void check_texts(void) {
  static const int classes[] = {MPI_ERR_BUFFER,
                                MPI_ERR_COUNT,
                                MPI_ERR_TYPE,
                                MPI_ERR_TAG,
                                MPI_ERR_COMM,
                                MPI_ERR_RANK,
                                MPI_ERR_REQUEST,
                                MPI_ERR_ROOT,
                                MPI_ERR_GROUP,
                                MPI_ERR_OP,
                                MPI_ERR_TOPOLOGY,
                                MPI_ERR_DIMS,
                                MPI_ERR_ARG,
                                MPI_ERR_UNKNOWN,
                                MPI_ERR_TRUNCATE,
                                MPI_ERR_OTHER,
                                MPI_ERR_INTERN,
                                MPI_ERR_PENDING,
                                MPI_ERR_IN_STATUS,
                                MPI_ERR_ACCESS,
                                MPI_ERR_AMODE,
                                MPI_ERR_ASSERT,
                                MPI_ERR_BAD_FILE,
                                MPI_ERR_BASE,
                                MPI_ERR_CONVERSION,
                                MPI_ERR_DISP,
                                MPI_ERR_DUP_DATAREP,
                                MPI_ERR_FILE_EXISTS,
                                MPI_ERR_FILE_IN_USE,
                                MPI_ERR_FILE,
                                MPI_ERR_INFO_KEY,
                                MPI_ERR_INFO_NOKEY,
                                MPI_ERR_INFO_VALUE,
                                MPI_ERR_INFO,
                                MPI_ERR_IO,
                                MPI_ERR_KEYVAL,
                                MPI_ERR_LOCKTYPE,
                                MPI_ERR_NAME,
                                MPI_ERR_NO_MEM,
                                MPI_ERR_NOT_SAME,
                                MPI_ERR_NO_SPACE,
                                MPI_ERR_NO_SUCH_FILE,
                                MPI_ERR_PORT,
                                MPI_ERR_QUOTA,
                                MPI_ERR_READ_ONLY,
                                MPI_ERR_RMA_CONFLICT,
                                MPI_ERR_RMA_SYNC,
                                MPI_ERR_SERVICE,
                                MPI_ERR_SIZE,
                                MPI_ERR_SPAWN,
                                MPI_ERR_UNSUPPORTED_DATAREP,
                                MPI_ERR_UNSUPPORTED_OPERATION,
                                MPI_ERR_WIN,
                                MPI_ERR_RMA_RANGE,
                                MPI_ERR_RMA_ATTACH,
                                MPI_ERR_RMA_SHARED,
                                MPI_ERR_RMA_FLAVOR};
  enum { how_many = sizeof classes / sizeof classes[0] };
  char texts[how_many][MPI_MAX_ERROR_STRING];
  for (int i = 0; i < how_many; ++i) {
    int length = -1, same = 0;
    CHECK(classes[i] > MPI_SUCCESS && classes[i] <= MPI_ERR_LASTCODE);
    CHECK_EQ(class_of(classes[i]), classes[i]);
    MPI_Error_string(classes[i], texts[i], &length);
    CHECK(length > 0);
    CHECK_EQ(strlen(texts[i]), length);
    for (int k = 0; k < i; ++k) same += classes[k] == classes[i] || strcmp(texts[k], texts[i]) == 0;
    CHECK_EQ(same, 0);
  }
}

static int refuse(MPI_Comm comm, int key, void* value, void* state) {
  (void)comm, (void)key, (void)state;
  return *(int*)value;
}

static void check_codes(void) {
  enum { how_many = 30 };
  int codes[how_many], classes[how_many], length = -1, found = 0, key;
  int* last_code = NULL;
  char text[MPI_MAX_ERROR_STRING], expected[64];
  for (int i = 0; i < how_many; ++i) {
    MPI_Add_error_class(&classes[i]);
    MPI_Add_error_code(i % 2 ? classes[i] : MPI_ERR_ARG, &codes[i]);
    snprintf(text, sizeof text, "code %d of rank %d", i, rank);
    MPI_Add_error_string(codes[i], text);
  }
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last_code, &found);
  CHECK(found);
  for (int i = 0; i < how_many; ++i) {
    CHECK(classes[i] > MPI_ERR_LASTCODE && classes[i] <= *last_code);
    CHECK_EQ(class_of(codes[i]), i % 2 ? classes[i] : MPI_ERR_ARG);
    CHECK_EQ(class_of(classes[i]), classes[i]);
    if (i % 2 == 0) continue;
    snprintf(expected, sizeof expected, "code %d of rank %d", i, rank);
    MPI_Error_string(codes[i], text, &length);
    CHECK_STR(text, expected);
    CHECK_EQ(length, strlen(expected));
    MPI_Error_string(classes[i], text, &length);
    CHECK_STR(text, "");
  }
  MPI_Add_error_string(codes[3], "another text");
  MPI_Error_string(codes[3], text, &length);
  CHECK_STR(text, "another text");
  // A function of the program may answer with such a code.
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, refuse, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, &codes[5]);
  const int code = MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
  CHECK(code != MPI_SUCCESS);
  codes[5] = MPI_SUCCESS;
  CHECK_EQ(MPI_Comm_delete_attr(MPI_COMM_WORLD, key), MPI_SUCCESS);
  MPI_Comm_free_keyval(&key);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check_part("functions");
  check_functions();
  check_part("inheritance");
  check_inheritance();
  check_part("wrong handlers");
  check_wrong_handlers();
  check_part("texts");
  check_texts();
  check_part("codes");
  check_codes();
  return check_finish();
}

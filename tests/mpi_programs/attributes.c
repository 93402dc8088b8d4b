// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of communicators and datatypes.
//
// Keyvals with callbacks that copy, leave out, count and refuse; duplicating and freeing; the
// ready-made callbacks; the predefined attributes of the world; the names of MPI-1 (Keyval_create,
// Attr_put, ...).
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>

#include "check.h"

static int rank, size;
static int copies, deletions;
static long last_deleted;
static int extra = 77;

static int copy_plus_one(MPI_Comm comm, int key, void* extra_state, void* in, void* out,
                         int* flag) {
  (void)comm, (void)key;
  CHECK(extra_state == &extra);
  ++copies;
  *(void**)out = (void*)((intptr_t)in + 1);
  *flag = 1;
  return MPI_SUCCESS;
}

static int leave_out(MPI_Comm comm, int key, void* extra_state, void* in, void* out, int* flag) {
  (void)comm, (void)key, (void)extra_state, (void)in, (void)out;
  ++copies;
  *flag = 0;
  return MPI_SUCCESS;
}

static int count_delete(MPI_Comm comm, int key, void* value, void* extra_state) {
  (void)comm, (void)key;
  CHECK(extra_state == &extra);
  ++deletions;
  last_deleted = (long)(intptr_t)value;
  return MPI_SUCCESS;
}

static int refuse_copy(MPI_Comm comm, int key, void* extra_state, void* in, void* out, int* flag) {
  (void)comm, (void)key, (void)extra_state, (void)in, (void)out;
  *flag = 0;
  return MPI_ERR_OTHER;
}

static long value_of(MPI_Comm comm, int key) {
  void* value = NULL;
  int found = 0;
  MPI_Comm_get_attr(comm, key, &value, &found);
  return found ? (long)(intptr_t)value : -1;
}

static void check_predefined(void) {
  void* value = NULL;
  int found = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &found);
  CHECK(found);
  if (found) {
    CHECK(*(int*)value >= 32767);
    // The largest tag works.
    int mine = rank, got = -1;
    MPI_Sendrecv(&mine, 1, MPI_INT, (rank + 1) % size, *(int*)value, &got, 1, MPI_INT,
                 (rank + size - 1) % size, *(int*)value, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_EQ(got, (rank + size - 1) % size);
  }
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_HOST, &value, &found);
  if (found) CHECK(*(int*)value == MPI_PROC_NULL || (*(int*)value >= 0 && *(int*)value < size));
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, &value, &found);
  CHECK(found);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &found);
  if (found) CHECK(*(int*)value == 0 || *(int*)value == 1);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &value, &found);
  if (found) CHECK(*(int*)value >= size || *(int*)value == MPI_UNDEFINED);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &value, &found);
  if (found) CHECK_EQ(*(int*)value, 0);
}

static void check_comms(void) {
  int key, found = 1, silent;
  void* value = NULL;
  MPI_Comm one, two, three;
  copies = deletions = 0;
  MPI_Comm_create_keyval(copy_plus_one, count_delete, &key, &extra);
  MPI_Comm_create_keyval(leave_out, MPI_COMM_NULL_DELETE_FN, &silent, NULL);
  CHECK(key != MPI_KEYVAL_INVALID && silent != key);
  MPI_Comm_dup(MPI_COMM_WORLD, &one);
  MPI_Comm_get_attr(one, key, &value, &found);
  CHECK(!found);
  MPI_Comm_set_attr(one, key, (void*)(intptr_t)(1000 + rank));
  MPI_Comm_set_attr(one, silent, &extra);
  CHECK_EQ(value_of(one, key), 1000 + rank);
  CHECK_EQ(value_of(MPI_COMM_WORLD, key), -1);
  // A new value in the place of an old one deletes it.
  MPI_Comm_set_attr(one, key, (void*)(intptr_t)(2000 + rank));
  CHECK_EQ(deletions, 1);
  CHECK_EQ(last_deleted, 1000 + rank);
  MPI_Comm_dup(one, &two);
  CHECK_EQ(copies, 2);
  CHECK_EQ(value_of(two, key), 2001 + rank);
  CHECK_EQ(value_of(two, silent), -1);
  MPI_Comm_dup(two, &three);
  CHECK_EQ(copies, 3);
  CHECK_EQ(value_of(three, key), 2002 + rank);
  CHECK_EQ(value_of(one, key), 2000 + rank);
  MPI_Comm_delete_attr(two, key);
  CHECK_EQ(deletions, 2);
  CHECK_EQ(last_deleted, 2001 + rank);
  CHECK_EQ(value_of(two, key), -1);
  // A split copies nothing.
  MPI_Comm part;
  MPI_Comm_split(one, 0, rank, &part);
  CHECK_EQ(value_of(part, key), -1);
  CHECK_EQ(copies, 3);
  MPI_Comm_free(&part);
  // A freed key lives on in the attributes that use it.
  const int kept = key;
  MPI_Comm_free_keyval(&key);
  CHECK_EQ(key, MPI_KEYVAL_INVALID);
  CHECK_EQ(value_of(three, kept), 2002 + rank);
  MPI_Comm_free(&three);
  CHECK_EQ(deletions, 3);
  CHECK_EQ(last_deleted, 2002 + rank);
  MPI_Comm_free(&two);
  CHECK_EQ(deletions, 3);
  MPI_Comm_free(&one);
  CHECK_EQ(deletions, 4);
  CHECK_EQ(last_deleted, 2000 + rank);
  MPI_Comm_free_keyval(&silent);
}

static void check_ready_made(void) {
  int dup, none;
  MPI_Comm one, two;
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &dup, NULL);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &none, NULL);
  MPI_Comm_dup(MPI_COMM_SELF, &one);
  MPI_Comm_set_attr(one, dup, &extra);
  MPI_Comm_set_attr(one, none, &extra);
  MPI_Comm_dup(one, &two);
  CHECK_EQ(value_of(two, dup), (intptr_t)&extra);
  CHECK_EQ(value_of(two, none), -1);
  CHECK_EQ(value_of(one, none), (intptr_t)&extra);
  MPI_Comm_free(&one);
  CHECK_EQ(value_of(two, dup), (intptr_t)&extra);
  MPI_Comm_free(&two);
  MPI_Comm_free_keyval(&dup);
  MPI_Comm_free_keyval(&none);
}

// A callback that refuses makes the duplication fail.
static void check_refusal(void) {
  int key, code;
  MPI_Comm one, two = MPI_COMM_NULL;
  MPI_Comm_create_keyval(refuse_copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_dup(MPI_COMM_SELF, &one);
  MPI_Comm_set_errhandler(one, MPI_ERRORS_RETURN);
  MPI_Comm_set_attr(one, key, NULL);
  code = MPI_Comm_dup(one, &two);
  CHECK(code != MPI_SUCCESS);
  MPI_Comm_delete_attr(one, key);
  MPI_Comm_free(&one);
  MPI_Comm_free_keyval(&key);
}

// Attributes of MPI_COMM_SELF are deleted as MPI ends, the last one first; see main.
static int at_end(MPI_Comm comm, int key, void* value, void* extra_state) {
  (void)comm, (void)key, (void)extra_state;
  if (rank == 0) printf("%s\n", (const char*)value);
  fflush(stdout);
  return MPI_SUCCESS;
}

static int copy_of_type(MPI_Datatype type, int key, void* extra_state, void* in, void* out,
                        int* flag) {
  (void)type, (void)key;
  CHECK(extra_state == &extra);
  ++copies;
  *(void**)out = (void*)((intptr_t)in * 2);
  *flag = 1;
  return MPI_SUCCESS;
}

static int delete_of_type(MPI_Datatype type, int key, void* value, void* extra_state) {
  (void)type, (void)key, (void)extra_state;
  ++deletions;
  last_deleted = (long)(intptr_t)value;
  return MPI_SUCCESS;
}

static void check_types(void) {
  MPI_Datatype vector, copy, second;
  int key, dup, found = 0;
  void* value = NULL;
  copies = deletions = 0;
  MPI_Type_create_keyval(copy_of_type, delete_of_type, &key, &extra);
  MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &dup, NULL);
  MPI_Type_vector(2, 1, 3, MPI_INT, &vector);
  MPI_Type_set_attr(vector, key, (void*)(intptr_t)(50 + rank));
  MPI_Type_set_attr(vector, dup, &extra);
  MPI_Type_dup(vector, &copy);
  CHECK_EQ(copies, 1);
  MPI_Type_get_attr(copy, key, &value, &found);
  CHECK(found && (intptr_t)value == 2 * (50 + rank));
  MPI_Type_get_attr(copy, dup, &value, &found);
  CHECK(found && value == &extra);
  // Types made of it have none.
  MPI_Type_contiguous(2, vector, &second);
  MPI_Type_get_attr(second, key, &value, &found);
  CHECK(!found);
  MPI_Type_delete_attr(vector, key);
  CHECK_EQ(deletions, 1);
  CHECK_EQ(last_deleted, 50 + rank);
  MPI_Type_free(&vector);
  CHECK_EQ(deletions, 1);
  MPI_Type_free(&copy);
  CHECK_EQ(deletions, 2);
  CHECK_EQ(last_deleted, 2 * (50 + rank));
  MPI_Type_free(&second);
  // A predefined type may have one, too.
  MPI_Type_set_attr(MPI_INT, dup, &extra);
  MPI_Type_get_attr(MPI_INT, dup, &value, &found);
  CHECK(found && value == &extra);
  MPI_Type_delete_attr(MPI_INT, dup);
  MPI_Type_free_keyval(&key);
  MPI_Type_free_keyval(&dup);
  CHECK_EQ(key, MPI_KEYVAL_INVALID);
}

static void check_old_names(void) {
  int key, dup, found = 0;
  void* value = NULL;
  MPI_Comm one, two;
  copies = deletions = 0;
  MPI_Keyval_create(copy_plus_one, count_delete, &key, &extra);
  MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &dup, NULL);
  MPI_Comm_dup(MPI_COMM_WORLD, &one);
  MPI_Attr_put(one, key, (void*)(intptr_t)5);
  MPI_Attr_put(one, dup, &rank);
  MPI_Attr_get(one, key, &value, &found);
  CHECK(found && (intptr_t)value == 5);
  MPI_Comm_dup(one, &two);
  MPI_Attr_get(two, key, &value, &found);
  CHECK(found && (intptr_t)value == 6);
  MPI_Attr_get(two, dup, &value, &found);
  CHECK(found && value == &rank);
  MPI_Attr_delete(two, key);
  MPI_Attr_get(two, key, &value, &found);
  CHECK(!found);
  CHECK_EQ(deletions, 1);
  MPI_Comm_free(&two);
  MPI_Comm_free(&one);
  CHECK_EQ(deletions, 2);
  MPI_Keyval_free(&key);
  MPI_Keyval_free(&dup);
  CHECK_EQ(key, MPI_KEYVAL_INVALID);
  MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, &value, &found);
  CHECK(found && *(int*)value >= 32767);
}

int main(int argc, char** argv) {
  int key, key2;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check_part("predefined");
  check_predefined();
  check_part("communicators");
  check_comms();
  check_part("ready-made callbacks");
  check_ready_made();
  check_part("refusal");
  check_refusal();
  check_part("datatypes");
  check_types();
  check_part("old names");
  check_old_names();
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &key, NULL);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &key2, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, (void*)"the first attribute of MPI_COMM_SELF");
  MPI_Comm_set_attr(MPI_COMM_SELF, key2, (void*)"the second attribute of MPI_COMM_SELF");
  MPI_Comm_free_keyval(&key);
  MPI_Comm_free_keyval(&key2);
  return check_finish();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes whose functions make calls, change attributes or fail.
//
// Delete functions that refuse; functions that set, get and delete other attributes and duplicate
// communicators; values that a copy replaces; keys that are used after they were freed, and keys made
// then; keys of communicators and datatypes; several duplicates; attributes of MPI_COMM_SELF at
// MPI_Finalize.
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>

#include "check.h"

static int rank, size;
static int state = 5;
static int copies, deletions, refusals;
static int other_key = MPI_KEYVAL_INVALID, deletes_other;

static void* number(long value) { return (void*)(intptr_t)value; }

static long value_of(MPI_Comm comm, int key) {
  void* value = NULL;
  int found = 0;
  MPI_Comm_get_attr(comm, key, &value, &found);
  return found ? (long)(intptr_t)value : -1;
}

static int copy(MPI_Comm comm, int key, void* extra, void* value, void* made, int* flag) {
  (void)comm, (void)key;
  CHECK(extra == &state);
  ++copies;
  *(void**)made = number((long)(intptr_t)value + 100);
  *flag = 1;
  return MPI_SUCCESS;
}

static int count_deletion(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)value, (void)extra;
  ++deletions;
  return MPI_SUCCESS;
}

static int refuse_first(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)value, (void)extra;
  if (refusals-- > 0) return MPI_ERR_OTHER;
  ++deletions;
  return MPI_SUCCESS;
}

static void check_refusals(void) {
  MPI_Comm comm;
  int key;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, refuse_first, &key, NULL);
  deletions = 0;
  refusals = 1;
  MPI_Comm_set_attr(comm, key, number(1));
  CHECK(MPI_Comm_set_attr(comm, key, number(2)) != MPI_SUCCESS);
  CHECK_EQ(value_of(comm, key), 1);
  CHECK_EQ(MPI_Comm_set_attr(comm, key, number(3)), MPI_SUCCESS);
  CHECK_EQ(value_of(comm, key), 3);
  CHECK_EQ(deletions, 1);
  refusals = 1;
  CHECK(MPI_Comm_delete_attr(comm, key) != MPI_SUCCESS);
  CHECK_EQ(value_of(comm, key), 3);
  CHECK_EQ(MPI_Comm_delete_attr(comm, key), MPI_SUCCESS);
  CHECK_EQ(value_of(comm, key), -1);
  CHECK_EQ(deletions, 2);
  MPI_Comm_set_attr(comm, key, number(4));
  MPI_Comm_free_keyval(&key);
  MPI_Comm_free(&comm);
  CHECK(comm == MPI_COMM_NULL);
  CHECK_EQ(deletions, 3);
}

// Functions that make calls.

static int copy_with_calls(MPI_Comm comm, int key, void* extra, void* value, void* made, int* flag) {
  MPI_Comm one;
  int number_of_ranks = 0, sum = 0, mine = 1;
  (void)extra;
  MPI_Comm_size(comm, &number_of_ranks);
  CHECK_EQ(number_of_ranks, size);
  CHECK_EQ(value_of(comm, key), (intptr_t)value);
  // All ranks call it, so it may communicate.
  MPI_Comm_dup(MPI_COMM_SELF, &one);
  MPI_Comm_free(&one);
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
  *(void**)made = number(sum);
  *flag = 1;
  return MPI_SUCCESS;
}

static int delete_other(MPI_Comm comm, int key, void* value, void* extra) {
  (void)key, (void)value, (void)extra;
  ++deletions;
  if (deletes_other) MPI_Comm_delete_attr(comm, other_key);
  return MPI_SUCCESS;
}

static void check_calls(void) {
  MPI_Comm one, two;
  int calling, third;
  MPI_Comm_create_keyval(copy_with_calls, delete_other, &calling, NULL);
  MPI_Comm_create_keyval(copy, count_deletion, &other_key, &state);
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, count_deletion, &third, NULL);
  MPI_Comm_dup(MPI_COMM_WORLD, &one);
  MPI_Comm_set_attr(one, third, number(7));
  MPI_Comm_set_attr(one, other_key, number(8));
  MPI_Comm_set_attr(one, calling, number(9));
  copies = deletions = 0;
  MPI_Comm_dup(one, &two);
  CHECK_EQ(copies, 1);
  CHECK_EQ(value_of(two, third), 7);
  CHECK_EQ(value_of(two, other_key), 108);
  CHECK_EQ(value_of(two, calling), size);
  deletes_other = 1;
  MPI_Comm_delete_attr(two, calling);
  deletes_other = 0;
  CHECK_EQ(deletions, 2);
  CHECK_EQ(value_of(two, other_key), -1);
  CHECK_EQ(value_of(two, third), 7);
  MPI_Comm_free(&two);
  CHECK_EQ(deletions, 3);
  MPI_Comm_free(&one);
  CHECK_EQ(deletions, 6);
  MPI_Comm_free_keyval(&calling);
  MPI_Comm_free_keyval(&other_key);
  MPI_Comm_free_keyval(&third);
}

static void check_keys(void) {
  enum { how_many = 60 };
  MPI_Comm comm, second;
  int keys[how_many], kept[how_many], made, distinct = 1, wrong = 0;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  for (int i = 0; i < how_many; ++i) {
    MPI_Comm_create_keyval(i % 2 ? copy : MPI_COMM_NULL_COPY_FN, count_deletion, &keys[i], &state);
    kept[i] = keys[i];
    MPI_Comm_set_attr(comm, keys[i], number(i));
    for (int k = 0; k < i; ++k) distinct &= keys[k] != keys[i];
  }
  CHECK(distinct);
  // Attributes outlive their keys, and a key that is made then is another one.
  for (int i = 0; i < how_many; ++i) MPI_Comm_free_keyval(&keys[i]);
  for (int i = 0; i < how_many; ++i) CHECK_EQ(keys[i], MPI_KEYVAL_INVALID);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &made, NULL);
  CHECK_EQ(value_of(comm, made), -1);
  for (int i = 0; i < how_many; ++i) wrong += made == kept[i];
  copies = deletions = 0;
  MPI_Comm_dup(comm, &second);
  CHECK_EQ(copies, how_many / 2);
  for (int i = 0; i < how_many; ++i) wrong += value_of(comm, kept[i]) != i;
  for (int i = 1; i < how_many; i += 2) wrong += value_of(second, kept[i]) != i + 100;
  MPI_Comm_delete_attr(comm, kept[0]);
  CHECK_EQ(deletions, 1);
  MPI_Comm_free(&comm);
  CHECK_EQ(deletions, how_many);
  for (int i = 1; i < how_many; i += 2) wrong += value_of(second, kept[i]) != i + 100;
  MPI_Comm_free(&second);
  CHECK_EQ(deletions, how_many + how_many / 2);
  CHECK_EQ(wrong, 0);
  MPI_Comm_free_keyval(&made);
}

static int class_of(int code) {
  int result = -1;
  MPI_Error_class(code, &result);
  return result;
}

static void check_wrong_keys(void) {
  void* value = NULL;
  int found = 0, key = MPI_KEYVAL_INVALID, predefined = MPI_TAG_UB;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  // MPI 4 has moved the errors of no communicator to this one.
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  CHECK_EQ(class_of(MPI_Comm_set_attr(MPI_COMM_WORLD, key, &found)), MPI_ERR_KEYVAL);
  CHECK_EQ(class_of(MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &found)), MPI_ERR_KEYVAL);
  CHECK_EQ(class_of(MPI_Comm_delete_attr(MPI_COMM_WORLD, key)), MPI_ERR_KEYVAL);
  CHECK(MPI_Comm_free_keyval(&key) != MPI_SUCCESS);
  CHECK(MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, &found) != MPI_SUCCESS);
  CHECK(MPI_Comm_delete_attr(MPI_COMM_WORLD, MPI_TAG_UB) != MPI_SUCCESS);
  CHECK(MPI_Comm_free_keyval(&predefined) != MPI_SUCCESS);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &found);
  CHECK(found && *(int*)value >= 32767);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  CHECK_EQ(class_of(MPI_Comm_set_attr(MPI_COMM_NULL, key, &found)), MPI_ERR_COMM);
  CHECK(MPI_Type_set_attr(MPI_INT, key, &found) != MPI_SUCCESS);
  MPI_Comm_free_keyval(&key);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

static void check_types(void) {
  MPI_Datatype pairs, triples;
  void* value = NULL;
  int key, kept, found = 0;
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, count_deletion, &key, &state);
  MPI_Type_contiguous(2, MPI_INT, &pairs);
  MPI_Type_contiguous(3, MPI_INT, &triples);
  MPI_Type_set_attr(pairs, key, number(2));
  MPI_Type_set_attr(triples, key, number(3));
  MPI_Type_set_attr(MPI_DOUBLE, key, number(8));
  kept = key;
  MPI_Type_free_keyval(&key);
  CHECK_EQ(key, MPI_KEYVAL_INVALID);
  MPI_Type_get_attr(triples, kept, &value, &found);
  CHECK(found && value == number(3));
  deletions = 0;
  MPI_Type_free(&pairs);
  CHECK_EQ(deletions, 1);
  // A type that is made then has none.
  MPI_Type_contiguous(2, MPI_INT, &pairs);
  MPI_Type_get_attr(pairs, kept, &value, &found);
  CHECK_EQ(found, 0);
  MPI_Type_set_attr(triples, kept, number(33));
  CHECK_EQ(deletions, 2);
  MPI_Type_free(&triples);
  MPI_Type_free(&pairs);
  CHECK_EQ(deletions, 3);
  MPI_Type_get_attr(MPI_DOUBLE, kept, &value, &found);
  CHECK(found && value == number(8));
  MPI_Type_delete_attr(MPI_DOUBLE, kept);
  CHECK_EQ(deletions, 4);
}

// At the end: the latest attribute goes first, while calls still work.

static int left[8], gone, last_is_too_early;

static int at_end(MPI_Comm comm, int key, void* value, void* extra) {
  int finalised = -1, initialised = -1, number_of_ranks = -1;
  (void)key, (void)extra;
  MPI_Finalized(&finalised);
  MPI_Initialized(&initialised);
  MPI_Comm_size(MPI_COMM_WORLD, &number_of_ranks);
  last_is_too_early |= finalised != 0 || initialised != 1 || number_of_ranks != size;
  last_is_too_early |= comm != MPI_COMM_SELF;
  if (gone < 8) left[gone] = (int)(intptr_t)value;
  ++gone;
  return MPI_SUCCESS;
}

static void prepare_end(void) {
  int keys[5];
  for (int i = 0; i < 5; ++i) {
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &keys[i], NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keys[i], number(i));
  }
  MPI_Comm_delete_attr(MPI_COMM_SELF, keys[2]);
  for (int i = 0; i < 5; ++i) MPI_Comm_free_keyval(&keys[i]);
  gone = 0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check_part("refusals");
  check_refusals();
  check_part("calls in functions");
  check_calls();
  check_part("keys");
  check_keys();
  check_part("wrong keys");
  check_wrong_keys();
  check_part("datatypes");
  check_types();
  prepare_end();
  const int status = check_finish();
  const int in_order = gone == 4 && left[0] == 4 && left[1] == 3 && left[2] == 1 && left[3] == 0;
  if (!in_order || last_is_too_early)
    printf("rank %d: at the end %d attributes went: %d, %d, %d, %d\n", rank, gone, left[0], left[1], left[2],
           left[3]);
  return status || !in_order || last_is_too_early;
}

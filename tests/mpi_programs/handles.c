// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles as values: copied, compared, in arrays and structures, as initialisers of globals.
//
// What MPI demands of predefined handles in C: they may stand in initialisers; handles can be
// assigned and compared; named constants that are whole numbers may stand in `switch` and as
// lengths of arrays.
#include <mpi.h>
#include <stdlib.h>

#include "check.h"

// Initialisers of globals and statics.
static MPI_Comm no_comm = MPI_COMM_NULL;
static MPI_Comm world = MPI_COMM_WORLD;
static const MPI_Comm both[2] = {MPI_COMM_WORLD, MPI_COMM_SELF};
static MPI_Datatype type_of_real = MPI_DOUBLE;
static const MPI_Datatype types[] = {MPI_CHAR,   MPI_INT,  MPI_LONG, MPI_FLOAT,
                                     MPI_DOUBLE, MPI_BYTE, MPI_2INT};
static const int sizes[] = {1, 4, 8, 4, 8, 1, 8};
static MPI_Op operations[] = {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_BAND, MPI_OP_NULL};
static MPI_Request requests[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL,
                                  MPI_REQUEST_NULL};
static MPI_Group empty = MPI_GROUP_EMPTY, no_group = MPI_GROUP_NULL;
static MPI_Info no_info = MPI_INFO_NULL;
static MPI_Errhandler handlers[] = {MPI_ERRORS_ARE_FATAL, MPI_ERRORS_RETURN, MPI_ERRHANDLER_NULL};
static MPI_Message no_message = MPI_MESSAGE_NULL, from_nobody = MPI_MESSAGE_NO_PROC;

// Constants that are whole numbers.
static char name[MPI_MAX_PROCESSOR_NAME], error[MPI_MAX_ERROR_STRING], object[MPI_MAX_OBJECT_NAME];
enum { any = MPI_ANY_SOURCE, any_tag = MPI_ANY_TAG, nobody = MPI_PROC_NULL, root = MPI_ROOT };
static const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                             MPI_THREAD_MULTIPLE};

struct field {
  MPI_Comm comm;
  MPI_Datatype type;
  MPI_Op op;
  MPI_Request request;
  int count;
};

static struct field fields[2] = {
    {MPI_COMM_WORLD, MPI_INT, MPI_SUM, MPI_REQUEST_NULL, 1},
    {MPI_COMM_SELF, MPI_DOUBLE, MPI_MAX, MPI_REQUEST_NULL, 2},
};

static int rank, size;

static const char* comparison(int result) {
  switch (result) {
    case MPI_IDENT: return "identical";
    case MPI_CONGRUENT: return "congruent";
    case MPI_SIMILAR: return "similar";
    case MPI_UNEQUAL: return "unequal";
    default: return "?";
  }
}

static const char* error_name(int class) {
  switch (class) {
    case MPI_SUCCESS: return "success";
    case MPI_ERR_RANK: return "rank";
    case MPI_ERR_TAG: return "tag";
    case MPI_ERR_COMM: return "comm";
    case MPI_ERR_TRUNCATE: return "truncate";
    case MPI_ERR_OTHER: return "other";
    default: return "?";
  }
}

static const char* maker(MPI_Datatype type) {
  int integers, addresses, kinds, combiner;
  MPI_Type_get_envelope(type, &integers, &addresses, &kinds, &combiner);
  switch (combiner) {
    case MPI_COMBINER_NAMED: return "named";
    case MPI_COMBINER_CONTIGUOUS: return "contiguous";
    case MPI_COMBINER_VECTOR: return "vector";
    case MPI_COMBINER_STRUCT: return "struct";
    default: return "?";
  }
}

static int size_of(MPI_Datatype type) {
  int bytes = -1;
  MPI_Type_size(type, &bytes);
  return bytes;
}

static void check_constants(void) {
  CHECK(no_comm == MPI_COMM_NULL && no_comm != world);
  CHECK(world == MPI_COMM_WORLD && both[0] == world && both[1] == MPI_COMM_SELF &&
        both[0] != both[1]);
  CHECK(type_of_real == MPI_DOUBLE && type_of_real != MPI_FLOAT);
  CHECK(operations[0] == MPI_SUM && operations[5] == MPI_OP_NULL && operations[1] != operations[2]);
  CHECK(empty == MPI_GROUP_EMPTY && empty != no_group);
  CHECK(no_info == MPI_INFO_NULL);
  CHECK(handlers[0] != handlers[1] && handlers[2] == MPI_ERRHANDLER_NULL);
  CHECK(no_message == MPI_MESSAGE_NULL && no_message != from_nobody);
  for (int i = 0; i < 7; ++i) CHECK_EQ(size_of(types[i]), sizes[i]);
  for (int i = 0; i < 7; ++i)
    for (int k = 0; k < i; ++k) CHECK(types[i] != types[k]);
  CHECK(sizeof name >= 16 && sizeof error >= 64 && sizeof object >= 32);
  CHECK(any < 0 && any_tag < 0 && nobody < 0 && any != nobody && any != root && nobody != root);
  CHECK(levels[0] < levels[1] && levels[1] < levels[2] && levels[2] < levels[3]);
  CHECK(MPI_UNDEFINED < 0 && MPI_IN_PLACE != NULL && MPI_BOTTOM != MPI_IN_PLACE);
  int other = -1;
  MPI_Comm_compare(world, both[1], &other);
  CHECK_STR(comparison(other), size == 1 ? "congruent" : "unequal");
  MPI_Comm_compare(world, both[0], &other);
  CHECK_STR(comparison(other), "identical");
  CHECK_STR(error_name(MPI_SUCCESS), "success");
  CHECK_STR(error_name(MPI_ERR_RANK), "rank");
  CHECK_STR(error_name(MPI_ERR_OTHER), "other");
  MPI_Comm_size(no_comm == MPI_COMM_NULL ? world : no_comm, &other);
  CHECK_EQ(other, size);
}

// A copy of a handle is the same object.
static MPI_Comm pass(MPI_Comm comm) { return comm; }

static void duplicate(struct field* field) {
  MPI_Comm before = field->comm;
  MPI_Comm_dup(before, &field->comm);
  if (before != MPI_COMM_WORLD && before != MPI_COMM_SELF) MPI_Comm_free(&before);
}

static void check_copies(void) {
  MPI_Comm made, copy;
  MPI_Datatype pair, same;
  int result = -1, length = -1;
  MPI_Comm_dup(pass(world), &made);
  copy = pass(made);
  CHECK(copy == made);
  MPI_Comm_set_name(copy, "copied");
  MPI_Comm_get_name(made, object, &length);
  CHECK_STR(object, "copied");
  MPI_Comm_compare(copy, made, &result);
  CHECK_STR(comparison(result), "identical");
  MPI_Comm_free(&made);
  CHECK(made == MPI_COMM_NULL && copy != MPI_COMM_NULL);
  MPI_Type_contiguous(2, types[1], &pair);
  same = pair;
  MPI_Type_commit(&same);
  CHECK(same == pair);
  CHECK_STR(maker(same), "contiguous");
  CHECK_STR(maker(types[1]), "named");
  int numbers[2] = {rank, -rank}, got[2] = {-9, -9};
  MPI_Sendrecv(numbers, 1, pair, (rank + 1) % size, 0, got, 1, same, (rank + size - 1) % size, 0,
               world, MPI_STATUS_IGNORE);
  CHECK_EQ(got[0], (rank + size - 1) % size);
  MPI_Type_free(&same);

  // A structure with handles in it, by value.
  struct field mine = fields[0], other = fields[1];
  duplicate(&mine);
  duplicate(&mine);
  duplicate(&other);
  int sum = -1, one = 1;
  MPI_Allreduce(&one, &sum, mine.count, mine.type, mine.op, mine.comm);
  CHECK_EQ(sum, size);
  double values[2] = {rank, -rank}, most[2] = {-1, -1};
  MPI_Allreduce(values, most, other.count, other.type, other.op, other.comm);
  CHECK_NUM(most[0], rank);
  CHECK(fields[0].comm == MPI_COMM_WORLD && mine.comm != MPI_COMM_WORLD);
  MPI_Comm_free(&mine.comm);
  MPI_Comm_free(&other.comm);

  // On the heap, moved by realloc.
  MPI_Comm* comms = malloc(2 * sizeof(MPI_Comm));
  MPI_Comm_dup(world, &comms[0]);
  MPI_Comm_split(world, rank % 2, rank, &comms[1]);
  comms = realloc(comms, 1000 * sizeof(MPI_Comm));
  memmove(comms + 500, comms, 2 * sizeof(MPI_Comm));
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comms[501]);
  CHECK_EQ(sum, rank % 2 ? size / 2 : (size + 1) / 2);
  MPI_Comm_free(&comms[500]);
  MPI_Comm_free(&comms[501]);
  free(comms);
}

static void check_requests(void) {
  int sent[2] = {rank, rank + 1}, got[2] = {-1, -1};
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  MPI_Request copies[4];
  MPI_Status statuses[4], status;
  for (int i = 0; i < 4; ++i) CHECK(requests[i] == MPI_REQUEST_NULL);
  MPI_Irecv(&got[0], 1, MPI_INT, left, 1, world, &requests[0]);
  MPI_Irecv(&got[1], 1, MPI_INT, left, 2, world, &requests[1]);
  MPI_Isend(&sent[0], 1, MPI_INT, right, 1, world, &requests[2]);
  MPI_Isend(&sent[1], 1, MPI_INT, right, 2, world, &requests[3]);
  for (int i = 0; i < 4; ++i) copies[i] = requests[3 - i];
  MPI_Waitall(4, copies, statuses);
  for (int i = 0; i < 4; ++i) CHECK(copies[i] == MPI_REQUEST_NULL);
  CHECK_EQ(got[0], left);
  CHECK_EQ(got[1], left + 1);
  // Statuses are structures that may be copied.
  status = statuses[3];
  CHECK_EQ(status.MPI_SOURCE, left);
  CHECK_EQ(status.MPI_TAG, 1);
  int count = -1;
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK_EQ(count, 1);
  status.MPI_ERROR = 7;
  CHECK_EQ(status.MPI_ERROR, 7);
}

// The handles for Fortran, there and back.
static void check_fortran(void) {
  MPI_Fint number = MPI_Comm_c2f(MPI_COMM_WORLD);
  CHECK(MPI_Comm_f2c(number) == MPI_COMM_WORLD);
  CHECK(MPI_Type_f2c(MPI_Type_c2f(MPI_DOUBLE)) == MPI_DOUBLE);
  CHECK(MPI_Op_f2c(MPI_Op_c2f(MPI_SUM)) == MPI_SUM);
  CHECK(MPI_Group_f2c(MPI_Group_c2f(MPI_GROUP_EMPTY)) == MPI_GROUP_EMPTY);
  CHECK(MPI_Request_f2c(MPI_Request_c2f(MPI_REQUEST_NULL)) == MPI_REQUEST_NULL);
  CHECK(MPI_Info_f2c(MPI_Info_c2f(MPI_INFO_NULL)) == MPI_INFO_NULL);
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  CHECK(MPI_Comm_f2c(MPI_Comm_c2f(copy)) == copy);
  MPI_Comm_free(&copy);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &size);
  check_part("constants");
  check_constants();
  check_part("copies");
  check_copies();
  check_part("requests");
  check_requests();
  check_part("handles for Fortran");
  check_fortran();
  return check_finish();
}

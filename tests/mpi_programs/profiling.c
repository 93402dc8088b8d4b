// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The profiling interface: a program's own MPI functions that count and call those with PMPI_
// names.
//
// Own MPI_Send, MPI_Recv, MPI_Allreduce, MPI_Init and MPI_Finalize; other functions are MPI's, and
// have PMPI_ names, too. Counts are each rank's own. Functions of MPI do not call the program's.
#include <mpi.h>

#include "check.h"

static int inits, finalizes, sends, receives, allreduces;
static long bytes_sent;
static int rank, size;

int MPI_Init(int* argc, char*** argv) {
  ++inits;
  return PMPI_Init(argc, argv);
}

int MPI_Finalize(void) {
  int number;
  ++finalizes;
  PMPI_Comm_rank(MPI_COMM_WORLD, &number);
  if (number == 0) printf("finalize: %d sends, %d allreduces\n", sends, allreduces);
  return PMPI_Finalize();
}

int MPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  int bytes = 0;
  PMPI_Type_size(type, &bytes);
  ++sends;
  bytes_sent += (long)bytes * count;
  return PMPI_Send(buffer, count, type, to, tag + 1000, comm);
}

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* status) {
  ++receives;
  const int code = PMPI_Recv(buffer, count, type, from, tag + 1000, comm, status);
  if (status != MPI_STATUS_IGNORE) status->MPI_TAG -= 1000;
  return code;
}

int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  ++allreduces;
  return PMPI_Allreduce(send, receive, count, type, op, comm);
}

static void check_messages(void) {
  // Around the ring, each rank as often as its number says, and once.
  for (int turn = 0; turn <= size; ++turn) {
    double values[3] = {turn, rank, 0.5}, got[3];
    MPI_Status status;
    if (rank == 0 && size > 1) {
      MPI_Send(values, 3, MPI_DOUBLE, 1, turn, MPI_COMM_WORLD);
      MPI_Recv(got, 3, MPI_DOUBLE, size - 1, turn, MPI_COMM_WORLD, &status);
      CHECK_EQ(status.MPI_TAG, turn);
      CHECK_NUM(got[1], size - 1);
    } else if (size > 1) {
      MPI_Recv(got, 3, MPI_DOUBLE, rank - 1, turn, MPI_COMM_WORLD, &status);
      CHECK_EQ(status.MPI_TAG, turn);
      CHECK_NUM(got[0], turn);
      CHECK_NUM(got[1], rank - 1);
      MPI_Send(values, 3, MPI_DOUBLE, (rank + 1) % size, turn, MPI_COMM_WORLD);
    }
  }
  CHECK_EQ(sends, size > 1 ? size + 1 : 0);
  CHECK_EQ(receives, sends);
  CHECK_EQ(bytes_sent, 24L * sends);
  // Neither the names with P nor other functions are counted.
  int value = rank, got = -1;
  PMPI_Sendrecv(&value, 1, MPI_INT, (rank + 1) % size, 5, &got, 1, MPI_INT,
                (rank + size - 1) % size, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK_EQ(got, (rank + size - 1) % size);
  MPI_Sendrecv(&value, 1, MPI_INT, (rank + 1) % size, 6, &got, 1, MPI_INT, (rank + size - 1) % size,
               6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK_EQ(got, (rank + size - 1) % size);
  CHECK_EQ(sends, size > 1 ? size + 1 : 0);
}

static void check_collectives(void) {
  int sum = 0;
  for (int i = 0; i <= rank; ++i) {
    int one = 1;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    CHECK_EQ(sum, 1);
  }
  CHECK_EQ(allreduces, rank + 1);
  // Whatever these do inside, they do not call the program's functions.
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Barrier(copy);
  MPI_Bcast(&sum, 1, MPI_INT, 0, copy);
  MPI_Comm_free(&copy);
  CHECK_EQ(allreduces, rank + 1);
  CHECK_EQ(sends, size > 1 ? size + 1 : 0);
  int (*const own)(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm) = MPI_Allreduce;
  int (*const theirs)(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm) = PMPI_Allreduce;
  CHECK(own != theirs);
  own(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  theirs(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK_EQ(sum, size * (size - 1) / 2);
  CHECK_EQ(allreduces, rank + 2);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK_EQ(inits, 1);
  check_part("messages");
  check_messages();
  check_part("collectives");
  check_collectives();
  const int status = check_finish();
  if (finalizes != 1) return 1;
  return status;
}

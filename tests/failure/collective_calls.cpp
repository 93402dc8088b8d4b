// Ranks that do not call the same collectives, and calls that no rank can make: told with the ranks and the
// calls, and nobody is left behind.
//
// clang-format off
// RUN: %kanorc %s -o %t
// RUN: %check_failure --message 'MPI_Allreduce on rank 2: rank [0-9] calls MPI_Allgather where this rank calls MPI_Allreduce: all ranks must call|MPI_Allgather on rank [0-9]: rank 2 calls MPI_Allreduce where this rank calls MPI_Allgather: all ranks must call' %t kind
// RUN: %check_failure --set KANOR_CHECK=1 --message 'MPI_Bcast on rank 2: rank 1 calls MPI_Bcast with root 0 where this rank calls MPI_Bcast with root 1: |MPI_Bcast on rank 3: rank 2 calls MPI_Bcast with root 1 where this rank calls MPI_Bcast with root 0: ' %t root
// RUN: %check_failure --message 'rank [0-9] calls MPI_Alltoall where this rank calls MPI_Gather with root 0: |rank 2 calls MPI_Gather with root 0 where this rank calls MPI_Alltoall: ' %t long-kind
// RUN: %check_failure --message 'MPI_Scatter on rank 3: rank 0 takes part with 40 bytes, which is not what this rank expects' --status 1 %t short-length
// RUN: %check_failure --message 'MPI_Allreduce on rank [0-9]: rank [0-9] takes part with (40000|80000) bytes, which is not what this rank expects' %t long-length
// RUN: %check_failure --message 'MPI_Reduce on rank 2: there is no root 4 in a communicator of 4' %t no-root
// RUN: %check_failure --message 'MPI_Allreduce on rank 2: the operation is not defined for elements of that datatype' %t operation
// RUN: %check_failure --message 'MPI_Scan on rank 2: the operation is MPI_OP_NULL' %t null-operation
// RUN: %check_failure --message 'MPI_Allreduce on rank 2: the operation is not one of kanor/mpi.h, or was freed' %t freed-operation
// RUN: %check_failure --message 'MPI_Reduce on rank 2: MPI_IN_PLACE is only for ranks that get a result' %t in-place
// RUN: %check_failure --message 'MPI_Bcast on rank 2: the send buffer is NULL' %t null
// RUN: %check_failure --message 'MPI_Gatherv on rank 2: an array of counts or offsets is NULL' %t counts
// RUN: %check_failure --message 'MPI_Allreduce on rank 2: the operation is not defined for elements of that datatype' %t gaps
// RUN: %check_failure --message 'MPI_Allgather waits for data from rank 2, which has ended: all ranks must call the same collectives' %t ended
// RUN: %check_failure --set KANOR_CHECK=1 --message 'MPI_Allgather waits for data from rank 2, which has ended: all ranks must call the same collectives' %t ended
// RUN: %check_failure --message 'MPI_Allreduce on rank [0-9]: rank [0-9] calls MPI_Allreduce by MPI_(MAX|SUM) where this rank calls MPI_Allreduce by MPI_(MAX|SUM): ' %t other-operation
// RUN: %check_failure --message 'MPI_Reduce on rank 0: rank 2 calls MPI_Reduce with root 0 by an operation of the program where this rank calls MPI_Reduce with root 0 by MPI_SUM: ' %t own-operation
// RUN: %check_failure --message 'MPI_Scan on rank [0-9]: rank [0-9] calls MPI_Scan by MPI_SUM with another datatype than this rank' %t other-type
// clang-format on
#include <kanor/mpi.h>

#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

int main(int, char** argv) {
  const std::string how = argv[1];
  const MPI_Comm all = MPI_COMM_WORLD;
  int me = 0;
  MPI_Comm_rank(all, &me);
  std::vector<int> own(20000, me), got(80000);
  MPI_Barrier(all);
  if (me == 2) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    std::fprintf(stderr, "failing at %lld.%09ld\n", static_cast<long long>(now.tv_sec), now.tv_nsec);
  }
  const auto allgather = [&] { MPI_Allgather(own.data(), 1, MPI_INT, got.data(), 1, MPI_INT, all); };
  if (how == "kind") {
    if (me == 2) MPI_Allreduce(own.data(), got.data(), 1, MPI_INT, MPI_SUM, all);
    allgather();
  } else if (how == "root") {
    MPI_Bcast(own.data(), 1, MPI_INT, me == 2 ? 1 : 0, all);
    allgather();
  } else if (how == "long-kind") {
    if (me == 2) MPI_Gather(own.data(), 10000, MPI_INT, got.data(), 10000, MPI_INT, 0, all);
    MPI_Alltoall(own.data(), 5000, MPI_INT, got.data(), 5000, MPI_INT, all);
  } else if (how == "short-length") {
    MPI_Scatter(own.data(), 10, MPI_INT, got.data(), me == 3 ? 11 : 10, MPI_INT, 0, all);
    allgather();
  } else if (how == "long-length") {
    MPI_Allreduce(own.data(), got.data(), me == 2 ? 20000 : 10000, MPI_INT, MPI_SUM, all);
  } else if (how == "other-operation") {
    MPI_Allreduce(own.data(), got.data(), 10000, MPI_INT, me == 2 ? MPI_MAX : MPI_SUM, all);
  } else if (how == "own-operation") {
    MPI_Op op = MPI_SUM;
    if (me == 2) MPI_Op_create([](void*, void*, int*, MPI_Datatype*) {}, 1, &op);
    MPI_Reduce(own.data(), got.data(), 1, MPI_INT, op, 0, all);
    allgather();
  } else if (how == "other-type") {
    MPI_Scan(own.data(), got.data(), 1, me == 2 ? MPI_FLOAT : MPI_INT, MPI_SUM, all);
    allgather();
  } else if (how == "ended") {
    if (me != 2) allgather();
  } else {
    if (me == 2) {
      MPI_Datatype vector;
      MPI_Type_vector(2, 1, 2, MPI_INT, &vector);
      MPI_Type_commit(&vector);
      MPI_Op op;
      MPI_Op_create([](void*, void*, int*, MPI_Datatype*) {}, 1, &op);
      MPI_Op freed = op;
      MPI_Op_free(&op);
      if (how == "no-root") MPI_Reduce(own.data(), got.data(), 1, MPI_INT, MPI_SUM, 4, all);
      if (how == "operation") MPI_Allreduce(own.data(), got.data(), 1, MPI_DOUBLE, MPI_BAND, all);
      if (how == "null-operation") MPI_Scan(own.data(), got.data(), 1, MPI_INT, MPI_OP_NULL, all);
      if (how == "freed-operation") MPI_Allreduce(own.data(), got.data(), 1, MPI_INT, freed, all);
      if (how == "in-place") MPI_Reduce(MPI_IN_PLACE, got.data(), 1, MPI_INT, MPI_SUM, 0, all);
      if (how == "null") MPI_Bcast(nullptr, 1, MPI_INT, 2, all);
      if (how == "counts") MPI_Gatherv(own.data(), 1, MPI_INT, got.data(), nullptr, nullptr, MPI_INT, 2, all);
      if (how == "gaps") MPI_Allreduce(own.data(), got.data(), 1, vector, MPI_SUM, all);
    }
    allgather();
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

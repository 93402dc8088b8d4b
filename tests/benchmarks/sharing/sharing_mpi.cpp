// The exchanges of sharing_kanor.cpp by hand against MPI.
#include <mpi.h>

#include <string>
#include <vector>

#include "timing.hpp"

namespace {

void meet() { MPI_Barrier(MPI_COMM_WORLD); }

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const Request request = read_request(argc, argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int count = static_cast<int>(request.count);
  std::vector<long> A(request.count, rank + 1), B(request.count);
  const bool writes = request.kind != "1", both = request.kind == "3";
  const bool is_all_to_all = request.operation == "all-to-all";
  const bool in_place =
      (request.operation == "shift" || is_all_to_all) && (request.kind == "1" || request.kind == "2a");
  const int row = count / ranks;
  long seen = 0;
  Turns turns(request, meet);
  while (turns.next()) {
    const std::size_t at = static_cast<std::size_t>(turns.now()) % static_cast<std::size_t>(is_all_to_all ? row : count);
    if (request.operation == "broadcast") {
      if (rank == 0) B = A;
      MPI_Bcast(B.data(), count, MPI_LONG, 0, MPI_COMM_WORLD);
    } else if (request.operation == "shift") {
      MPI_Sendrecv(A.data(), count, MPI_LONG, (rank + 1) % ranks, 0, B.data(), count, MPI_LONG,
                   (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (in_place) A.swap(B);
    } else if (is_all_to_all) {
      MPI_Alltoall(A.data(), row, MPI_LONG, B.data(), row, MPI_LONG, MPI_COMM_WORLD);
      if (in_place) A.swap(B);
    } else {
      MPI_Reduce(A.data(), B.data(), count, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    }
    const std::vector<long>& got = in_place ? A : B;
    if (request.kind == "2a") {
      seen += sum(got.data(), request.count);
      if (request.operation == "broadcast") meet();
      A[at] += 1;
      continue;
    }
    if (writes) A[at] += 1;
    if (both) B[at] += 2;
    if (request.operation != "reduce" || rank == 0) seen += sum(got.data(), request.count);
    if (both) seen += sum(A.data(), request.count);
  }
  long all = 0;
  MPI_Allreduce(&seen, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) print_batches(all, turns.times());
  MPI_Finalize();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

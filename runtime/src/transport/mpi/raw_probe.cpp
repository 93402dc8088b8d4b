// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program for the tests (world/mpi_probe) that uses MPI beside Kanor: its own start and end of MPI do
// nothing, and its messages on MPI_COMM_WORLD stay apart from Kanor's.
#include <mpi.h>

#include <cstdio>
#include <cstring>

#include "transport/rank.hpp"

namespace {

using namespace kanor::rt;

bool exchange(Rank& rank, std::uint64_t sequence) {
  const int me = rank_number(rank), size = team_size(rank);
  Buffer out = allocate_message(rank, sizeof me);
  std::memcpy(out.data(), &me, sizeof me);
  send(rank, (me + 1) % size, 3, sequence, std::move(out));
  // While Kanor's message is on its way, the same tag and any source on the program's own communicator.
  int number = 100 + me, other = -1, sum = 0;
  MPI_Request request;
  MPI_Isend(&number, 1, MPI_INT, (me + 1) % size, 1, MPI_COMM_WORLD, &request);
  MPI_Recv(&other, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  const Buffer in = receive(rank, (me + size - 1) % size, 3, sequence);
  int left = -1;
  std::memcpy(&left, in.data(), sizeof left);
  return left == (me + size - 1) % size && other == 100 + left && sum == 100 * size + size * (size - 1) / 2;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = -1, initialised = 0, number = -1;
  if (MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) return 9;
  if (MPI_Init(&argc, &argv) != MPI_SUCCESS || provided != MPI_THREAD_MULTIPLE) return 9;
  MPI_Initialized(&initialised);
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  Rank& rank = here();
  if (!initialised || number != rank_number(rank)) return 9;
  for (std::uint64_t round = 0; round < 20; ++round)
    if (!exchange(rank, round)) return 9;
  if (MPI_Finalize() != MPI_SUCCESS) return 9;
  if (!exchange(rank, 99)) return 9;
  std::printf("rank %d is content\n", number);
  return 0;
}

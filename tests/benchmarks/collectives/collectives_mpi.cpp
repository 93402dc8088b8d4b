// The collectives of collectives.py by MPI's own; with WITH_KANOR by kanor/mpi.h's.
#if defined(WITH_KANOR)
#include <kanor/mpi.h>
#else
#include <mpi.h>
#endif

#include "timing.hpp"

namespace {

int rank = 0, ranks = 1;

void meet() { MPI_Barrier(MPI_COMM_WORLD); }

double most(double mine) {
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

double report(double checksum) {
  const double mine = checksum * (rank + 1);
  double all = 0;
  MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  return all;
}

/// Of all operations: this rank contributes so many numbers and gets so many, and changes and reads them.
/// What it contributes is for so many ranks, a part for each, or all for all.
template <class Once>
void run(const Request& request, std::size_t contributes, std::size_t gets, Once once, int parts = 1) {
  std::vector<double> own(contributes), got(gets);
  for (std::size_t i = 0; i < contributes; ++i) own[i] = first_number(rank, i);
  Turns turns(request, meet, most);
  while (turns.next()) {
    if (contributes > 0) turns.change(own.data(), contributes, parts);
    once(own.data(), got.data());
    if (gets > 0) turns.saw(got.data(), gets);
  }
  const double checksum = report(turns.checksum());
  if (rank == 0) print_batches(checksum, turns.times());
}

int run(const Request& request) {
  const std::size_t count = request.count, all = count * static_cast<std::size_t>(ranks),
                    dealt = share(request, ranks);
  const std::size_t of_first = rank == 0 ? count : 0, all_of_first = rank == 0 ? all : 0;
  const int n = static_cast<int>(count), k = static_cast<int>(dealt);
  const MPI_Datatype type = MPI_DOUBLE;
  const MPI_Comm world = MPI_COMM_WORLD;
  const std::string& which = request.operation;
  if (which == "broadcast")
    run(request, of_first, count - of_first,
        [&](double* own, double* got) { MPI_Bcast(rank == 0 ? own : got, n, type, 0, world); });
  else if (which == "reduce")
    run(request, count, of_first,
        [&](double* own, double* got) { MPI_Reduce(own, got, n, type, MPI_SUM, 0, world); });
  else if (which == "all_reduce")
    run(request, count, count,
        [&](double* own, double* got) { MPI_Allreduce(own, got, n, type, MPI_SUM, world); });
  else if (which == "gather")
    run(request, count, all_of_first,
        [&](double* own, double* got) { MPI_Gather(own, n, type, got, n, type, 0, world); });
  else if (which == "scatter")
    run(
        request, all_of_first, count,
        [&](double* own, double* got) { MPI_Scatter(own, n, type, got, n, type, 0, world); }, ranks);
  else if (which == "all_gather")
    run(request, count, all,
        [&](double* own, double* got) { MPI_Allgather(own, n, type, got, n, type, world); });
  else if (which == "all_to_all")
    run(
        request, dealt * static_cast<std::size_t>(ranks), dealt * static_cast<std::size_t>(ranks),
        [&](double* own, double* got) { MPI_Alltoall(own, k, type, got, k, type, world); }, ranks);
  else if (which == "scan")
    run(request, count, count,
        [&](double* own, double* got) { MPI_Scan(own, got, n, type, MPI_SUM, world); });
  else if (which == "barrier")
    run(request, 0, 0, [&](double*, double*) { MPI_Barrier(world); });
  else
    return unknown(request);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int status = run(read_request(argc, argv));
  MPI_Finalize();
  return status;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

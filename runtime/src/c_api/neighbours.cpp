// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives of neighbours in kanor/mpi.h.
#include "c_api/neighbours.hpp"

#include <algorithm>
#include <utility>

#include "c_api/collective_call.hpp"
#include "c_api/transfers.hpp"

namespace kanor::rt::c_api {
namespace {

int lane_of(const std::vector<int>& neighbours, std::size_t at) {
  const auto begin = neighbours.begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(at);
  return static_cast<int>(std::count(begin, end, neighbours[at]));
}

std::vector<End> in_order(const std::vector<int>& neighbours) {
  std::vector<End> ends;
  for (std::size_t at = 0; at < neighbours.size(); ++at)
    ends.push_back({neighbours[at], lane_of(neighbours, at)});
  return ends;
}

/// In each dimension the rank before and the rank behind.
std::vector<int> neighbours_in(const Grid& grid, int rank) {
  std::vector<int> neighbours;
  for (int dimension = 0; dimension < grid.dimensions(); ++dimension)
    for (const int step : {-1, 1}) neighbours.push_back(grid.shifted(rank, dimension, step));
  return neighbours;
}

Ends ends_in(const Grid& grid, int rank) {
  const std::vector<int> neighbours = neighbours_in(grid, rank);
  Ends ends{in_order(neighbours), {}};
  for (std::size_t at = 0; at < neighbours.size(); ++at) {
    const int other = neighbours[at];
    // The rank before has this one behind it, and the other way round.
    ends.out.push_back({other, other == MPI_PROC_NULL ? 0 : lane_of(neighbours_in(grid, other), at ^ 1)});
  }
  return ends;
}

/// The body of all: `given` and `wanted` have the neighbours' blocks by their numbers.
template <class Given, class Wanted>
int exchange(const char* name, Kind kind, MPI_Comm comm, Given given, Wanted wanted) {
  Rank& self = caller();
  return handled(self, name, comm, [&] {
    const CollectiveCall call(self, name, kind, 0, comm);
    const Ends ends = ends_of(call.comm);
    call.tell();
    Transfers transfers(call);
    for (std::size_t i = 0; i < ends.out.size(); ++i)
      if (const End& end = ends.out[i]; end.other != MPI_PROC_NULL)
        transfers.give(end.other, given[static_cast<int>(i)], end.lane);
    for (std::size_t i = 0; i < ends.in.size(); ++i)
      if (const End& end = ends.in[i]; end.other != MPI_PROC_NULL)
        transfers.want(end.other, wanted[static_cast<int>(i)], end.lane);
    transfers.exchange();
    return MPI_SUCCESS;
  });
}

}  // namespace

Ends ends_of(const Communicator& comm) {
  if (!comm.topology) throw CallError{MPI_ERR_TOPOLOGY, "the communicator has no topology"};
  if (const Grid* const grid = std::get_if<Grid>(&comm.topology->kind)) return ends_in(*grid, comm.rank());
  if (const Graph* const graph = std::get_if<Graph>(&comm.topology->kind)) {
    const std::vector<End> ends = in_order(graph->of(comm.rank()));
    return {ends, ends};
  }
  const OwnEdges& own = std::get<OwnEdges>(comm.topology->kind);
  return {in_order(own.sources), in_order(own.destinations)};
}

}  // namespace kanor::rt::c_api

using namespace kanor::rt;
using namespace kanor::rt::c_api;

int MPI_Neighbor_allgather(const void* own, int count, MPI_Datatype type, void* all, int count_each,
                           MPI_Datatype type_each, MPI_Comm comm) {
  return exchange("MPI_Neighbor_allgather", Kind::neighbor_all_gather, comm, SameBlock{{own, count, type}},
                  BlockArray::even(all, count_each, type_each));
}

int MPI_Neighbor_allgatherv(const void* own, int count, MPI_Datatype type, void* all, const int counts[],
                            const int offsets[], MPI_Datatype type_each, MPI_Comm comm) {
  return exchange("MPI_Neighbor_allgatherv", Kind::neighbor_all_gatherv, comm, SameBlock{{own, count, type}},
                  BlockArray::listed(all, counts, offsets, type_each));
}

int MPI_Neighbor_alltoall(const void* out, int count_out, MPI_Datatype type_out, void* in, int count_in,
                          MPI_Datatype type_in, MPI_Comm comm) {
  return exchange("MPI_Neighbor_alltoall", Kind::neighbor_all_to_all, comm,
                  BlockArray::even(out, count_out, type_out), BlockArray::even(in, count_in, type_in));
}

int MPI_Neighbor_alltoallv(const void* out, const int counts_out[], const int offsets_out[],
                           MPI_Datatype type_out, void* in, const int counts_in[], const int offsets_in[],
                           MPI_Datatype type_in, MPI_Comm comm) {
  return exchange("MPI_Neighbor_alltoallv", Kind::neighbor_all_to_allv, comm,
                  BlockArray::listed(out, counts_out, offsets_out, type_out),
                  BlockArray::listed(in, counts_in, offsets_in, type_in));
}

int MPI_Neighbor_alltoallw(const void* out, const int counts_out[], const MPI_Aint offsets_out[],
                           const MPI_Datatype types_out[], void* in, const int counts_in[],
                           const MPI_Aint offsets_in[], const MPI_Datatype types_in[], MPI_Comm comm) {
  return exchange("MPI_Neighbor_alltoallw", Kind::neighbor_all_to_allw, comm,
                  TypedBlocks{out, counts_out, offsets_out, types_out},
                  TypedBlocks{in, counts_in, offsets_in, types_in});
}

KANOR_PROFILED(Neighbor_allgather)
KANOR_PROFILED(Neighbor_allgatherv)
KANOR_PROFILED(Neighbor_alltoall)
KANOR_PROFILED(Neighbor_alltoallv)
KANOR_PROFILED(Neighbor_alltoallw)

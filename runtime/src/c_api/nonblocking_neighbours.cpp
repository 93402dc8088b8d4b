// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nonblocking collectives of neighbours in kanor/mpi.h.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "c_api/neighbours.hpp"
#include "c_api/started.hpp"

using namespace kanor::rt;
using namespace kanor::rt::c_api;

namespace {

/// The numbers of blocks of edges between this rank and others, those of one lane after those of the lane
/// before: several messages from one rank to another one arrive in the order in which they leave.
std::vector<std::size_t> by_lanes(const std::vector<End>& ends) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < ends.size(); ++i)
    if (ends[i].other != MPI_PROC_NULL) numbers.push_back(i);
  std::stable_sort(numbers.begin(), numbers.end(),
                   [&](std::size_t a, std::size_t b) { return ends[a].lane < ends[b].lane; });
  return numbers;
}

/// The body of all: `given` and `wanted` have the neighbours' blocks by their numbers.
template <class Given, class Wanted>
int start(const char* name, Kind kind, MPI_Comm comm, MPI_Request* request, Given given, Wanted wanted) {
  Rank& self = caller();
  return handled(self, name, comm, [&] {
    request_at(request) = MPI_REQUEST_NULL;
    CollectiveCall call(self, name, kind, 0, comm);
    call.starts();
    const Ends ends = ends_of(call.comm);
    call.tell();
    auto started = std::make_unique<Started>(call);
    std::vector<Block> stay;  // by their lanes
    for (const std::size_t number : by_lanes(ends.out)) {
      const Block block = given[static_cast<int>(number)];
      if (const int to = ends.out[number].other; to == started->rank())
        stay.push_back(block);
      else
        started->send(to, Outgoing(block.data, block.count, block.type));
    }
    auto own = stay.begin();
    for (const std::size_t number : by_lanes(ends.in)) {
      const Block block = wanted[static_cast<int>(number)];
      Arriving into(const_cast<void*>(block.data), block.count, block.type);
      if (const int from = ends.in[number].other; from != started->rank())
        started->receive(from, std::move(into));
      else if (own != stay.end())
        into.take(Outgoing(own->data, own->count, own->type), started->group()), ++own;
    }
    *request = request_of(call, std::move(started));
    return MPI_SUCCESS;
  });
}

}  // namespace

int MPI_Ineighbor_allgather(const void* own, int count, MPI_Datatype type, void* all, int count_each,
                            MPI_Datatype type_each, MPI_Comm comm, MPI_Request* request) {
  return start("MPI_Ineighbor_allgather", Kind::neighbor_all_gather, comm, request,
               SameBlock{{own, count, type}}, BlockArray::even(all, count_each, type_each));
}

int MPI_Ineighbor_allgatherv(const void* own, int count, MPI_Datatype type, void* all, const int counts[],
                             const int offsets[], MPI_Datatype type_each, MPI_Comm comm,
                             MPI_Request* request) {
  return start("MPI_Ineighbor_allgatherv", Kind::neighbor_all_gatherv, comm, request,
               SameBlock{{own, count, type}}, BlockArray::listed(all, counts, offsets, type_each));
}

int MPI_Ineighbor_alltoall(const void* out, int count_out, MPI_Datatype type_out, void* in, int count_in,
                           MPI_Datatype type_in, MPI_Comm comm, MPI_Request* request) {
  return start("MPI_Ineighbor_alltoall", Kind::neighbor_all_to_all, comm, request,
               BlockArray::even(out, count_out, type_out), BlockArray::even(in, count_in, type_in));
}

int MPI_Ineighbor_alltoallv(const void* out, const int counts_out[], const int offsets_out[],
                            MPI_Datatype type_out, void* in, const int counts_in[], const int offsets_in[],
                            MPI_Datatype type_in, MPI_Comm comm, MPI_Request* request) {
  return start("MPI_Ineighbor_alltoallv", Kind::neighbor_all_to_allv, comm, request,
               BlockArray::listed(out, counts_out, offsets_out, type_out),
               BlockArray::listed(in, counts_in, offsets_in, type_in));
}

int MPI_Ineighbor_alltoallw(const void* out, const int counts_out[], const MPI_Aint offsets_out[],
                            const MPI_Datatype types_out[], void* in, const int counts_in[],
                            const MPI_Aint offsets_in[], const MPI_Datatype types_in[], MPI_Comm comm,
                            MPI_Request* request) {
  return start("MPI_Ineighbor_alltoallw", Kind::neighbor_all_to_allw, comm, request,
               TypedBlocks{out, counts_out, offsets_out, types_out},
               TypedBlocks{in, counts_in, offsets_in, types_in});
}

KANOR_PROFILED(Ineighbor_allgather)
KANOR_PROFILED(Ineighbor_allgatherv)
KANOR_PROFILED(Ineighbor_alltoall)
KANOR_PROFILED(Ineighbor_alltoallv)
KANOR_PROFILED(Ineighbor_alltoallw)

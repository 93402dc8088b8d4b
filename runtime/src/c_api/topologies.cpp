// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the topologies of kanor/mpi.h have in common.
#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "c_api/new_communicator.hpp"
#include "c_api/topology.hpp"

namespace kanor::rt::c_api {

MPI_Comm new_communicator(const CollectiveCall& call, int size, Neighbourhood topology) {
  Rank& self = call.group.owner;
  std::uint32_t channel = 0;
  agreed(call, 0, 0, channel);
  if (call.comm.rank() >= size) return MPI_COMM_NULL;
  std::vector<int> members(static_cast<std::size_t>(size));
  std::iota(members.begin(), members.end(), 0);
  for (int& member : members) member = call.comm.world(member);
  const MPI_Comm made = new_communicator(self, call.comm, channel,
                                         std::make_shared<const std::vector<int>>(std::move(members)));
  communicator(self, made).topology = std::make_shared<const Neighbourhood>(std::move(topology));
  return made;
}

std::vector<int> listed(const int* array, int count, const char* what) {
  if (count < 0)
    throw CallError{MPI_ERR_ARG, std::string("the number of ") + what + " is " + std::to_string(count)};
  if (count > 0 && !array) throw CallError{MPI_ERR_ARG, std::string("the array of ") + what + " is NULL"};
  return {array, array + count};
}

void put(const std::vector<int>& from, int* to, int most) {
  const std::size_t count = std::min(from.size(), static_cast<std::size_t>(std::max(most, 0)));
  if (count > 0 && !to) throw CallError{MPI_ERR_ARG, "the array for the result is NULL"};
  std::copy_n(from.begin(), count, to);
}

void check_member(const Communicator& comm, int rank) {
  if (rank < 0 || rank >= comm.size())
    throw CallError{MPI_ERR_RANK, "there is no rank " + std::to_string(rank) + " in a communicator of " +
                                      std::to_string(comm.size())};
}

}  // namespace kanor::rt::c_api

using namespace kanor::rt;
using namespace kanor::rt::c_api;

int MPI_Topo_test(MPI_Comm comm, int* kind) {
  Rank& self = caller();
  return handled(self, "MPI_Topo_test", comm, [&] {
    const Communicator& asked = communicator(self, comm);
    int& found = result_at(kind);
    if (!asked.topology)
      found = MPI_UNDEFINED;
    else if (std::holds_alternative<Grid>(asked.topology->kind))
      found = MPI_CART;
    else
      found = std::holds_alternative<Graph>(asked.topology->kind) ? MPI_GRAPH : MPI_DIST_GRAPH;
    return MPI_SUCCESS;
  });
}

KANOR_PROFILED(Topo_test)

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Topologies: who is whose neighbour in a communicator.
#pragma once

#include <kanor/mpi.h>

#include <cstddef>
#include <memory>
#include <variant>
#include <vector>

#include "c_api/calls.hpp"
#include "c_api/collective_call.hpp"

namespace kanor::rt::c_api {

/// A Cartesian grid: the last dimension's coordinate changes fastest with the rank.
struct Grid {
  std::vector<int> sizes;
  std::vector<bool> is_periodic;

  int dimensions() const { return static_cast<int>(sizes.size()); }
  std::vector<int> coordinates_of(int rank) const;
  /// MPI_PROC_NULL outside of the grid.
  int rank_of(const std::vector<int>& coordinates) const;
  /// The rank so many steps behind this one, or MPI_PROC_NULL.
  int shifted(int rank, int dimension, long long distance) const;
};

/// A graph that all ranks know.
struct Graph {
  std::vector<int> ends;  ///< of each rank's neighbours, in
  std::vector<int> neighbours;

  /// A rank's neighbours.
  std::vector<int> of(int rank) const;
};

/// One rank's edges, from others and to others.
struct OwnEdges {
  std::vector<int> sources, destinations;
  bool has_weights = false;
  std::vector<int> source_weights, destination_weights;  ///< if they have weights
};

/// The topology of a communicator.
struct Neighbourhood {
  std::variant<Grid, Graph, OwnEdges> kind;
};

/// The topology of that kind that a communicator has. Throws CallError otherwise; `kind` says what it is.
template <class Kind>
const Kind& topology_of(const Communicator& comm, const char* kind) {
  const Kind* const found = comm.topology ? std::get_if<Kind>(&comm.topology->kind) : nullptr;
  if (!found)
    throw CallError{MPI_ERR_TOPOLOGY, std::string("the communicator has no topology that is ") + kind};
  return *found;
}
inline const Grid& grid_of(const Communicator& comm) { return topology_of<Grid>(comm, "Cartesian"); }

/// Makes a communicator of the call's first `size` members; the caller may be none, and then gets
/// MPI_COMM_NULL.
MPI_Comm new_communicator(const CollectiveCall& call, int size, Neighbourhood topology);

/// The elements of an array that a call has been given.
std::vector<int> listed(const int* array, int count, const char* what);
/// Copies as many elements as there is room for.
void put(const std::vector<int>& from, int* to, int most);
/// Throws CallError if there is no such rank.
void check_member(const Communicator& comm, int rank);

}  // namespace kanor::rt::c_api

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs of kanor/mpi.h that all ranks know.
#include <string>
#include <utility>

#include "c_api/new_communicator.hpp"
#include "c_api/topology.hpp"

namespace kanor::rt::c_api {

std::vector<int> Graph::of(int rank) const {
  const auto at = static_cast<std::size_t>(rank);
  const int begin = rank == 0 ? 0 : ends[at - 1];
  return {neighbours.begin() + begin, neighbours.begin() + ends[at]};
}

namespace {

Graph checked_graph(int ranks, const int ends[], const int neighbours[], int most) {
  if (ranks > most)
    throw CallError{MPI_ERR_ARG, "the graph has " + std::to_string(ranks) + " ranks, and the communicator " +
                                     std::to_string(most)};
  Graph graph{listed(ends, ranks, "ranks"), {}};
  int before = 0;
  for (const int end : graph.ends) {
    if (end < before)
      throw CallError{MPI_ERR_ARG, "the numbers of neighbours of the ranks up to one descend"};
    before = end;
  }
  graph.neighbours = listed(neighbours, before, "neighbours");
  for (const int neighbour : graph.neighbours)
    if (neighbour < 0 || neighbour >= ranks)
      throw CallError{MPI_ERR_ARG, "there is no neighbour " + std::to_string(neighbour) + " in a graph of " +
                                       std::to_string(ranks) + " ranks"};
  return graph;
}

const Graph& graph_of(const Communicator& comm) {
  return topology_of<Graph>(comm, "a graph that all ranks know");
}

std::vector<int> neighbours_of(const Communicator& comm, int rank) {
  const Graph& graph = graph_of(comm);
  check_member(comm, rank);
  return graph.of(rank);
}

}  // namespace

}  // namespace kanor::rt::c_api

using namespace kanor::rt;
using namespace kanor::rt::c_api;

int MPI_Graph_create(MPI_Comm comm, int ranks, const int ends[], const int neighbours[], int,
                     MPI_Comm* made) {
  Rank& self = caller();
  return handled(self, "MPI_Graph_create", comm, [&] {
    result_at(made) = MPI_COMM_NULL;
    Graph graph = checked_graph(ranks, ends, neighbours, communicator(self, comm).size());
    const CollectiveCall call(self, "MPI_Graph_create", Kind::graph_create, 0, comm);
    *made = new_communicator(call, ranks, {std::move(graph)});
    return MPI_SUCCESS;
  });
}

int MPI_Graphdims_get(MPI_Comm comm, int* ranks, int* edges) {
  Rank& self = caller();
  return handled(self, "MPI_Graphdims_get", comm, [&] {
    const Graph& graph = graph_of(communicator(self, comm));
    result_at(ranks) = static_cast<int>(graph.ends.size());
    result_at(edges) = static_cast<int>(graph.neighbours.size());
    return MPI_SUCCESS;
  });
}

int MPI_Graph_get(MPI_Comm comm, int most_ranks, int most_edges, int ends[], int neighbours[]) {
  Rank& self = caller();
  return handled(self, "MPI_Graph_get", comm, [&] {
    const Graph& graph = graph_of(communicator(self, comm));
    put(graph.ends, ends, most_ranks);
    put(graph.neighbours, neighbours, most_edges);
    return MPI_SUCCESS;
  });
}

int MPI_Graph_neighbors_count(MPI_Comm comm, int rank, int* count) {
  Rank& self = caller();
  return handled(self, "MPI_Graph_neighbors_count", comm, [&] {
    result_at(count) = static_cast<int>(neighbours_of(communicator(self, comm), rank).size());
    return MPI_SUCCESS;
  });
}

int MPI_Graph_neighbors(MPI_Comm comm, int rank, int most, int neighbours[]) {
  Rank& self = caller();
  return handled(self, "MPI_Graph_neighbors", comm, [&] {
    put(neighbours_of(communicator(self, comm), rank), neighbours, most);
    return MPI_SUCCESS;
  });
}

int MPI_Graph_map(MPI_Comm comm, int ranks, const int ends[], const int neighbours[], int* rank) {
  Rank& self = caller();
  return handled(self, "MPI_Graph_map", comm, [&] {
    const Communicator& asked = communicator(self, comm);
    checked_graph(ranks, ends, neighbours, asked.size());
    result_at(rank) = asked.rank() < ranks ? asked.rank() : MPI_UNDEFINED;
    return MPI_SUCCESS;
  });
}

KANOR_PROFILED(Graph_create)
KANOR_PROFILED(Graphdims_get)
KANOR_PROFILED(Graph_get)
KANOR_PROFILED(Graph_neighbors_count)
KANOR_PROFILED(Graph_neighbors)
KANOR_PROFILED(Graph_map)

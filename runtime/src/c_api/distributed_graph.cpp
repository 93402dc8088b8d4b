// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs of kanor/mpi.h of which each rank knows its own edges.
#include <algorithm>
#include <string>
#include <utility>

#include "c_api/new_communicator.hpp"
#include "c_api/topology.hpp"
#include "c_api/transfers.hpp"

namespace kanor::rt::c_api {
namespace {

/// One end's view of an edge.
struct Edge {
  bool leaves;  ///< from the rank that is told of it
  int other, weight;
};

void check_ranks(const std::vector<int>& ranks, const Communicator& comm) {
  for (const int rank : ranks) check_member(comm, rank);
}

bool is_unweighted(const int* weights) { return weights == MPI_UNWEIGHTED; }

/// The weights of so many edges; none if they have none.
std::vector<int> checked_weights(const int* weights, std::size_t count) {
  if (is_unweighted(weights)) return {};
  if (weights == MPI_WEIGHTS_EMPTY && count > 0)
    throw CallError{MPI_ERR_ARG, "the weights are MPI_WEIGHTS_EMPTY, but there are edges"};
  std::vector<int> all = listed(count > 0 ? weights : nullptr, static_cast<int>(count), "weights");
  if (std::any_of(all.begin(), all.end(), [](int weight) { return weight < 0; }))
    throw CallError{MPI_ERR_ARG, "a weight is negative"};
  return all;
}

/// What a rank tells each of the ends of the edges that it names.
std::vector<std::vector<Edge>> told_edges(const Communicator& comm, int count, const int sources[],
                                          const int degrees[], const int destinations[],
                                          const int weights[]) {
  const std::vector<int> from = listed(sources, count, "sources"), many = listed(degrees, count, "degrees");
  check_ranks(from, comm);
  int all = 0;
  for (const int degree : many) {
    if (degree < 0) throw CallError{MPI_ERR_ARG, "a degree is " + std::to_string(degree)};
    all += degree;
  }
  const std::vector<int> to = listed(destinations, all, "destinations");
  check_ranks(to, comm);
  const std::vector<int> weight_of = checked_weights(weights, to.size());
  std::vector<std::vector<Edge>> told(static_cast<std::size_t>(comm.size()));
  std::size_t edge = 0;
  for (std::size_t source = 0; source < from.size(); ++source)
    for (int i = 0; i < many[source]; ++i, ++edge) {
      const int weight = weight_of.empty() ? 0 : weight_of[edge];
      told[static_cast<std::size_t>(from[source])].push_back({true, to[edge], weight});
      told[static_cast<std::size_t>(to[edge])].push_back({false, from[source], weight});
    }
  return told;
}

/// What a rank says of the edges that it tells another one of.
struct Announced {
  std::size_t edges;
  bool have_weights;
};

/// The edges of this rank that all have named, in the order of those who have.
std::vector<std::vector<Edge>> exchanged(const CollectiveCall& call, std::vector<std::vector<Edge>>& told,
                                         bool have_weights) {
  const std::size_t size = told.size();
  std::vector<Announced> own(size), others(size);
  std::vector<std::vector<Edge>> heard(size);
  const auto share_of = [](std::size_t member, auto* values, std::size_t count) {
    return collectives::Share{static_cast<int>(member), reinterpret_cast<std::byte*>(values),
                              count * sizeof(*values)};
  };
  constexpr int of_announcements = 0, of_edges = 1;
  Transfers first(call), second(call);
  for (std::size_t i = 0; i < size; ++i) {
    own[i] = {told[i].size(), have_weights};
    first.give(share_of(i, &own[i], 1), of_announcements);
    first.want(share_of(i, &others[i], 1), of_announcements);
  }
  first.exchange();
  for (std::size_t i = 0; i < size; ++i) {
    if (others[i].have_weights != have_weights)
      throw CallError{MPI_ERR_ARG, "some ranks pass MPI_UNWEIGHTED, and others do not"};
    heard[i].resize(others[i].edges);
    second.give(share_of(i, told[i].data(), told[i].size()), of_edges);
    second.want(share_of(i, heard[i].data(), heard[i].size()), of_edges);
  }
  second.exchange();
  return heard;
}

OwnEdges own_edges(const std::vector<std::vector<Edge>>& heard, bool has_weights) {
  OwnEdges own;
  own.has_weights = has_weights;
  for (const std::vector<Edge>& edges : heard)
    for (const Edge& edge : edges) {
      (edge.leaves ? own.destinations : own.sources).push_back(edge.other);
      (edge.leaves ? own.destination_weights : own.source_weights).push_back(edge.weight);
    }
  return own;
}

const OwnEdges& edges_of(const Communicator& comm) {
  return topology_of<OwnEdges>(comm, "a distributed graph");
}

}  // namespace

}  // namespace kanor::rt::c_api

using namespace kanor::rt;
using namespace kanor::rt::c_api;

int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int sources_count, const int sources[],
                                   const int source_weights[], int destinations_count,
                                   const int destinations[], const int destination_weights[], MPI_Info, int,
                                   MPI_Comm* made) {
  Rank& self = caller();
  return handled(self, "MPI_Dist_graph_create_adjacent", comm, [&] {
    result_at(made) = MPI_COMM_NULL;
    const CollectiveCall call(self, "MPI_Dist_graph_create_adjacent", Kind::dist_graph_create_adjacent, 0,
                              comm);
    OwnEdges own;
    own.sources = listed(sources, sources_count, "sources");
    own.destinations = listed(destinations, destinations_count, "destinations");
    check_ranks(own.sources, call.comm);
    check_ranks(own.destinations, call.comm);
    own.has_weights = !is_unweighted(source_weights);
    if (own.has_weights == is_unweighted(destination_weights))
      throw CallError{MPI_ERR_ARG,
                      "one of the two arrays of weights is MPI_UNWEIGHTED, and the other is not"};
    own.source_weights = checked_weights(source_weights, own.sources.size());
    own.destination_weights = checked_weights(destination_weights, own.destinations.size());
    *made = new_communicator(call, call.comm.size(), {std::move(own)});
    return MPI_SUCCESS;
  });
}

int MPI_Dist_graph_create(MPI_Comm comm, int count, const int sources[], const int degrees[],
                          const int destinations[], const int weights[], MPI_Info, int, MPI_Comm* made) {
  Rank& self = caller();
  return handled(self, "MPI_Dist_graph_create", comm, [&] {
    result_at(made) = MPI_COMM_NULL;
    const CollectiveCall call(self, "MPI_Dist_graph_create", Kind::dist_graph_create, 0, comm);
    std::vector<std::vector<Edge>> told =
        told_edges(call.comm, count, sources, degrees, destinations, weights);
    const bool has_weights = !is_unweighted(weights);
    call.tell();
    OwnEdges own = own_edges(exchanged(call, told, has_weights), has_weights);
    const CollectiveCall making(self, "MPI_Dist_graph_create", Kind::dist_graph_create, 0, comm);
    *made = new_communicator(making, call.comm.size(), {std::move(own)});
    return MPI_SUCCESS;
  });
}

int MPI_Dist_graph_neighbors_count(MPI_Comm comm, int* sources, int* destinations, int* weighted) {
  Rank& self = caller();
  return handled(self, "MPI_Dist_graph_neighbors_count", comm, [&] {
    const OwnEdges& own = edges_of(communicator(self, comm));
    result_at(sources) = static_cast<int>(own.sources.size());
    result_at(destinations) = static_cast<int>(own.destinations.size());
    result_at(weighted) = own.has_weights;
    return MPI_SUCCESS;
  });
}

int MPI_Dist_graph_neighbors(MPI_Comm comm, int most_sources, int sources[], int source_weights[],
                             int most_destinations, int destinations[], int destination_weights[]) {
  Rank& self = caller();
  return handled(self, "MPI_Dist_graph_neighbors", comm, [&] {
    const OwnEdges& own = edges_of(communicator(self, comm));
    put(own.sources, sources, most_sources);
    put(own.destinations, destinations, most_destinations);
    if (own.has_weights && !is_unweighted(source_weights))
      put(own.source_weights, source_weights, most_sources);
    if (own.has_weights && !is_unweighted(destination_weights))
      put(own.destination_weights, destination_weights, most_destinations);
    return MPI_SUCCESS;
  });
}

KANOR_PROFILED(Dist_graph_create_adjacent)
KANOR_PROFILED(Dist_graph_create)
KANOR_PROFILED(Dist_graph_neighbors_count)
KANOR_PROFILED(Dist_graph_neighbors)

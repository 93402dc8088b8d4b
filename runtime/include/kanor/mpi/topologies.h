// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_MPI_TOPOLOGIES_H
#define KANOR_MPI_TOPOLOGIES_H

/// Topologies: who is whose neighbour in a communicator, and collectives of neighbours.

#include <kanor/mpi/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Results of MPI_Topo_test. Without a topology it is MPI_UNDEFINED.
#define MPI_GRAPH 1
#define MPI_CART 2
#define MPI_DIST_GRAPH 3

/// Passed instead of weights: edges have none, and there are no edges.
#define MPI_UNWEIGHTED ((int*)-1)
#define MPI_WEIGHTS_EMPTY ((int*)-2)

/// Functions that make a communicator with a topology are called by all ranks of `comm`, with the same
/// arguments where these describe the whole topology. `reorder` has no effect: members are numbered as
/// in `comm`. Ranks for which there is no place get MPI_COMM_NULL. MPI_Comm_dup copies the topology.
int MPI_Topo_test(MPI_Comm comm, int* kind) KANOR_MPI(Topo_test);

/// Cartesian grids. The last dimension's coordinate changes fastest with the rank.
int MPI_Cart_create(MPI_Comm comm, int dimensions, const int sizes[], const int periods[], int reorder,
                    MPI_Comm* made) KANOR_MPI(Cart_create);
/// Replaces zeros by sizes, in descending order, whose product with the others is `ranks`: the largest of
/// them is as small as it can be, then the second, and so on.
int MPI_Dims_create(int ranks, int dimensions, int sizes[]) KANOR_MPI(Dims_create);
int MPI_Cartdim_get(MPI_Comm comm, int* dimensions) KANOR_MPI(Cartdim_get);
int MPI_Cart_get(MPI_Comm comm, int most, int sizes[], int periods[], int coordinates[]) KANOR_MPI(Cart_get);
int MPI_Cart_rank(MPI_Comm comm, const int coordinates[], int* rank) KANOR_MPI(Cart_rank);
int MPI_Cart_coords(MPI_Comm comm, int rank, int most, int coordinates[]) KANOR_MPI(Cart_coords);
/// The ranks that are `distance` before and behind this one; MPI_PROC_NULL outside of the grid.
int MPI_Cart_shift(MPI_Comm comm, int dimension, int distance, int* before, int* behind)
    KANOR_MPI(Cart_shift);
/// Grids of those dimensions that are not zero in `keeps`, one for each place in the others.
int MPI_Cart_sub(MPI_Comm comm, const int keeps[], MPI_Comm* made) KANOR_MPI(Cart_sub);
int MPI_Cart_map(MPI_Comm comm, int dimensions, const int sizes[], const int periods[], int* rank)
    KANOR_MPI(Cart_map);

/// Graphs that all ranks know: `ends[i]` is the number of neighbours of the ranks up to i, whose numbers
/// follow each other in `neighbours`.
int MPI_Graph_create(MPI_Comm comm, int ranks, const int ends[], const int neighbours[], int reorder,
                     MPI_Comm* made) KANOR_MPI(Graph_create);
int MPI_Graphdims_get(MPI_Comm comm, int* ranks, int* edges) KANOR_MPI(Graphdims_get);
int MPI_Graph_get(MPI_Comm comm, int most_ranks, int most_edges, int ends[], int neighbours[])
    KANOR_MPI(Graph_get);
int MPI_Graph_neighbors_count(MPI_Comm comm, int rank, int* count) KANOR_MPI(Graph_neighbors_count);
int MPI_Graph_neighbors(MPI_Comm comm, int rank, int most, int neighbours[]) KANOR_MPI(Graph_neighbors);
int MPI_Graph_map(MPI_Comm comm, int ranks, const int ends[], const int neighbours[], int* rank)
    KANOR_MPI(Graph_map);

/// Graphs of which each rank knows its own edges: those from `sources` to it, and from it to
/// `destinations`.
int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int sources_count, const int sources[],
                                   const int source_weights[], int destinations_count,
                                   const int destinations[], const int destination_weights[], MPI_Info info,
                                   int reorder, MPI_Comm* made) KANOR_MPI(Dist_graph_create_adjacent);
/// The same, where any rank can name any edges: `degrees[i]` destinations of `sources[i]`. Each rank has
/// its edges in the order of the ranks that have named them.
int MPI_Dist_graph_create(MPI_Comm comm, int count, const int sources[], const int degrees[],
                          const int destinations[], const int weights[], MPI_Info info, int reorder,
                          MPI_Comm* made) KANOR_MPI(Dist_graph_create);
int MPI_Dist_graph_neighbors_count(MPI_Comm comm, int* sources, int* destinations, int* weighted)
    KANOR_MPI(Dist_graph_neighbors_count);
int MPI_Dist_graph_neighbors(MPI_Comm comm, int most_sources, int sources[], int source_weights[],
                             int most_destinations, int destinations[], int destination_weights[])
    KANOR_MPI(Dist_graph_neighbors);

/// Collectives of neighbours: each rank sends to those behind it and receives from those before it, in
/// the order in which the functions above name them. In a Cartesian grid both are, for each dimension,
/// the rank before it and the rank behind it; what is sent to the rank before comes there from the rank
/// behind, also if the two are the same rank. Elsewhere the first of several edges between two ranks is
/// the first on both, and so on. Nothing is sent to MPI_PROC_NULL, and the elements from there stay as
/// they are. A rank waits for its neighbours only.
int MPI_Neighbor_allgather(const void* own, int count, MPI_Datatype type, void* all, int count_each,
                           MPI_Datatype type_each, MPI_Comm comm) KANOR_MPI(Neighbor_allgather);
int MPI_Neighbor_allgatherv(const void* own, int count, MPI_Datatype type, void* all, const int counts[],
                            const int offsets[], MPI_Datatype type_each, MPI_Comm comm)
    KANOR_MPI(Neighbor_allgatherv);
int MPI_Neighbor_alltoall(const void* out, int count_out, MPI_Datatype type_out, void* in, int count_in,
                          MPI_Datatype type_in, MPI_Comm comm) KANOR_MPI(Neighbor_alltoall);
int MPI_Neighbor_alltoallv(const void* out, const int counts_out[], const int offsets_out[],
                           MPI_Datatype type_out, void* in, const int counts_in[], const int offsets_in[],
                           MPI_Datatype type_in, MPI_Comm comm) KANOR_MPI(Neighbor_alltoallv);
/// With a datatype for each neighbour; the offsets are in bytes.
int MPI_Neighbor_alltoallw(const void* out, const int counts_out[], const MPI_Aint offsets_out[],
                           const MPI_Datatype types_out[], void* in, const int counts_in[],
                           const MPI_Aint offsets_in[], const MPI_Datatype types_in[], MPI_Comm comm)
    KANOR_MPI(Neighbor_alltoallw);

#ifdef __cplusplus
}
#endif

#endif

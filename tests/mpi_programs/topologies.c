// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Topologies: grids and graphs of ranks, and collectives among neighbours.
//
// Dims_create, Cart_create, Cart_get, Cartdim_get, Cart_rank, Cart_coords, Cart_shift, Cart_sub,
// Cart_map, Graph_create, Graphdims_get, Graph_get, Graph_neighbors, Graph_map, Dist_graph_create,
// Dist_graph_create_adjacent, Dist_graph_neighbors, Topo_test; Neighbor_allgather(v),
// Neighbor_alltoall(v, w) and their nonblocking versions.
#include <mpi.h>
#include <stdlib.h>

#include "check.h"

static int rank, size;

static int kind(MPI_Comm comm) {
  int topology = -1;
  MPI_Topo_test(comm, &topology);
  return topology;
}

static void check_dims(void) {
  const int nodes[] = {1, 6, 7, 12, 16, 24, 36};
  const int expected[][3] = {{1, 1, 1}, {3, 2, 1}, {7, 1, 1}, {3, 2, 2},
                             {4, 2, 2}, {4, 3, 2}, {4, 3, 3}};
  for (int i = 0; i < 7; ++i) {
    int dims[3] = {0, 0, 0};
    MPI_Dims_create(nodes[i], 3, dims);
    for (int k = 0; k < 3; ++k) CHECK_EQ(dims[k], expected[i][k]);
  }
  int given[3] = {0, 3, 0};
  MPI_Dims_create(12, 3, given);
  CHECK(given[0] == 2 && given[1] == 3 && given[2] == 2);
  int all[2] = {2, 3};
  MPI_Dims_create(6, 2, all);
  CHECK(all[0] == 2 && all[1] == 3);
  int mine[2] = {0, 0};
  MPI_Dims_create(size, 2, mine);
  CHECK_EQ(mine[0] * mine[1], size);
  CHECK(mine[0] >= mine[1]);
}

static void check_grid(void) {
  int dims[2] = {0, 0}, periods[2] = {1, 0}, got_dims[2], got_periods[2], coords[2], own[2],
      count = -1, place;
  MPI_Comm grid;
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  CHECK_EQ(kind(MPI_COMM_WORLD), MPI_UNDEFINED);
  CHECK_EQ(kind(grid), MPI_CART);
  MPI_Cartdim_get(grid, &count);
  CHECK_EQ(count, 2);
  MPI_Cart_get(grid, 2, got_dims, got_periods, own);
  CHECK(got_dims[0] == dims[0] && got_dims[1] == dims[1] && got_periods[0] == 1 &&
        got_periods[1] == 0);
  CHECK(own[0] == rank / dims[1] && own[1] == rank % dims[1]);  // row by row, without reordering
  for (int i = 0; i < size; ++i) {
    MPI_Cart_coords(grid, i, 2, coords);
    CHECK(coords[0] == i / dims[1] && coords[1] == i % dims[1]);
    MPI_Cart_rank(grid, coords, &place);
    CHECK_EQ(place, i);
    coords[0] += dims[0];  // periodic
    MPI_Cart_rank(grid, coords, &place);
    CHECK_EQ(place, i);
    coords[0] -= 3 * dims[0];
    MPI_Cart_rank(grid, coords, &place);
    CHECK_EQ(place, i);
  }
  for (int by = -2; by <= 2; ++by) {
    int source, destination;
    MPI_Cart_shift(grid, 0, by, &source, &destination);
    CHECK_EQ(destination, ((own[0] + by) % dims[0] + dims[0]) % dims[0] * dims[1] + own[1]);
    CHECK_EQ(source, ((own[0] - by) % dims[0] + dims[0]) % dims[0] * dims[1] + own[1]);
    MPI_Cart_shift(grid, 1, by, &source, &destination);
    CHECK_EQ(destination, own[1] + by < 0 || own[1] + by >= dims[1] ? MPI_PROC_NULL : rank + by);
    CHECK_EQ(source, own[1] - by < 0 || own[1] - by >= dims[1] ? MPI_PROC_NULL : rank - by);
    int value = rank, from = -1;
    MPI_Sendrecv(&value, 1, MPI_INT, destination, 1, &from, 1, MPI_INT, source, 1, grid,
                 MPI_STATUS_IGNORE);
    CHECK_EQ(from, source == MPI_PROC_NULL ? -1 : source);
  }
  // Rows and columns.
  for (int kept = 0; kept < 2; ++kept) {
    MPI_Comm line;
    int remain[2] = {kept == 0, kept == 1}, sum = -1;
    MPI_Cart_sub(grid, remain, &line);
    MPI_Cartdim_get(line, &count);
    CHECK_EQ(count, 1);
    MPI_Cart_get(line, 1, got_dims, got_periods, coords);
    CHECK_EQ(got_dims[0], dims[kept]);
    CHECK_EQ(got_periods[0], periods[kept]);
    CHECK_EQ(coords[0], own[kept]);
    MPI_Comm_rank(line, &place);
    CHECK_EQ(place, own[kept]);
    MPI_Allreduce(&own[1 - kept], &sum, 1, MPI_INT, MPI_SUM, line);
    CHECK_EQ(sum, own[1 - kept] * dims[kept]);
    MPI_Comm_free(&line);
  }
  // A copy has the same topology.
  MPI_Comm copy;
  MPI_Comm_dup(grid, &copy);
  CHECK_EQ(kind(copy), MPI_CART);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&grid);
  // A grid of fewer ranks, with reordering allowed.
  if (size > 1) {
    int line[1] = {size - 1}, ring[1] = {1};
    MPI_Cart_create(MPI_COMM_WORLD, 1, line, ring, 1, &grid);
    int inside = grid != MPI_COMM_NULL, sum = 0;
    MPI_Allreduce(&inside, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_EQ(sum, size - 1);
    if (inside) MPI_Comm_free(&grid);
    MPI_Cart_map(MPI_COMM_WORLD, 1, line, ring, &place);
    CHECK(place == MPI_UNDEFINED || (place >= 0 && place < size - 1));
  }
}

// Values of the neighbours in a periodic grid, in each way; along a line, the ends have nobody.
static void check_grid_neighbours(int periodic) {
  MPI_Comm grid;
  int dims[1] = {size}, periods[1] = {periodic}, left, right, out[4], in[4];
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid);
  MPI_Cart_shift(grid, 0, 1, &left, &right);
  const int from_left = left == MPI_PROC_NULL ? -1 : left,
            from_right = right == MPI_PROC_NULL ? -1 : right;
  in[0] = in[1] = -1;
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, grid);
  CHECK_EQ(in[0], from_left);
  CHECK_EQ(in[1], from_right);
  int counts[2] = {1, 1}, places[2] = {3, 0};
  for (int i = 0; i < 4; ++i) in[i] = -1;
  MPI_Neighbor_allgatherv(&rank, 1, MPI_INT, in, counts, places, MPI_INT, grid);
  CHECK_EQ(in[3], from_left);
  CHECK_EQ(in[0], from_right);
  if (size > 2 || !periodic) {
    // Each neighbour its own value. With one or two ranks in a ring, left and right are the same
    // rank.
    MPI_Request request;
    out[0] = 10 * rank;
    out[1] = 10 * rank + 1;
    for (int way = 0; way < 2; ++way) {
      in[0] = in[1] = -1;
      if (way == 0) {
        MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, grid);
      } else {
        MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, grid, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
      }
      CHECK_EQ(in[0], left == MPI_PROC_NULL ? -1 : 10 * left + 1);
      CHECK_EQ(in[1], right == MPI_PROC_NULL ? -1 : 10 * right);
    }
    // One value to the left, two to the right, which stand apart where they arrive.
    MPI_Datatype apart, send_types[2] = {MPI_INT, MPI_INT}, receive_types[2];
    MPI_Aint send_bytes[2] = {8, 0}, receive_bytes[2] = {4, 0};
    int send_counts[2] = {1, 2}, receive_counts[2] = {1, 1};
    MPI_Type_vector(2, 1, 2, MPI_INT, &apart);
    MPI_Type_commit(&apart);
    receive_types[0] = apart;
    receive_types[1] = MPI_INT;
    for (int i = 0; i < 3; ++i) out[i] = 10 * rank + i;
    for (int way = 0; way < 2; ++way) {
      for (int i = 0; i < 4; ++i) in[i] = -1;
      if (way == 0) {
        MPI_Neighbor_alltoallw(out, send_counts, send_bytes, send_types, in, receive_counts,
                               receive_bytes, receive_types, grid);
      } else {
        MPI_Ineighbor_alltoallw(out, send_counts, send_bytes, send_types, in, receive_counts,
                                receive_bytes, receive_types, grid, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
      }
      CHECK_EQ(in[0], right == MPI_PROC_NULL ? -1 : 10 * right + 2);
      CHECK_EQ(in[1], left == MPI_PROC_NULL ? -1 : 10 * left);
      CHECK_EQ(in[2], -1);
      CHECK_EQ(in[3], left == MPI_PROC_NULL ? -1 : 10 * left + 1);
    }
    MPI_Type_free(&apart);
  }
  MPI_Comm_free(&grid);
}

// A star: rank 0 knows all, the others know rank 0 alone.
static void check_graph(void) {
  int index[64], edges[128], got_index[64], got_edges[128], neighbours[64], nodes = -1, count = -1,
                                                                            place;
  MPI_Comm graph;
  if (size == 1) return;
  for (int i = 0; i < size; ++i) index[i] = size - 1 + i;
  for (int i = 0; i < size - 1; ++i) edges[i] = i + 1, edges[size - 1 + i] = 0;
  MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &graph);
  CHECK_EQ(kind(graph), MPI_GRAPH);
  MPI_Graphdims_get(graph, &nodes, &count);
  CHECK_EQ(nodes, size);
  CHECK_EQ(count, 2 * (size - 1));
  MPI_Graph_get(graph, 64, 128, got_index, got_edges);
  for (int i = 0; i < size; ++i) CHECK_EQ(got_index[i], index[i]);
  for (int i = 0; i < 2 * (size - 1); ++i) CHECK_EQ(got_edges[i], edges[i]);
  for (int of = 0; of < size; ++of) {
    MPI_Graph_neighbors_count(graph, of, &count);
    CHECK_EQ(count, of == 0 ? size - 1 : 1);
    MPI_Graph_neighbors(graph, of, 64, neighbours);
    CHECK_EQ(neighbours[0], of == 0);
    CHECK_EQ(neighbours[count - 1], of == 0 ? size - 1 : 0);
  }
  MPI_Graph_map(MPI_COMM_WORLD, size, index, edges, &place);
  CHECK(place >= 0 && place < size);
  int in[64];
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, graph);
  if (rank == 0)
    for (int i = 0; i < size - 1; ++i) CHECK_EQ(in[i], i + 1);
  else
    CHECK_EQ(in[0], 0);
  MPI_Comm_free(&graph);
}

// In MPICH 4.0 it does nothing where the ranks have more neighbours of one direction than of the
// other.
static int alltoallw_is_broken(void) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  MPI_Get_library_version(version, &length);
  return strncmp(version, "MPICH Version:\t4.0", 18) == 0;
}

// Each rank sends to the next ones, as many as its number says (at most three), and all collectives
// follow.
static int ranks_after(int of) { return of % 4 < size ? of % 4 : size - 1; }

static void use_graph(MPI_Comm graph) {
  int sources[64], targets[64], in_count = -1, out_count = -1, weighted = -1;
  int out[64], in[64], send_counts[64], receive_counts[64], send_places[64], receive_places[64],
      known = 0;
  MPI_Dist_graph_neighbors_count(graph, &in_count, &out_count, &weighted);
  CHECK_EQ(out_count, ranks_after(rank));
  for (int from = 0; from < size; ++from) {
    const int distance = (rank - from + size) % size;
    known += distance >= 1 && distance <= ranks_after(from);
  }
  CHECK_EQ(in_count, known);
  MPI_Dist_graph_neighbors(graph, in_count, sources, MPI_UNWEIGHTED, out_count, targets,
                           MPI_UNWEIGHTED);
  MPI_Request request;
  for (int way = 0; way < 2; ++way) {
    for (int i = 0; i < 64; ++i) in[i] = -1;
    if (way == 0) {
      MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, graph);
    } else {
      MPI_Ineighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, graph, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < in_count; ++i) CHECK_EQ(in[i], sources[i]);
  }
  // To each its number, as often as the distance is; a value of its own for each.
  int total_out = 0, total_in = 0;
  for (int i = 0; i < out_count; ++i) {
    send_counts[i] = (targets[i] - rank + size) % size;
    send_places[i] = total_out;
    for (int k = 0; k < send_counts[i]; ++k) out[total_out++] = 100 * rank + targets[i];
  }
  for (int i = 0; i < in_count; ++i) {
    receive_counts[i] = (rank - sources[i] + size) % size;
    receive_places[i] = total_in;
    total_in += receive_counts[i];
  }
  MPI_Neighbor_alltoallv(out, send_counts, send_places, MPI_INT, in, receive_counts, receive_places,
                         MPI_INT, graph);
  for (int i = 0; i < in_count; ++i)
    for (int k = 0; k < receive_counts[i]; ++k)
      CHECK_EQ(in[receive_places[i] + k], 100 * sources[i] + rank);
  if (alltoallw_is_broken()) return;
  MPI_Aint send_bytes[64], receive_bytes[64];
  MPI_Datatype types[64];
  for (int i = 0; i < 64; ++i) types[i] = MPI_INT, in[i] = -1;
  for (int i = 0; i < out_count; ++i) send_bytes[i] = send_places[i] * (MPI_Aint)sizeof(int);
  for (int i = 0; i < in_count; ++i) receive_bytes[i] = receive_places[i] * (MPI_Aint)sizeof(int);
  MPI_Neighbor_alltoallw(out, send_counts, send_bytes, types, in, receive_counts, receive_bytes,
                         types, graph);
  for (int i = 0; i < in_count; ++i)
    for (int k = 0; k < receive_counts[i]; ++k)
      CHECK_EQ(in[receive_places[i] + k], 100 * sources[i] + rank);
}

static void check_dist_graph(void) {
  MPI_Comm graph;
  int sources[64], targets[64], weights[64], got_sources[64], got_targets[64], got_in[64],
      got_out[64];
  int in_count = 0, out_count = ranks_after(rank), a, b, weighted = -1;
  for (int i = 0; i < out_count; ++i) targets[i] = (rank + 1 + i) % size, weights[i] = 1 + i;
  for (int from = size - 1; from >= 0; --from) {
    const int distance = (rank - from + size) % size;
    if (distance >= 1 && distance <= ranks_after(from)) sources[in_count++] = from;
  }
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in_count, sources, MPI_UNWEIGHTED, out_count,
                                 targets, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  CHECK_EQ(kind(graph), MPI_DIST_GRAPH);
  MPI_Dist_graph_neighbors_count(graph, &a, &b, &weighted);
  CHECK_EQ(weighted, 0);
  MPI_Dist_graph_neighbors(graph, a, got_sources, MPI_UNWEIGHTED, b, got_targets, MPI_UNWEIGHTED);
  for (int i = 0; i < in_count; ++i) CHECK_EQ(got_sources[i], sources[i]);  // in the order given
  for (int i = 0; i < out_count; ++i) CHECK_EQ(got_targets[i], targets[i]);
  use_graph(graph);
  MPI_Comm_free(&graph);

  // Each rank says what it sends, with weights; what it receives follows.
  MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &out_count, targets, weights, MPI_INFO_NULL, 0,
                        &graph);
  MPI_Dist_graph_neighbors_count(graph, &a, &b, &weighted);
  CHECK(weighted != 0);
  CHECK_EQ(b, out_count);
  MPI_Dist_graph_neighbors(graph, a, got_sources, got_in, b, got_targets, got_out);
  for (int i = 0; i < b; ++i) CHECK_EQ(got_out[i], (got_targets[i] - rank + size) % size);
  for (int i = 0; i < a; ++i) CHECK_EQ(got_in[i], (rank - got_sources[i] + size) % size);
  use_graph(graph);
  MPI_Comm_free(&graph);

  // Rank 0 knows all edges: those of a ring.
  int all[64], degrees[64];
  for (int i = 0; i < size; ++i) all[i] = i, degrees[i] = 1, targets[i] = (i + 1) % size;
  MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 0 ? size : 0, all, degrees, targets, MPI_UNWEIGHTED,
                        MPI_INFO_NULL, 0, &graph);
  int value = -1;
  MPI_Neighbor_alltoall(&rank, 1, MPI_INT, &value, 1, MPI_INT, graph);
  CHECK_EQ(value, (rank + size - 1) % size);
  MPI_Comm_free(&graph);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check_part("dims");
  check_dims();
  check_part("grid");
  check_grid();
  check_part("neighbours in a ring");
  check_grid_neighbours(1);
  check_part("neighbours in a line");
  check_grid_neighbours(0);
  check_part("graph");
  check_graph();
  check_part("distributed graph");
  check_dist_graph();
  return check_finish();
}

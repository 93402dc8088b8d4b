/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cartesian grids, graphs and distributed graphs. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, failures;

static void check(int holds, const char* what, int line) {
  if (holds) return;
  if (++failures <= 10) printf("rank %d of %d, line %d: %s\n", rank, size, line, what);
}
#define CHECK(condition) check(condition, #condition, __LINE__)

static int product(const int* factors, int count) {
  int all = 1;
  for (int i = 0; i < count; ++i) all *= factors[i];
  return all;
}

static void dimensions_of(int ranks, int count, int a, int b, int c) {
  int sizes[3] = {0, 0, 0};
  MPI_Dims_create(ranks, count, sizes);
  CHECK(sizes[0] == a && (count < 2 || sizes[1] == b) && (count < 3 || sizes[2] == c));
}

static void dimensions(void) {
  dimensions_of(6, 2, 3, 2, 0);
  dimensions_of(7, 2, 7, 1, 0);
  dimensions_of(6, 3, 3, 2, 1);
  dimensions_of(8, 3, 2, 2, 2);
  dimensions_of(12, 2, 4, 3, 0);
  dimensions_of(16, 3, 4, 2, 2);
  dimensions_of(36, 3, 4, 3, 3);
  dimensions_of(1, 3, 1, 1, 1);
  dimensions_of(100, 2, 10, 10, 0);
  dimensions_of(1000003, 2, 1000003, 1, 0);
  for (int ranks = 1; ranks <= 200; ++ranks)
    for (int count = 1; count <= 6; ++count) {
      int sizes[6] = {0, 0, 0, 0, 0, 0};
      MPI_Dims_create(ranks, count, sizes);
      CHECK(product(sizes, count) == ranks);
      for (int i = 1; i < count; ++i) CHECK(sizes[i] <= sizes[i - 1]);
    }
  int given[4] = {0, 3, 0, 2};
  MPI_Dims_create(36, 4, given);
  CHECK(given[0] == 3 && given[1] == 3 && given[2] == 2 && given[3] == 2);
  int full[2] = {2, 3};
  MPI_Dims_create(6, 2, full);
  CHECK(full[0] == 2 && full[1] == 3);
  int wrong[2] = {4, 0};
  CHECK(MPI_Dims_create(6, 2, wrong) != MPI_SUCCESS);
}

/* A grid of two dimensions, of which the second is periodic. */
static void grid(void) {
  int sizes[2] = {0, 0}, periods[2] = {0, 1}, kind, count;
  MPI_Comm made, copy, row, column, point;
  MPI_Dims_create(size, 2, sizes);
  MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &made);
  MPI_Topo_test(MPI_COMM_WORLD, &kind);
  CHECK(kind == MPI_UNDEFINED);
  MPI_Comm_dup(made, &copy);
  MPI_Comm_free(&made);
  MPI_Topo_test(copy, &kind);
  CHECK(kind == MPI_CART);
  MPI_Cartdim_get(copy, &count);
  CHECK(count == 2);

  int got_sizes[2], got_periods[2], here[2], there[2], found, before, behind;
  MPI_Cart_get(copy, 2, got_sizes, got_periods, here);
  CHECK(got_sizes[0] == sizes[0] && got_sizes[1] == sizes[1] && !got_periods[0] && got_periods[1]);
  CHECK(here[0] == rank / sizes[1] && here[1] == rank % sizes[1]);
  for (int other = 0; other < size; ++other) {
    MPI_Cart_coords(copy, other, 2, there);
    CHECK(there[0] == other / sizes[1] && there[1] == other % sizes[1]);
    MPI_Cart_rank(copy, there, &found);
    CHECK(found == other);
    there[1] -= 3 * sizes[1];
    MPI_Cart_rank(copy, there, &found);
    CHECK(found == other);
  }
  for (int distance = -3; distance <= 3; ++distance) {
    MPI_Cart_shift(copy, 0, distance, &before, &behind);
    CHECK(before == (here[0] - distance < 0 || here[0] - distance >= sizes[0] ? MPI_PROC_NULL
                                                                             : rank - distance * sizes[1]));
    CHECK(behind == (here[0] + distance < 0 || here[0] + distance >= sizes[0] ? MPI_PROC_NULL
                                                                             : rank + distance * sizes[1]));
    MPI_Cart_shift(copy, 1, distance, &before, &behind);
    CHECK(before == here[0] * sizes[1] + (here[1] - distance + 12 * sizes[1]) % sizes[1]);
    CHECK(behind == here[0] * sizes[1] + (here[1] + distance + 12 * sizes[1]) % sizes[1]);
  }

  int keeps_row[2] = {0, 1}, keeps_column[2] = {1, 0}, keeps_none[2] = {0, 0}, value = rank, sum;
  MPI_Cart_sub(copy, keeps_row, &row);
  MPI_Cart_sub(copy, keeps_column, &column);
  MPI_Cart_sub(copy, keeps_none, &point);
  MPI_Comm_rank(row, &found);
  CHECK(found == here[1]);
  MPI_Comm_rank(column, &found);
  CHECK(found == here[0]);
  MPI_Cart_get(row, 1, got_sizes, got_periods, there);
  CHECK(got_sizes[0] == sizes[1] && got_periods[0] && there[0] == here[1]);
  MPI_Cart_get(column, 1, got_sizes, got_periods, there);
  CHECK(got_sizes[0] == sizes[0] && !got_periods[0] && there[0] == here[0]);
#ifndef MPICH_VERSION /* which makes one of them only */
  MPI_Comm_size(point, &count);
  CHECK(count == 1);
  MPI_Cartdim_get(point, &count);
  CHECK(count == 0);
  MPI_Comm_free(&point);
#endif
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, row);
  CHECK(sum == here[0] * sizes[1] * sizes[1] + sizes[1] * (sizes[1] - 1) / 2);
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, column);
  CHECK(sum == here[1] * sizes[0] + sizes[1] * sizes[0] * (sizes[0] - 1) / 2);
  MPI_Comm_free(&row);
  MPI_Comm_free(&column);
  MPI_Comm_free(&copy);
}

/* Grids that do not have a place for each rank. */
static void small_grids(void) {
  MPI_Comm made;
  int sizes[1] = {(size + 1) / 2}, periods[1] = {1}, place, count;
  MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periods, 1, &made);
  CHECK((made == MPI_COMM_NULL) == (rank >= sizes[0]));
  if (made != MPI_COMM_NULL) {
    MPI_Comm_size(made, &count);
    CHECK(count == sizes[0]);
    MPI_Comm_free(&made);
  }
  MPI_Cart_map(MPI_COMM_WORLD, 1, sizes, periods, &place);
  CHECK(place == MPI_UNDEFINED || (place >= 0 && place < sizes[0]));
  MPI_Cart_create(MPI_COMM_WORLD, 0, sizes, periods, 0, &made);
  CHECK((made == MPI_COMM_NULL) == (rank > 0));
  if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
  sizes[0] = size + 1;
  CHECK(MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periods, 0, &made) != MPI_SUCCESS);
}

/* A star: rank 0 has all others as neighbours. */
static void graph(void) {
  int* const ends = malloc((size_t)size * sizeof(int));
  int* const neighbours = malloc(2 * (size_t)size * sizeof(int));
  int* const got = malloc(3 * (size_t)size * sizeof(int));
  int kind, ranks, edges, count, place;
  MPI_Comm made, copy;
  for (int i = 0; i < size; ++i) ends[i] = size - 1 + i;
  for (int i = 1; i < size; ++i) {
    neighbours[i - 1] = i;
    neighbours[size - 1 + i - 1] = 0;
  }
  MPI_Graph_create(MPI_COMM_WORLD, size, ends, neighbours, 0, &made);
  MPI_Topo_test(made, &kind);
  CHECK(kind == MPI_GRAPH);
  MPI_Comm_dup(made, &copy);
  MPI_Graphdims_get(copy, &ranks, &edges);
  CHECK(ranks == size && edges == 2 * (size - 1));
  MPI_Graph_get(copy, size, 2 * size, got, got + size);
  for (int i = 0; i < size; ++i) CHECK(got[i] == ends[i]);
  MPI_Graph_neighbors_count(copy, 0, &count);
  CHECK(count == size - 1);
  MPI_Graph_neighbors(copy, 0, size, got);
  for (int i = 1; i < size; ++i) CHECK(got[i - 1] == i);
  if (size > 1) {
    MPI_Graph_neighbors_count(copy, size - 1, &count);
    MPI_Graph_neighbors(copy, size - 1, 1, got);
    CHECK(count == 1 && got[0] == 0);
  }
  MPI_Graph_map(MPI_COMM_WORLD, size, ends, neighbours, &place);
  CHECK(place >= 0 && place < size);
  MPI_Comm_free(&made);
  MPI_Comm_free(&copy);
  ends[0] = 0;
  MPI_Graph_create(MPI_COMM_WORLD, 1, ends, neighbours, 0, &made);
  CHECK((made == MPI_COMM_NULL) == (rank > 0));
  if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
  free(ends);
  free(neighbours);
  free(got);
}

/* A ring, and for each rank an edge from itself. */
static void check_ring(MPI_Comm comm, int has_weights) {
  int sources, destinations, weighted, kind;
  int from[2], to[2], in[2] = {-5, -5}, out[2] = {-5, -5};
  const int before = (rank + size - 1) % size, behind = (rank + 1) % size;
  MPI_Topo_test(comm, &kind);
  CHECK(kind == MPI_DIST_GRAPH);
  MPI_Dist_graph_neighbors_count(comm, &sources, &destinations, &weighted);
  CHECK(sources == 2 && destinations == 2 && !weighted == !has_weights);
  MPI_Dist_graph_neighbors(comm, 2, from, has_weights ? in : MPI_UNWEIGHTED, 2, to,
                           has_weights ? out : MPI_UNWEIGHTED);
  const int first = from[0] == before && (size > 1 || !has_weights || in[0] == 100 + before) ? 0 : 1;
  CHECK(from[first] == before && from[1 - first] == rank);
  if (has_weights) CHECK(in[first] == 100 + before && in[1 - first] == 200 + rank);
  const int next = to[0] == behind && (size > 1 || !has_weights || out[0] == 100 + rank) ? 0 : 1;
  CHECK(to[next] == behind && to[1 - next] == rank);
  if (has_weights) CHECK(out[next] == 100 + rank && out[1 - next] == 200 + rank);
}

static void distributed_graph(int has_weights) {
  const int before = (rank + size - 1) % size, behind = (rank + 1) % size;
  const int from[2] = {before, rank}, to[2] = {rank, behind};
  const int in[2] = {100 + before, 200 + rank}, out[2] = {200 + rank, 100 + rank};
  MPI_Comm made, copy;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, has_weights ? in : MPI_UNWEIGHTED, 2, to,
                                 has_weights ? out : MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
  check_ring(made, has_weights);
  MPI_Comm_dup(made, &copy);
  check_ring(copy, has_weights);
  MPI_Comm_free(&made);
  MPI_Comm_free(&copy);

  /* Each rank names the edges of the rank after the next one. */
  const int named = (rank + 2) % size;
  int sources[2] = {named, named}, degrees[2] = {1, 1}, destinations[2] = {(named + 1) % size, named};
  int weights[2] = {100 + named, 200 + named};
  MPI_Dist_graph_create(MPI_COMM_WORLD, 2, sources, degrees, destinations,
                        has_weights ? weights : MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
  check_ring(made, has_weights);
  MPI_Comm_free(&made);
  sources[0] = named;
  degrees[0] = 2;
  MPI_Dist_graph_create(MPI_COMM_WORLD, 1, sources, degrees, destinations,
                        has_weights ? weights : MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
  check_ring(made, has_weights);
  MPI_Comm_free(&made);
}

/* Rank 0 names all: an edge to each other rank. */
static void one_names_all(void) {
  int source = 0, degree = size - 1, sources, destinations, weighted, other = -1, weight = -1;
  int* const all = malloc((size_t)size * sizeof(int));
  int* const weights = malloc((size_t)size * sizeof(int));
  MPI_Comm made;
  for (int i = 1; i < size; ++i) {
    all[i - 1] = i;
    weights[i - 1] = 7 * i;
  }
  MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 0, &source, &degree, all,
                        rank == 0 ? weights : MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 1, &made);
  MPI_Dist_graph_neighbors_count(made, &sources, &destinations, &weighted);
  CHECK(sources == (rank > 0) && destinations == (rank == 0 ? size - 1 : 0) && weighted);
  MPI_Dist_graph_neighbors(made, sources, &other, &weight, destinations, all, weights);
  if (rank > 0) CHECK(other == 0 && weight == 7 * rank);
  if (rank == 0)
    for (int i = 0; i < destinations; ++i) CHECK(weights[i] == 7 * all[i]);
  MPI_Comm_free(&made);
  free(all);
  free(weights);
}

int main(int argc, char** argv) {
  int all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  dimensions();
  grid();
  small_grids();
  graph();
  distributed_graph(0);
  distributed_graph(1);
  one_names_all();
  int wrong, class;
  MPI_Error_class(MPI_Cartdim_get(MPI_COMM_WORLD, &wrong), &class);
  CHECK(class == MPI_ERR_TOPOLOGY);
  MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && all == 0) printf("passed\n");
  MPI_Finalize();
  return all != 0;
}

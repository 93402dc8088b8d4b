/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Collectives of neighbours, on grids, graphs and distributed graphs. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, failures;

static void check(int holds, const char* what, int line) {
  if (holds) return;
  if (++failures <= 10) printf("rank %d of %d, line %d: %s\n", rank, size, line, what);
}
#define CHECK(condition) check(condition, #condition, __LINE__)

enum { most_neighbours = 32, untouched = -77 };

/* What rank `from` sends as the element with this number to its neighbour with that one. */
static int value_of(int from, int neighbour, int index) { return from * 10000 + neighbour * 1000 + index; }

/* The neighbours of a rank, and for each from which of its sender's neighbours its block comes. */
typedef struct {
  int in_count, out_count;
  int in[most_neighbours], comes_from[most_neighbours];
} Expected;

static void all_gather(MPI_Comm comm, const Expected* expected, int count) {
  int* const own = malloc((size_t)(count + 1) * sizeof(int));
  int* const all = malloc((size_t)(count * most_neighbours + 1) * sizeof(int));
  int counts[most_neighbours], offsets[most_neighbours];
  for (int i = 0; i < count; ++i) own[i] = value_of(rank, 0, i);
  for (int i = 0; i < count * most_neighbours; ++i) all[i] = untouched;
  MPI_Neighbor_allgather(own, count, MPI_INT, all, count, MPI_INT, comm);
  for (int from = 0; from < expected->in_count; ++from)
    for (int i = 0; i < count; ++i)
      CHECK(all[from * count + i] ==
            (expected->in[from] == MPI_PROC_NULL ? untouched : value_of(expected->in[from], 0, i)));
  /* In reverse order. */
  for (int i = 0; i < expected->in_count; ++i) {
    counts[i] = count;
    offsets[i] = (expected->in_count - 1 - i) * count;
  }
  for (int i = 0; i < count * most_neighbours; ++i) all[i] = untouched;
  MPI_Neighbor_allgatherv(own, count, MPI_INT, all, counts, offsets, MPI_INT, comm);
  for (int from = 0; from < expected->in_count; ++from)
    for (int i = 0; i < count; ++i)
      CHECK(all[offsets[from] + i] ==
            (expected->in[from] == MPI_PROC_NULL ? untouched : value_of(expected->in[from], 0, i)));
  free(own);
  free(all);
}

static void check_blocks(const Expected* expected, const int* in, int count) {
  for (int from = 0; from < expected->in_count; ++from)
    for (int i = 0; i < count; ++i)
      CHECK(in[from * count + i] == (expected->in[from] == MPI_PROC_NULL
                                         ? untouched
                                         : value_of(expected->in[from], expected->comes_from[from], i)));
}

/* The most edges from one neighbour. MPICH has other orders where there are several: they are only checked
 * elsewhere. */
static int most_edges(const Expected* expected) {
  int most = 1;
#ifdef MPICH_VERSION
  for (int i = 0; i < expected->in_count; ++i) {
    int edges = 0;
    for (int other = 0; other < expected->in_count; ++other)
      edges += expected->in[i] != MPI_PROC_NULL && expected->in[i] == expected->in[other];
    if (edges > most) most = edges;
  }
#else
  (void)expected;
#endif
  return most;
}

static void all_to_all(MPI_Comm comm, const Expected* expected, int count) {
  int* const out = malloc((size_t)(count * most_neighbours + 1) * sizeof(int));
  int* const in = malloc((size_t)(count * most_neighbours + 1) * sizeof(int));
  int counts[most_neighbours], offsets[most_neighbours];
  MPI_Aint places[most_neighbours];
  MPI_Datatype types[most_neighbours];
  for (int to = 0; to < most_neighbours; ++to) {
    for (int i = 0; i < count; ++i) out[to * count + i] = value_of(rank, to, i);
    counts[to] = count;
    offsets[to] = to * count;
    places[to] = to * count * (MPI_Aint)sizeof(int);
    types[to] = MPI_INT;
  }
  for (int i = 0; i < count * most_neighbours; ++i) in[i] = untouched;
  MPI_Neighbor_alltoall(out, count, MPI_INT, in, count, MPI_INT, comm);
  if (most_edges(expected) <= 2) check_blocks(expected, in, count);
  if (most_edges(expected) > 1) {
    free(out);
    free(in);
    return;
  }
  for (int i = 0; i < count * most_neighbours; ++i) in[i] = untouched;
  MPI_Neighbor_alltoallv(out, counts, offsets, MPI_INT, in, counts, offsets, MPI_INT, comm);
  check_blocks(expected, in, count);
  for (int i = 0; i < count * most_neighbours; ++i) in[i] = untouched;
  MPI_Neighbor_alltoallw(out, counts, places, types, in, counts, places, types, comm);
  check_blocks(expected, in, count);
  free(out);
  free(in);
}

static void all_of_them(MPI_Comm comm, const Expected* expected) {
  const int counts[] = {0, 1, 7, 5000};
  for (int i = 0; i < 4; ++i) {
    all_gather(comm, expected, counts[i]);
    all_to_all(comm, expected, counts[i]);
  }
}

static void on_grid(int dimensions, int periodic) {
  int sizes[4] = {0, 0, 0, 0}, periods[4];
  Expected expected;
  MPI_Comm comm;
  for (int i = 0; i < dimensions; ++i) periods[i] = periodic;
  MPI_Dims_create(size, dimensions, sizes);
  MPI_Cart_create(MPI_COMM_WORLD, dimensions, sizes, periods, 0, &comm);
  expected.in_count = expected.out_count = 2 * dimensions;
  for (int i = 0; i < dimensions; ++i) {
    MPI_Cart_shift(comm, i, 1, &expected.in[2 * i], &expected.in[2 * i + 1]);
    expected.comes_from[2 * i] = 2 * i + 1;
    expected.comes_from[2 * i + 1] = 2 * i;
  }
  all_of_them(comm, &expected);
  MPI_Comm_free(&comm);
}

/* All others are a rank's neighbours, in ascending order. */
static void on_graph(void) {
  Expected expected;
  MPI_Comm comm;
  int* const ends = malloc((size_t)size * sizeof(int));
  int* const neighbours = malloc((size_t)(size * size) * sizeof(int));
  int edges = 0;
  for (int i = 0; i < size; ++i) {
    for (int other = 0; other < size; ++other)
      if (other != i) neighbours[edges++] = other;
    ends[i] = edges;
  }
  MPI_Graph_create(MPI_COMM_WORLD, size, ends, neighbours, 0, &comm);
  expected.in_count = expected.out_count = 0;
  for (int other = 0; other < size; ++other)
    if (other != rank) {
      expected.in[expected.in_count] = other;
      expected.comes_from[expected.in_count++] = rank < other ? rank : rank - 1;
    }
  expected.out_count = expected.in_count;
  all_of_them(comm, &expected);
  MPI_Comm_free(&comm);
  free(ends);
  free(neighbours);
}

/* A ring in one direction: each rank sends to the next one and to the one after it. */
static void on_distributed_graph(void) {
  Expected expected;
  MPI_Comm comm;
  const int to[2] = {(rank + 1) % size, (rank + 2) % size};
  expected.in_count = expected.out_count = size > 2 ? 2 : 1;
  for (int i = 0; i < 2; ++i) {
    expected.in[i] = (rank + size - 1 - i % size + size) % size;
    expected.comes_from[i] = i;
  }
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, expected.in_count, expected.in, MPI_UNWEIGHTED,
                                 expected.out_count, to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
  all_of_them(comm, &expected);
  MPI_Comm_free(&comm);
}

/* Columns of a matrix, which have gaps. */
static void with_gaps(void) {
  enum { width = 6, height = 4 };
  int sizes[1] = {size}, periods[1] = {1}, matrix[height][width], before, behind;
  const int counts[2] = {1, 1};
  const MPI_Aint out[2] = {1 * sizeof(int), 4 * sizeof(int)}, in[2] = {0 * sizeof(int), 5 * sizeof(int)};
  MPI_Datatype column, types[2];
  MPI_Comm comm;
  MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periods, 0, &comm);
  MPI_Cart_shift(comm, 0, 1, &before, &behind);
  MPI_Type_vector(height, 1, width, MPI_INT, &column);
  MPI_Type_commit(&column);
  types[0] = types[1] = column;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) matrix[y][x] = rank * 100 + y * 10 + x;
  MPI_Neighbor_alltoallw(matrix, counts, out, types, matrix, counts, in, types, comm);
#ifdef MPICH_VERSION
  if (size <= 2) behind = before = -1;
#endif
  for (int y = 0; y < height; ++y) {
    if (before < 0) continue;
    CHECK(matrix[y][0] == before * 100 + y * 10 + 4);
    CHECK(matrix[y][5] == behind * 100 + y * 10 + 1);
    CHECK(matrix[y][1] == rank * 100 + y * 10 + 1 && matrix[y][3] == rank * 100 + y * 10 + 3);
  }
  MPI_Type_free(&column);
  MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
  int all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int dimensions = 1; dimensions <= 4; ++dimensions)
    for (int periodic = 0; periodic < 2; ++periodic) on_grid(dimensions, periodic);
  on_graph();
  on_distributed_graph();
  with_gaps();
  MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && all == 0) printf("passed\n");
  MPI_Finalize();
  return all != 0;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Nonblocking collectives of neighbours, all under way at once, give what the blocking ones give: on
 * grids whose ranks are their own neighbours or twice those of others, and graphs with edges that
 * several ranks have several times.
 */
#include "check.h"

enum { most = 16, kinds = 5 };

static int rank, size;

/* The results of all kinds: so many numbers of each neighbour. */
struct results {
  int numbers[kinds][most * 2];
};

static void clear(struct results* all) {
  int kind, i;
  for (kind = 0; kind < kinds; ++kind)
    for (i = 0; i < most * 2; ++i) all->numbers[kind][i] = -1;
}

static void check_on(MPI_Comm comm, int in, int out, const char* name) {
  static struct results now, later;
  static int send[most * 2], counts[most], offsets[most], back[most];
  static MPI_Aint bytes[most], bytes_back[most];
  static MPI_Datatype types[most];
  MPI_Request requests[kinds];
  int i, kind, ends = in > out ? in : out;
  check_part(name);
  clear(&now);
  clear(&later);
  for (i = 0; i < most * 2; ++i) send[i] = 1000 * rank + i;
  for (i = 0; i < ends; ++i) {
    counts[i] = 2, types[i] = MPI_INT;
    offsets[i] = 2 * i, bytes[i] = (MPI_Aint)(2 * i * (int)sizeof(int));
    back[i] = 2 * (in - 1 - i), bytes_back[i] = (MPI_Aint)((in - 1 - i) * 2 * (int)sizeof(int));
  }
  MPI_Ineighbor_allgather(send, 1, MPI_INT, later.numbers[0], 1, MPI_INT, comm, &requests[0]);
  MPI_Ineighbor_allgatherv(send, 2, MPI_INT, later.numbers[1], counts, back, MPI_INT, comm,
                           &requests[1]);
  MPI_Ineighbor_alltoall(send, 1, MPI_INT, later.numbers[2], 1, MPI_INT, comm, &requests[2]);
  MPI_Ineighbor_alltoallv(send, counts, offsets, MPI_INT, later.numbers[3], counts, back, MPI_INT,
                          comm, &requests[3]);
  MPI_Ineighbor_alltoallw(send, counts, bytes, types, later.numbers[4], counts, bytes_back, types,
                          comm, &requests[4]);
  MPI_Neighbor_allgather(send, 1, MPI_INT, now.numbers[0], 1, MPI_INT, comm);
  MPI_Neighbor_allgatherv(send, 2, MPI_INT, now.numbers[1], counts, back, MPI_INT, comm);
  MPI_Neighbor_alltoall(send, 1, MPI_INT, now.numbers[2], 1, MPI_INT, comm);
  MPI_Neighbor_alltoallv(send, counts, offsets, MPI_INT, now.numbers[3], counts, back, MPI_INT, comm);
  MPI_Neighbor_alltoallw(send, counts, bytes, types, now.numbers[4], counts, bytes_back, types, comm);
  MPI_Waitall(kinds, requests, MPI_STATUSES_IGNORE);
  for (kind = 0; kind < kinds; ++kind)
    for (i = 0; i < most * 2; ++i) CHECK_EQ(later.numbers[kind][i], now.numbers[kind][i]);
}

static void check_grids(void) {
  MPI_Comm grid;
  int sizes[2], periodic[2];
  sizes[0] = size, sizes[1] = 1, periodic[0] = periodic[1] = 1;
  /* In the second dimension each rank is its own neighbour, in both directions. */
  MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periodic, 0, &grid);
  check_on(grid, 4, 4, "ring");
  MPI_Comm_free(&grid);
  periodic[0] = 0;
  MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periodic, 0, &grid);
  check_on(grid, 2, 2, "line");
  MPI_Comm_free(&grid);
}

/* Twice to the next rank, and once to itself between. */
static void check_graph(void) {
  MPI_Comm graph;
  int in[3], out[3];
  out[0] = out[2] = (rank + 1) % size, out[1] = rank;
  in[0] = rank, in[1] = in[2] = (rank + size - 1) % size;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 3, in, MPI_UNWEIGHTED, 3, out, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &graph);
  /* Of the order of equal edges MPI says nothing where a rank is its own next one. */
  if (size > 1) check_on(graph, 3, 3, "graph");
  MPI_Comm_free(&graph);
}

static void check_errors(void) {
  int out = 0, in = 0, error;
  MPI_Request request;
  check_part("errors");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Error_class(
      MPI_Ineighbor_allgather(&out, 1, MPI_INT, &in, 1, MPI_INT, MPI_COMM_WORLD, &request), &error);
  CHECK_EQ(error, MPI_ERR_TOPOLOGY);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check_grids();
  check_graph();
  check_errors();
  return check_finish();
}

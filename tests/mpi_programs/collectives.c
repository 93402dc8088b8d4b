// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocking collectives that move data; reductions are in reductions.c.
//
// Barrier, Bcast, Gather(v), Scatter(v), Allgather(v), Alltoall, Alltoallv, Alltoallw: on the world
// and on a part of it in reverse order, with each rank as the root, in place, with derived
// datatypes, with no data at all, with different types on both sides, short and long.
#include <mpi.h>
#include <stdlib.h>

#include "check.h"

enum { most = 9, longest = 20000 };

static int rank, size;  // in `comm`
static MPI_Comm comm;
static int in[most * longest], out[most * longest];

// Lengths that cross whatever borders an implementation has.
static const int lengths[] = {0, 1, 7, 300, 2000};
enum { how_many = 5 };

static int value(int of, int to, int i) { return of * 100000 + to * 10000 + i % 10000; }

static void clear(void) {
  for (int i = 0; i < most * 2048; ++i) in[i] = -1;
}

static int wrong_in(int place, int length, int of, int to) {
  int wrong = 0;
  for (int i = 0; i < length; ++i) wrong += in[place + i] != value(of, to, i);
  return wrong;
}

static void check_bcast(void) {
  for (int k = 0; k < how_many; ++k)
    for (int root = 0; root < size; ++root) {
      clear();
      if (rank == root)
        for (int i = 0; i < lengths[k]; ++i) in[i] = value(root, k, i);
      MPI_Bcast(in, lengths[k], MPI_INT, root, comm);
      CHECK_EQ(wrong_in(0, lengths[k], root, k), 0);
      CHECK_EQ(in[lengths[k]], -1);
    }
  // Long, and with other types at the root than elsewhere.
  MPI_Datatype pairs;
  MPI_Type_vector(longest / 2, 1, 2, MPI_INT, &pairs);
  MPI_Type_commit(&pairs);
  const int root = size - 1;
  for (int i = 0; i < longest; ++i) in[i] = rank == root ? value(root, 0, i) : -1;
  if (rank == root)
    MPI_Bcast(in, longest / 2, MPI_INT, root, comm);
  else
    MPI_Bcast(in, 1, pairs, root, comm);
  int wrong = 0;
  if (rank != root)
    for (int i = 0; i < longest; ++i) wrong += in[i] != (i % 2 ? -1 : value(root, 0, i / 2));
  CHECK_EQ(wrong, 0);
  MPI_Type_free(&pairs);
  MPI_Barrier(comm);
}

static void check_gather(void) {
  for (int k = 0; k < how_many; ++k)
    for (int root = 0; root < size; ++root) {
      const int length = lengths[k];
      clear();
      for (int i = 0; i < length; ++i) out[i] = value(rank, k, i);
      MPI_Gather(out, length, MPI_INT, in, length, MPI_INT, root, comm);
      if (rank == root)
        for (int of = 0; of < size; ++of) CHECK_EQ(wrong_in(of * length, length, of, k), 0);
      else
        CHECK_EQ(in[0], -1);
      // The root's own part is there already.
      if (rank == root) {
        for (int i = 0; i < size * length; ++i) in[i] = -1;
        for (int i = 0; i < length; ++i) in[root * length + i] = value(rank, k, i);
      }
      if (rank == root)
        MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, length, MPI_INT, root, comm);
      else
        MPI_Gather(out, length, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, root, comm);
      if (rank == root)
        for (int of = 0; of < size; ++of) CHECK_EQ(wrong_in(of * length, length, of, k), 0);
    }
}

// Rank r's part has r + 1 values, with one unused place before it, in reverse order. (With one
// rank, MPICH 4.0.2's Allgatherv ignores the place.)
static void parts(int* counts, int* places, int* total) {
  *total = 0;
  for (int r = size - 1; r >= 0; --r) {
    places[r] = *total + (size > 1);
    counts[r] = r == 1 ? 0 : r + 1;
    *total += counts[r] + 1;
  }
}

static void check_v(void) {
  int counts[most], places[most], total;
  parts(counts, places, &total);
  for (int root = 0; root < size; ++root) {
    clear();
    for (int i = 0; i < counts[rank]; ++i) out[i] = value(rank, root, i);
    MPI_Gatherv(out, counts[rank], MPI_INT, in, counts, places, MPI_INT, root, comm);
    if (rank == root)
      for (int of = 0; of < size; ++of) {
        CHECK_EQ(wrong_in(places[of], counts[of], of, root), 0);
        if (size > 1) CHECK_EQ(in[places[of] - 1], -1);
      }
    if (rank == root) {
      for (int i = 0; i < total; ++i) in[i] = -1;
      for (int i = 0; i < counts[root]; ++i) in[places[root] + i] = value(root, root, i);
      MPI_Gatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, counts, places, MPI_INT, root, comm);
      for (int of = 0; of < size; ++of) CHECK_EQ(wrong_in(places[of], counts[of], of, root), 0);
    } else {
      MPI_Gatherv(out, counts[rank], MPI_INT, NULL, NULL, NULL, MPI_DATATYPE_NULL, root, comm);
    }
    // And back again.
    clear();
    for (int i = 0; i < total; ++i) out[i] = -2;
    for (int to = 0; to < size; ++to)
      for (int i = 0; i < counts[to]; ++i) out[places[to] + i] = value(root, to, i);
    MPI_Scatterv(out, counts, places, MPI_INT, in, counts[rank], MPI_INT, root, comm);
    CHECK_EQ(wrong_in(0, counts[rank], root, rank), 0);
    CHECK_EQ(in[counts[rank]], -1);
    clear();
    if (rank == root) {
      MPI_Scatterv(out, counts, places, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, root, comm);
    } else {
      MPI_Scatterv(NULL, NULL, NULL, MPI_DATATYPE_NULL, in, counts[rank], MPI_INT, root, comm);
      CHECK_EQ(wrong_in(0, counts[rank], root, rank), 0);
    }
  }
  clear();
  for (int i = 0; i < counts[rank]; ++i) out[i] = value(rank, 3, i);
  MPI_Allgatherv(out, counts[rank], MPI_INT, in, counts, places, MPI_INT, comm);
  for (int of = 0; of < size; ++of) {
    CHECK_EQ(wrong_in(places[of], counts[of], of, 3), 0);
    if (size > 1) CHECK_EQ(in[places[of] - 1], -1);
  }
  clear();
  for (int i = 0; i < counts[rank]; ++i) in[places[rank] + i] = value(rank, 4, i);
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, counts, places, MPI_INT, comm);
  for (int of = 0; of < size; ++of) CHECK_EQ(wrong_in(places[of], counts[of], of, 4), 0);
}

static void check_scatter(void) {
  for (int k = 0; k < how_many; ++k)
    for (int root = 0; root < size; ++root) {
      const int length = lengths[k];
      clear();
      for (int to = 0; to < size; ++to)
        for (int i = 0; i < length; ++i)
          out[to * length + i] = rank == root ? value(root, to, i) : -3;
      MPI_Scatter(out, length, MPI_INT, in, length, MPI_INT, root, comm);
      CHECK_EQ(wrong_in(0, length, root, rank), 0);
      CHECK_EQ(in[length], -1);
      clear();
      if (rank == root) {
        MPI_Scatter(out, length, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, root, comm);
        CHECK_EQ(in[0], -1);
      } else {
        MPI_Scatter(NULL, 0, MPI_DATATYPE_NULL, in, length, MPI_INT, root, comm);
        CHECK_EQ(wrong_in(0, length, root, rank), 0);
      }
    }
}

static void check_allgather(void) {
  for (int k = 0; k < how_many; ++k) {
    const int length = lengths[k];
    clear();
    for (int i = 0; i < length; ++i) out[i] = value(rank, k, i);
    MPI_Allgather(out, length, MPI_INT, in, length, MPI_INT, comm);
    for (int of = 0; of < size; ++of) CHECK_EQ(wrong_in(of * length, length, of, k), 0);
    CHECK_EQ(in[size * length], -1);
    clear();
    for (int i = 0; i < length; ++i) in[rank * length + i] = value(rank, k, i);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, length, MPI_INT, comm);
    for (int of = 0; of < size; ++of) CHECK_EQ(wrong_in(of * length, length, of, k), 0);
  }
  // Each rank's values as a column of a matrix with a row for each value.
  MPI_Datatype column, narrow;
  MPI_Type_vector(10, 1, size, MPI_INT, &column);
  MPI_Type_create_resized(column, 0, sizeof(int), &narrow);
  MPI_Type_commit(&narrow);
  clear();
  for (int i = 0; i < 10; ++i) out[i] = value(rank, 0, i);
  MPI_Allgather(out, 10, MPI_INT, in, 1, narrow, comm);
  for (int i = 0; i < 10; ++i)
    for (int of = 0; of < size; ++of) CHECK_EQ(in[i * size + of], value(of, 0, i));
  CHECK_EQ(in[10 * size], -1);
  MPI_Type_free(&column);
  MPI_Type_free(&narrow);
}

static void check_alltoall(void) {
  for (int k = 0; k < how_many; ++k) {
    const int length = lengths[k];
    clear();
    for (int to = 0; to < size; ++to)
      for (int i = 0; i < length; ++i) out[to * length + i] = value(rank, to, i);
    MPI_Alltoall(out, length, MPI_INT, in, length, MPI_INT, comm);
    for (int of = 0; of < size; ++of) CHECK_EQ(wrong_in(of * length, length, of, rank), 0);
    CHECK_EQ(in[size * length], -1);
    for (int i = 0; i < size * length; ++i) in[i] = out[i];
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, length, MPI_INT, comm);
    for (int of = 0; of < size; ++of) CHECK_EQ(wrong_in(of * length, length, of, rank), 0);
  }
}

// From a to b go (a + 2 b) % 4 values.
static int between(int a, int b) { return (a + 2 * b) % 4; }

static void check_alltoallv(void) {
  int send_counts[most], send_places[most], receive_counts[most], receive_places[most],
      sent = 0, received = 0;
  for (int i = 0; i < size; ++i) {
    send_counts[i] = between(rank, i);
    send_places[i] = sent;
    sent += send_counts[i] + 2;
    receive_counts[i] = between(i, rank);
    receive_places[i] = received;
    received += receive_counts[i] + 1;
  }
  clear();
  for (int to = 0; to < size; ++to)
    for (int i = 0; i < send_counts[to]; ++i) out[send_places[to] + i] = value(rank, to, i);
  MPI_Alltoallv(out, send_counts, send_places, MPI_INT, in, receive_counts, receive_places, MPI_INT,
                comm);
  for (int of = 0; of < size; ++of) {
    CHECK_EQ(wrong_in(receive_places[of], receive_counts[of], of, rank), 0);
    CHECK_EQ(in[receive_places[of] + receive_counts[of]], -1);
  }
  // In place, as much goes to a rank as comes from it.
  for (int i = 0; i < size; ++i) receive_counts[i] = 1 + (rank + i) % 3, receive_places[i] = 4 * i;
  clear();
  for (int to = 0; to < size; ++to)
    for (int i = 0; i < receive_counts[to]; ++i) in[receive_places[to] + i] = value(rank, to, i);
  MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, in, receive_counts, receive_places,
                MPI_INT, comm);
  for (int of = 0; of < size; ++of)
    CHECK_EQ(wrong_in(receive_places[of], receive_counts[of], of, rank), 0);
}

// Even ranks send plain values, odd ones each second value; places are in bytes.
static void check_alltoallw(void) {
  int send_counts[most], send_places[most], receive_counts[most], receive_places[most];
  MPI_Datatype second, send_types[most], receive_types[most];
  MPI_Type_vector(3, 1, 2, MPI_INT, &second);
  MPI_Type_commit(&second);
  for (int i = 0; i < size; ++i) {
    send_types[i] = rank % 2 ? second : MPI_INT;
    send_counts[i] = rank % 2 ? 1 : 3;
    send_places[i] = 6 * i * (int)sizeof(int);
    receive_types[i] = i % 3 == 2 ? second : MPI_INT;
    receive_counts[i] = i % 3 == 2 ? 1 : 3;
    receive_places[i] = (6 * i + 1) * (int)sizeof(int);
    for (int k = 0; k < 3; ++k) out[6 * i + (rank % 2 ? 2 * k : k)] = value(rank, i, k);
  }
  clear();
  MPI_Alltoallw(out, send_counts, send_places, send_types, in, receive_counts, receive_places,
                receive_types, comm);
  for (int of = 0; of < size; ++of)
    for (int k = 0; k < 3; ++k)
      CHECK_EQ(in[6 * of + 1 + (of % 3 == 2 ? 2 * k : k)], value(of, rank, k));
  CHECK_EQ(in[0], -1);
  MPI_Type_free(&second);
}

// Barriers between messages whose receives begin after them.
static void check_barrier(void) {
  for (int round = 0; round < 50; ++round) {
    int token = -1;
    MPI_Request requests[most];
    const int speaks = rank == round % size;
    for (int to = 0; to < size; ++to) {
      requests[to] = MPI_REQUEST_NULL;
      if (speaks && to != rank) MPI_Isend(&round, 1, MPI_INT, to, 9, comm, &requests[to]);
    }
    MPI_Barrier(comm);
    if (!speaks) {
      MPI_Recv(&token, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
      CHECK_EQ(token, round);
    }
    MPI_Barrier(comm);
    MPI_Waitall(size, requests, MPI_STATUSES_IGNORE);
  }
}

static void check_on(const char* name) {
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  check_part(name);
  check_barrier();
  check_bcast();
  check_gather();
  check_v();
  check_scatter();
  check_allgather();
  check_alltoall();
  check_alltoallv();
  check_alltoallw();
}

int main(int argc, char** argv) {
  int world_rank, world_size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  comm = MPI_COMM_WORLD;
  check_on("world");
  MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, world_size - world_rank, &comm);
  check_on("halves in reverse");
  MPI_Comm_free(&comm);
  comm = MPI_COMM_SELF;
  check_on("self");
  return check_finish();
}

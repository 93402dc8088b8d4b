// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each nonblocking collective beside the blocking call with the same result: of lengths from nothing
// on, with each root, in place, in communicators of all ranks, of some in reverse order, and of one.
// Kanor's reductions have the same bits.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

// What all tests need: a communicator, and arrays of each rank's numbers of elements.
typedef struct {
  MPI_Comm comm;
  int rank, size;
  int count;              // elements of each rank, where all have as many
  int *counts, *offsets;  // rank i has (i + 1) * count, with a gap behind
  size_t room;            // elements of all ranks, with gaps
} Team;

static Team team_of(MPI_Comm comm, int count) {
  Team team;
  team.comm = comm;
  MPI_Comm_rank(comm, &team.rank);
  MPI_Comm_size(comm, &team.size);
  team.count = count;
  team.counts = malloc((size_t)team.size * sizeof(int));
  team.offsets = malloc((size_t)team.size * sizeof(int));
  team.room = 0;
  for (int i = 0; i < team.size; ++i) {
    team.counts[i] = (i + 1) * count;
    team.offsets[i] = (int)team.room;
    team.room += (size_t)(team.counts[i] + 2);
  }
  return team;
}

static void end(Team* team) {
  free(team->counts);
  free(team->offsets);
}

static int* numbers(size_t count, int seed) {
  int* const all = malloc((count + 1) * sizeof(int));
  for (size_t i = 0; i <= count; ++i) all[i] = (int)((seed + 1) * 1000003u + i * 97u);
  return all;
}

static int same(const int* a, const int* b, size_t count) { return memcmp(a, b, count * sizeof(int)) == 0; }

static void complete(MPI_Request* request) {
  MPI_Wait(request, MPI_STATUS_IGNORE);
  CHECK(*request == MPI_REQUEST_NULL);
}

static void broadcast_and_barrier(const Team* team) {
  MPI_Request requests[3];
  for (int root = 0; root < team->size; ++root) {
    int* const a = numbers((size_t)team->count, team->rank == root ? root : -5);
    int* const b = numbers((size_t)team->count, root);
    b[team->count] = a[team->count];
    MPI_Ibarrier(team->comm, &requests[0]);
    MPI_Ibcast(a, team->count, MPI_INT, root, team->comm, &requests[1]);
    MPI_Ibarrier(team->comm, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    CHECK(same(a, b, (size_t)team->count + 1));
    free(a);
    free(b);
  }
}

static void gathers(const Team* team, int root, int in_place) {
  MPI_Request requests[2];
  const size_t all = (size_t)team->size * (size_t)team->count;
  const int here = in_place && team->rank == root;
  int *a = numbers(all, 100), *b = numbers(all, 100), *c = numbers(team->room, 100),
      *d = numbers(team->room, 100);
  int* const own = numbers((size_t)team->counts[team->rank], team->rank);
  if (here) {
    memcpy(a + team->rank * team->count, own, (size_t)team->count * sizeof *own);
    memcpy(c + team->offsets[team->rank], own, (size_t)team->counts[team->rank] * sizeof *own);
  }
  MPI_Igather(here ? MPI_IN_PLACE : own, team->count, MPI_INT, a, team->count, MPI_INT, root, team->comm,
              &requests[0]);
  MPI_Igatherv(here ? MPI_IN_PLACE : own, team->counts[team->rank], MPI_INT, c, team->counts, team->offsets,
               MPI_INT, root, team->comm, &requests[1]);
  MPI_Gather(own, team->count, MPI_INT, b, team->count, MPI_INT, root, team->comm);
  MPI_Gatherv(own, team->counts[team->rank], MPI_INT, d, team->counts, team->offsets, MPI_INT, root,
              team->comm);
  complete(&requests[1]);
  complete(&requests[0]);
  CHECK(same(a, b, all));
  CHECK(same(c, d, team->room));
  free(a), free(b), free(c), free(d), free(own);
}

static void scatters(const Team* team, int root, int in_place) {
  MPI_Request requests[2];
  const size_t all = (size_t)team->size * (size_t)team->count;
  const int stays = in_place && team->rank == root;
  const int own = team->counts[team->rank];
  int *from = numbers(all, root), *gaps = numbers(team->room, root);
  int *a = numbers((size_t)own, 100), *b = numbers((size_t)own, 100), *c = numbers((size_t)own, 100),
      *d = numbers((size_t)own, 100);
  MPI_Iscatterv(gaps, team->counts, team->offsets, MPI_INT, stays ? MPI_IN_PLACE : c, own, MPI_INT, root,
                team->comm, &requests[1]);
  MPI_Iscatter(from, team->count, MPI_INT, stays ? MPI_IN_PLACE : a, team->count, MPI_INT, root, team->comm,
               &requests[0]);
  MPI_Scatter(from, team->count, MPI_INT, stays ? MPI_IN_PLACE : b, team->count, MPI_INT, root, team->comm);
  MPI_Scatterv(gaps, team->counts, team->offsets, MPI_INT, stays ? MPI_IN_PLACE : d, own, MPI_INT, root,
               team->comm);
  complete(&requests[0]);
  complete(&requests[1]);
  CHECK(same(a, b, (size_t)own + 1));
  CHECK(same(c, d, (size_t)own + 1));
  free(from), free(gaps), free(a), free(b), free(c), free(d);
}

static void all_gathers(const Team* team, int in_place) {
  MPI_Request requests[2];
  const size_t all = (size_t)team->size * (size_t)team->count;
  int *a = numbers(all, 100), *b = numbers(all, 100), *c = numbers(team->room, 100),
      *d = numbers(team->room, 100);
  int* const own = numbers((size_t)team->counts[team->rank], team->rank);
  if (in_place) {
    memcpy(a + team->rank * team->count, own, (size_t)team->count * sizeof *own);
    memcpy(c + team->offsets[team->rank], own, (size_t)team->counts[team->rank] * sizeof *own);
  }
  MPI_Iallgather(in_place ? MPI_IN_PLACE : own, team->count, MPI_INT, a, team->count, MPI_INT, team->comm,
                 &requests[0]);
  MPI_Iallgatherv(in_place ? MPI_IN_PLACE : own, team->counts[team->rank], MPI_INT, c, team->counts,
                  team->offsets, MPI_INT, team->comm, &requests[1]);
  MPI_Allgather(own, team->count, MPI_INT, b, team->count, MPI_INT, team->comm);
  MPI_Allgatherv(own, team->counts[team->rank], MPI_INT, d, team->counts, team->offsets, MPI_INT, team->comm);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK(same(a, b, all));
  CHECK(same(c, d, team->room));
  free(a), free(b), free(c), free(d), free(own);
}

// Rank i sends (i + j + 1) * count elements to rank j, so both directions have as many.
static void all_to_alls(const Team* team, int in_place) {
  MPI_Request requests[3];
  const size_t n = (size_t)team->size, all = n * (size_t)team->count;
  int *counts = malloc(n * sizeof(int)), *offsets = malloc(n * sizeof(int)), *bytes = malloc(n * sizeof(int));
  MPI_Datatype* const types = malloc(n * sizeof *types);
  size_t room = 0;
  for (int i = 0; i < team->size; ++i) {
    counts[i] = (i + team->rank + 1) * team->count;
    offsets[i] = (int)room;
    bytes[i] = (int)(room * sizeof(int));
    types[i] = MPI_INT;
    room += (size_t)counts[i] + 1;
  }
  int *from = numbers(all, team->rank), *wide = numbers(room, team->rank);
  const int seed = in_place ? team->rank : 100;
  int *a = numbers(all, seed), *b = numbers(all, seed);
  int *c = numbers(room, seed), *d = numbers(room, seed), *e = numbers(room, seed);
  MPI_Ialltoall(in_place ? MPI_IN_PLACE : from, team->count, MPI_INT, a, team->count, MPI_INT, team->comm,
                &requests[0]);
  MPI_Ialltoallv(in_place ? MPI_IN_PLACE : wide, counts, offsets, MPI_INT, c, counts, offsets, MPI_INT,
                 team->comm, &requests[1]);
  MPI_Ialltoallw(in_place ? MPI_IN_PLACE : wide, counts, bytes, types, e, counts, bytes, types, team->comm,
                 &requests[2]);
  MPI_Alltoall(from, team->count, MPI_INT, b, team->count, MPI_INT, team->comm);
  MPI_Alltoallv(wide, counts, offsets, MPI_INT, d, counts, offsets, MPI_INT, team->comm);
  complete(&requests[2]);
  complete(&requests[1]);
  complete(&requests[0]);
  CHECK(same(a, b, all));
  CHECK(same(c, d, room));
  CHECK(same(e, d, room));
  free(counts), free(offsets), free(bytes), free(types), free(from), free(wide);
  free(a), free(b), free(c), free(d), free(e);
}

// Keeps the digits of both sides in order, so it does not commute: x * 2^(digits of y) + y.
typedef struct {
  unsigned digits, bits;
} Chain;

static void append(void* in, void* inout, int* count, MPI_Datatype* type) {
  const Chain* const left = in;
  Chain* const right = inout;
  (void)type;
  for (int i = 0; i < *count; ++i) {
    right[i].bits |= left[i].bits << right[i].digits;
    right[i].digits += left[i].digits;
  }
}

static Chain* chains(size_t count, int rank) {
  Chain* const all = malloc((count + 1) * sizeof *all);
  for (size_t i = 0; i <= count; ++i) {
    all[i].digits = 3;
    all[i].bits = (unsigned)((size_t)rank * 5 + i) % 8;
  }
  return all;
}

typedef struct {
  MPI_Datatype type;
  MPI_Op op;
  size_t bytes;  // of an element
  int exact;     // any bracketing has the same result
} Folding;

static void* terms(const Folding* how, size_t count, int rank) {
  if (how->bytes == sizeof(Chain) && how->type != MPI_DOUBLE) return chains(count, rank);
  double* const all = malloc((count + 1) * sizeof *all);
  for (size_t i = 0; i <= count; ++i)
    all[i] = 1.0 / (double)(1 + rank * 7 + (int)(i % 1000)) * (rank % 2 ? 1e9 : 1e-3);
  return all;
}

static void* copy_of(const void* data, size_t bytes) { return memcpy(malloc(bytes), data, bytes); }

// Compares bit for bit where that may be asked.
static int alike(const Folding* how, const void* a, const void* b, size_t count) {
#ifndef KANOR_MPI_H
  if (!how->exact) return 1;
#endif
  return memcmp(a, b, count * how->bytes) == 0;
}

static void reductions(const Team* team, const Folding* how, int in_place) {
  MPI_Request requests[4];
  const size_t count = (size_t)team->count, bytes = (count + 1) * how->bytes;
  const int root = team->size / 2, n = team->count;
  const int here = in_place && team->rank == root;
  void* const own = terms(how, count, team->rank);
  void *a = copy_of(own, bytes), *b = copy_of(own, bytes), *c = copy_of(own, bytes), *d = copy_of(own, bytes);
  void *e = copy_of(own, bytes), *f = copy_of(own, bytes), *g = copy_of(own, bytes), *h = copy_of(own, bytes);
  const void* const other = in_place ? MPI_IN_PLACE : own;
  MPI_Ireduce(here ? MPI_IN_PLACE : own, a, n, how->type, how->op, root, team->comm, &requests[0]);
  MPI_Iallreduce(other, c, n, how->type, how->op, team->comm, &requests[1]);
  MPI_Iscan(other, e, n, how->type, how->op, team->comm, &requests[2]);
  MPI_Iexscan(other, g, n, how->type, how->op, team->comm, &requests[3]);
  MPI_Reduce(own, b, n, how->type, how->op, root, team->comm);
  MPI_Allreduce(own, d, n, how->type, how->op, team->comm);
  MPI_Scan(own, f, n, how->type, how->op, team->comm);
  MPI_Exscan(own, h, n, how->type, how->op, team->comm);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  CHECK(team->rank != root || alike(how, a, b, count + 1));
  CHECK(alike(how, c, d, count + 1));
  CHECK(alike(how, e, f, count + 1));
  CHECK(alike(how, g, h, count + 1));
  free(own), free(a), free(b), free(c), free(d), free(e), free(f), free(g), free(h);
}

static void reduce_scatters(const Team* team, const Folding* how, int in_place) {
  MPI_Request requests[2];
  size_t all = 0, before = 0;
  const int me = team->rank;
  for (int i = 0; i < team->size; ++i) {
    if (i < me) before += (size_t)team->counts[i];
    all += (size_t)team->counts[i];
  }
  void *own = terms(how, all, me), *reduced = terms(how, all, me);
  void *a = copy_of(own, (all + 1) * how->bytes), *b = copy_of(own, (all + 1) * how->bytes);
  const void* const from = in_place ? MPI_IN_PLACE : own;
  MPI_Ireduce_scatter(from, a, team->counts, how->type, how->op, team->comm, &requests[0]);
  MPI_Ireduce_scatter_block(from, b, team->count, how->type, how->op, team->comm, &requests[1]);
  MPI_Allreduce(own, reduced, (int)all, how->type, how->op, team->comm);
  complete(&requests[0]);
  complete(&requests[1]);
  CHECK(alike(how, a, (char*)reduced + before * how->bytes, (size_t)team->counts[me]));
  CHECK(alike(how, b, (char*)reduced + (size_t)me * (size_t)team->count * how->bytes, (size_t)team->count));
  memcpy(a, own, all * how->bytes);
  MPI_Reduce_scatter(from, a, team->counts, how->type, how->op, team->comm);
  CHECK(alike(how, a, (char*)reduced + before * how->bytes, (size_t)team->counts[me]));
  free(own), free(reduced), free(a), free(b);
}

static void all_of(MPI_Comm comm, int count, MPI_Datatype chain, MPI_Op op) {
  const Folding foldings[] = {{MPI_DOUBLE, MPI_SUM, sizeof(double), 0},
                              {MPI_DOUBLE, MPI_MAX, sizeof(double), 1},
                              {chain, op, sizeof(Chain), 1}};
  Team team = team_of(comm, count);
  broadcast_and_barrier(&team);
  for (int in_place = 0; in_place < 2; ++in_place) {
    for (int root = 0; root < team.size; ++root) {
      gathers(&team, root, in_place);
      scatters(&team, root, in_place);
    }
    all_gathers(&team, in_place);
    all_to_alls(&team, in_place);
    for (int i = 0; i < 3; ++i) {
      reductions(&team, &foldings[i], in_place);
#ifndef KANOR_MPI_H
      // MPICH 4.0 copies long parts to where they overlap, with memcpy.
      if (in_place && count > 300) continue;
#endif
      reduce_scatters(&team, &foldings[i], in_place);
    }
  }
  end(&team);
}

int main(int argc, char** argv) {
  MPI_Comm backwards;
  MPI_Datatype chain;
  MPI_Op op;
  int rank;
  const int counts[] = {0, 1, 17, 300, 5000};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &backwards);
  MPI_Type_contiguous(2, MPI_UNSIGNED, &chain);
  MPI_Type_commit(&chain);
  MPI_Op_create(append, 0, &op);
  for (int i = 0; i < 5; ++i) {
    all_of(MPI_COMM_WORLD, counts[i], chain, op);
    all_of(backwards, counts[i], chain, op);
    all_of(MPI_COMM_SELF, counts[i], chain, op);
  }
  MPI_Op_free(&op);
  MPI_Type_free(&chain);
  MPI_Comm_free(&backwards);
  return check_finish();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nonblocking collectives: all of MPI 3.1's, completed in each way.
//
// Ibarrier, Ibcast, Igather(v), Iscatter(v), Iallgather(v), Ialltoall(v, w), Ireduce, Iallreduce,
// Iscan, Iexscan, Ireduce_scatter(_block); many at once, waited for in another order than they
// began in, tested in loops, between messages and blocking collectives, on several communicators,
// in place.
#include <mpi.h>
#include <stdlib.h>

#include "ring.h"

enum { most = 9, kinds = 17, length = 500 };

// Everything that one collective uses, until it ends.
struct work {
  MPI_Comm comm;
  int kind, root, rank, size;
  int in[most * length], out[most * length];
  int counts[most], places[most], bytes[most], counts_here[most];
  MPI_Datatype types[most];
};

static int value(int of, int to, int kind, int i) {
  return of * 1000000 + to * 100000 + kind * 1000 + i;
}

static void begin(struct work* w, MPI_Request* request) {
  const int k = w->kind, n = length, root = w->root;
  MPI_Comm_rank(w->comm, &w->rank);
  MPI_Comm_size(w->comm, &w->size);
  for (int i = 0; i < most * n; ++i) w->in[i] = -1;
  for (int to = 0; to < w->size; ++to) {
    w->counts[to] = n - to;
    w->counts_here[to] = n - w->rank;
    w->places[to] = to * n;
    w->bytes[to] = to * n * (int)sizeof(int);
    w->types[to] = MPI_INT;
    for (int i = 0; i < n; ++i) w->out[to * n + i] = value(w->rank, to, k, i);
  }
  int* in = w->in;
  int* out = w->out;
  const int mine = w->counts[w->rank];
  switch (k) {
    case 0: MPI_Ibarrier(w->comm, request); break;
    case 1: MPI_Ibcast(w->rank == root ? out : in, n, MPI_INT, root, w->comm, request); break;
    case 2: MPI_Igather(out, n, MPI_INT, in, n, MPI_INT, root, w->comm, request); break;
    case 3:
      MPI_Igatherv(out, mine, MPI_INT, in, w->counts, w->places, MPI_INT, root, w->comm, request);
      break;
    case 4: MPI_Iscatter(out, n, MPI_INT, in, n, MPI_INT, root, w->comm, request); break;
    case 5:
      MPI_Iscatterv(out, w->counts, w->places, MPI_INT, in, mine, MPI_INT, root, w->comm, request);
      break;
    case 6: MPI_Iallgather(out, n, MPI_INT, in, n, MPI_INT, w->comm, request); break;
    case 7:
      MPI_Iallgatherv(out, mine, MPI_INT, in, w->counts, w->places, MPI_INT, w->comm, request);
      break;
    case 8: MPI_Ialltoall(out, n, MPI_INT, in, n, MPI_INT, w->comm, request); break;
    case 9:
      MPI_Ialltoallv(out, w->counts, w->places, MPI_INT, in, w->counts_here, w->places, MPI_INT,
                     w->comm, request);
      break;
    case 10:
      MPI_Ialltoallw(out, w->counts, w->bytes, w->types, in, w->counts_here, w->bytes, w->types,
                     w->comm, request);
      break;
    case 11: MPI_Ireduce(out, in, n, MPI_INT, MPI_SUM, root, w->comm, request); break;
    case 12: MPI_Iallreduce(out, in, n, MPI_INT, MPI_SUM, w->comm, request); break;
    case 13: MPI_Iscan(out, in, n, MPI_INT, MPI_SUM, w->comm, request); break;
    case 14: MPI_Iexscan(out, in, n, MPI_INT, MPI_SUM, w->comm, request); break;
    case 15: MPI_Ireduce_scatter_block(out, in, n, MPI_INT, MPI_SUM, w->comm, request); break;
    case 16: MPI_Ireduce_scatter(out, in, w->counts, MPI_INT, MPI_SUM, w->comm, request); break;
  }
}

// That in + place holds so many values of one rank for one rank.
static void check_values(struct work* w, int place, int count, int of, int to) {
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += w->in[place + i] != value(of, to, w->kind, i);
  if (wrong) CHECK_EQ(w->kind * 1000000 + wrong, 0);
}

// That `in` holds the sums of the first ranks' values, which begin at `start` in what they gave.
static void check_sums(struct work* w, int ranks, int start, int count) {
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    const int at = start + i;
    int sum = 0;
    for (int r = 0; r < ranks; ++r) sum += value(r, at / length, w->kind, at % length);
    wrong += w->in[i] != sum;
  }
  if (wrong) CHECK_EQ(w->kind * 1000000 + wrong, 0);
}

static void check_end(struct work* w) {
  const int n = length, at_root = w->rank == w->root;
  int start = 0;
  for (int r = 0; r < w->rank; ++r) start += n - r;
  switch (w->kind) {
    case 1:
      if (!at_root) check_values(w, 0, n, w->root, 0);
      break;
    case 2:
      for (int of = 0; at_root && of < w->size; ++of) check_values(w, of * n, n, of, 0);
      break;
    case 3:
      for (int of = 0; at_root && of < w->size; ++of) check_values(w, of * n, n - of, of, 0);
      break;
    case 4: check_values(w, 0, n, w->root, w->rank); break;
    case 5:
      check_values(w, 0, n - w->rank, w->root, w->rank);
      CHECK_EQ(w->in[n - w->rank], -1);
      break;
    case 6:
      for (int of = 0; of < w->size; ++of) check_values(w, of * n, n, of, 0);
      break;
    case 7:
      for (int of = 0; of < w->size; ++of) check_values(w, of * n, n - of, of, 0);
      break;
    case 8:
      for (int of = 0; of < w->size; ++of) check_values(w, of * n, n, of, w->rank);
      break;
    case 9:
    case 10:
      for (int of = 0; of < w->size; ++of) {
        check_values(w, of * n, n - w->rank, of, w->rank);
        if (w->rank > 0) CHECK_EQ(w->in[of * n + n - w->rank], -1);
      }
      break;
    case 11:
      if (at_root) check_sums(w, w->size, 0, n);
      break;
    case 12: check_sums(w, w->size, 0, n); break;
    case 13: check_sums(w, w->rank + 1, 0, n); break;
    case 14:
      if (w->rank > 0) check_sums(w, w->rank, 0, n);
      break;
    case 15: check_sums(w, w->size, w->rank * n, n); break;
    case 16: check_sums(w, w->size, start, n - w->rank); break;
    default: break;
  }
}

static struct work works[kinds];

static void check_alone(MPI_Comm comm) {
  int ranks;
  MPI_Comm_size(comm, &ranks);
  for (int kind = 0; kind < kinds; ++kind)
    for (int root = 0; root < ranks; root += 3) {
      MPI_Request request = MPI_REQUEST_NULL;
      int flag = 0;
      works[0].comm = comm;
      works[0].kind = kind;
      works[0].root = root;
      begin(&works[0], &request);
      if (root % 2)
        while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
      else
        MPI_Wait(&request, MPI_STATUS_IGNORE);
      CHECK(request == MPI_REQUEST_NULL);
      check_end(&works[0]);
    }
}

// All kinds at once, on the communicators in turn, with messages and blocking collectives in
// between.
static void check_together(const MPI_Comm* comms, int how_many, int way) {
  MPI_Request requests[kinds + 2];
  int token = 900 + rank, got = -1, sum = -1, flag = 0, done;
  for (int kind = 0; kind < kinds; ++kind) {
    works[kind].comm = comms[kind % how_many];
    works[kind].kind = kind;
    works[kind].root = 0;
    begin(&works[kind], &requests[kind]);
    if (kind == 6) {
      MPI_Irecv(&got, 1, MPI_INT, left, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[kinds]);
      MPI_Isend(&token, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[kinds + 1]);
    }
    if (kind == 11) {
      MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      CHECK_EQ(sum, size * (size - 1) / 2);
    }
  }
  if (way == 0) {
    MPI_Waitall(kinds + 2, requests, MPI_STATUSES_IGNORE);
  } else if (way == 1) {
    for (int i = kinds + 1; i >= 0; --i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  } else if (way == 2) {
    while (!flag) MPI_Testall(kinds + 2, requests, &flag, MPI_STATUSES_IGNORE);
  } else if (way == 3) {
    for (int i = 0; i < kinds + 2; ++i) {
      MPI_Waitany(kinds + 2, requests, &done, MPI_STATUS_IGNORE);
      CHECK(done != MPI_UNDEFINED);
    }
  } else {
    int indices[kinds + 2], ended = 0;
    while (ended < kinds + 2) {
      MPI_Testsome(kinds + 2, requests, &done, indices, MPI_STATUSES_IGNORE);
      if (done == MPI_UNDEFINED) break;
      ended += done;
    }
    CHECK_EQ(ended, kinds + 2);
  }
  for (int i = 0; i < kinds + 2; ++i) CHECK(requests[i] == MPI_REQUEST_NULL);
  for (int kind = 0; kind < kinds; ++kind) check_end(&works[kind]);
  CHECK_EQ(got, 900 + left);
}

// A barrier that nobody waits in: it ends only once all ranks have come.
static void check_ibarrier(void) {
  MPI_Request request;
  int flag = 1, go = 0;
  if (rank == 0) {
    // The others cannot have seen its end before rank 0 comes.
    for (int i = 1; i < size; ++i)
      MPI_Recv(&flag, 1, MPI_INT, i, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
  } else {
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int i = 0; i < 100; ++i) {
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
      CHECK(!flag);
    }
    MPI_Send(&go, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  }
  for (flag = 0; !flag;) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
}

static void check_in_place(void) {
  int all[most], value = rank, sum[2] = {rank, 1};
  MPI_Request requests[3];
  for (int i = 0; i < most; ++i) all[i] = -1;
  all[rank] = 10 * rank;
  MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD, &requests[0]);
  MPI_Iallreduce(MPI_IN_PLACE, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
  MPI_Iscan(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &requests[2]);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < size; ++i) CHECK_EQ(all[i], 10 * i);
  CHECK_EQ(sum[0], size * (size - 1) / 2);
  CHECK_EQ(sum[1], size);
  CHECK_EQ(value, rank);
  // Many of the same kind at once.
  static int values[100], sums[100];
  static MPI_Request many[100];
  for (int i = 0; i < 100; ++i) {
    values[i] = rank + i;
    MPI_Iallreduce(&values[i], &sums[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &many[i]);
  }
  MPI_Waitall(100, many, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 100; ++i) CHECK_EQ(sums[i], size * (size - 1) / 2 + size * i);
}

int main(int argc, char** argv) {
  MPI_Comm comms[4];
  begin_ring(&argc, &argv);
  comms[0] = MPI_COMM_WORLD;
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &comms[2]);
  comms[3] = MPI_COMM_SELF;
  check_part("one at a time");
  check_alone(MPI_COMM_WORLD);
  check_alone(comms[2]);
  check_part("all together on the world");
  for (int way = 0; way < 5; ++way) check_together(comms, 1, way);
  check_part("all together on several communicators");
  for (int way = 0; way < 5; ++way) check_together(comms, 4, way);
  check_part("barrier");
  check_ibarrier();
  check_part("in place and many");
  check_in_place();
  MPI_Comm_free(&comms[1]);
  MPI_Comm_free(&comms[2]);
  return check_finish();
}

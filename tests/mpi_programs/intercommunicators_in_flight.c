/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Nonblocking collectives between two groups, and the blocking ones that came with them: the even ranks
 * and the odd ones. All are under way at once.
 */
#include "check.h"

enum { most_ranks = 16, most_requests = 32 };

static int rank, size, group, own, ranks, remote; /* the number in the group, its size, the other's */
static MPI_Comm between;
static MPI_Request requests[most_requests];
static int under_way;

static MPI_Request* next_request(void) {
  requests[under_way] = MPI_REQUEST_NULL;
  return &requests[under_way++];
}

static void finish(void) {
  MPI_Waitall(under_way, requests, MPI_STATUSES_IGNORE);
  under_way = 0;
}

/* The rank in MPI_COMM_WORLD of one of the other group. */
static int other(int number) { return 2 * number + 1 - group; }

/* What to name as the root, where it is the last rank of the group `side`. */
static int root_of(int side) {
  if (side != group) return remote - 1;
  return own == ranks - 1 ? MPI_ROOT : MPI_PROC_NULL;
}

static void check_rooted(int side) {
  static int text[3], all[most_ranks], listed[2 * most_ranks], parts[most_ranks];
  static int counts[most_ranks], offsets[most_ranks];
  int root = root_of(side), i, part = -1, sum = -1, mine = 100 + rank;
  static int twice[2];
  check_part(side ? "roots in the second group" : "roots in the first group");
  twice[0] = rank, twice[1] = -rank;
  for (i = 0; i < remote; ++i) {
    counts[i] = 2, offsets[i] = 2 * (remote - 1 - i);
    parts[i] = 1000 * rank + i, all[i] = -1, listed[2 * i] = listed[2 * i + 1] = -1;
  }
  for (i = 0; i < 3; ++i) text[i] = root == MPI_ROOT ? 7 * i + side : -1;
  MPI_Ibcast(text, 3, MPI_INT, root, between, next_request());
  MPI_Igather(&mine, 1, MPI_INT, all, 1, MPI_INT, root, between, next_request());
  MPI_Igatherv(twice, 2, MPI_INT, listed, counts, offsets, MPI_INT, root, between, next_request());
  MPI_Iscatter(parts, 1, MPI_INT, &part, 1, MPI_INT, root, between, next_request());
  MPI_Ireduce(&mine, &sum, 1, MPI_INT, MPI_SUM, root, between, next_request());
  finish();
  if (root == MPI_ROOT) {
    int expected = 0;
    for (i = 0; i < remote; ++i) {
      CHECK_EQ(all[i], 100 + other(i));
      CHECK_EQ(listed[2 * (remote - 1 - i)], other(i));
      CHECK_EQ(listed[2 * (remote - 1 - i) + 1], -other(i));
      expected += 100 + other(i);
    }
    CHECK_EQ(sum, expected);
  } else {
    CHECK_EQ(sum, -1);
  }
  if (side != group) {
    for (i = 0; i < 3; ++i) CHECK_EQ(text[i], 7 * i + side);
    CHECK_EQ(part, 1000 * other(remote - 1) + own);
  }
}

static void check_all(void) {
  static int all[most_ranks], listed[most_ranks], out[most_ranks], in[most_ranks];
  static int ones[most_ranks], offsets[most_ranks], bytes[most_ranks], in_w[most_ranks], blocking_w[most_ranks];
  static MPI_Datatype types[most_ranks];
  int i, sum = -1, mine = 10 + rank, expected = 0;
  check_part("all ranks");
  for (i = 0; i < remote; ++i) {
    ones[i] = 1, offsets[i] = remote - 1 - i, bytes[i] = 4 * offsets[i], types[i] = MPI_INT;
    out[i] = 100 * rank + i;
    all[i] = listed[i] = in[i] = in_w[i] = blocking_w[i] = -1;
    expected += 10 + other(i);
  }
  MPI_Ibarrier(between, next_request());
  MPI_Iallgather(&mine, 1, MPI_INT, all, 1, MPI_INT, between, next_request());
  MPI_Iallgatherv(&mine, 1, MPI_INT, listed, ones, offsets, MPI_INT, between, next_request());
  MPI_Ialltoall(out, 1, MPI_INT, in, 1, MPI_INT, between, next_request());
  MPI_Ialltoallw(out, ones, bytes, types, in_w, ones, bytes, types, between, next_request());
  MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, between, next_request());
  MPI_Alltoallw(out, ones, bytes, types, blocking_w, ones, bytes, types, between);
  finish();
  for (i = 0; i < remote; ++i) {
    CHECK_EQ(all[i], 10 + other(i));
    CHECK_EQ(listed[remote - 1 - i], 10 + other(i));
    CHECK_EQ(in[i], 100 * other(i) + own);
    /* Each puts the blocks for the others in the other order. */
    CHECK_EQ(in_w[remote - 1 - i], 100 * other(i) + ranks - 1 - own);
    CHECK_EQ(blocking_w[remote - 1 - i], 100 * other(i) + ranks - 1 - own);
  }
  CHECK_EQ(sum, expected);
}

/* Both groups contribute as many elements, of which the ranks of the smaller one keep more. */
static void check_reduce_scatter(void) {
  static double out[most_ranks * most_ranks], in[4][most_ranks];
  static int counts[most_ranks];
  int i, k, kind;
  check_part("reduce-scatter");
  for (i = 0; i < ranks * remote; ++i) out[i] = rank + 100. * i;
  for (i = 0; i < ranks; ++i) counts[i] = remote;
  MPI_Ireduce_scatter(out, in[0], counts, MPI_DOUBLE, MPI_SUM, between, next_request());
  MPI_Ireduce_scatter_block(out, in[1], remote, MPI_DOUBLE, MPI_SUM, between, next_request());
  MPI_Reduce_scatter(out, in[2], counts, MPI_DOUBLE, MPI_SUM, between);
  MPI_Reduce_scatter_block(out, in[3], remote, MPI_DOUBLE, MPI_SUM, between);
  finish();
  for (k = 0; k < remote; ++k) {
    double expected = 0;
    for (i = 0; i < remote; ++i) expected += other(i) + 100. * (own * remote + k);
    for (kind = 0; kind < 4; ++kind) CHECK_NUM(in[kind][k], expected);
  }
}

static void check_errors(void) {
  int in = 0, out = 0, error;
  MPI_Request request = MPI_REQUEST_NULL;
  check_part("errors");
  MPI_Comm_set_errhandler(between, MPI_ERRORS_RETURN);
  MPI_Error_class(MPI_Iscan(&out, &in, 1, MPI_INT, MPI_SUM, between, &request), &error);
  CHECK_EQ(error, MPI_ERR_COMM);
  MPI_Error_class(MPI_Ibcast(&in, 1, MPI_INT, remote, between, &request), &error);
  CHECK_EQ(error, MPI_ERR_ROOT);
  CHECK_EQ(request, MPI_REQUEST_NULL);
}

int main(int argc, char** argv) {
  MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > 1) {
    group = rank % 2;
    MPI_Comm_split(MPI_COMM_WORLD, group, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - group, 5, &between);
    MPI_Comm_rank(between, &own);
    MPI_Comm_size(between, &ranks);
    MPI_Comm_remote_size(between, &remote);
    check_rooted(0);
    check_rooted(1);
    check_all();
    check_reduce_scatter();
    check_errors();
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
  }
  return check_finish();
}

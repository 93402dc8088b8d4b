// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random delta messages among ordinary ones. The first argument is the seed, the second the number of rounds.
// All ranks draw the same plan, so each one knows without a message what it must receive.
#include <kanor/delta.h>
#include <kanor/opi.h>
#include <mpi.h>
#include <stdlib.h>

#include "ring.h"

enum { most_groups = 10, most_messages = 3 * most_groups, most_ranges = 60 };
enum { nothing_yet = 0x55, own = 0x77 };

typedef unsigned long long Random;

static int below(Random* state, int n) {
  *state = *state * 6364136223846793005ull + 1442695040888963407ull;
  return (int)((*state >> 33) % (Random)n);
}

static int one_in(Random* state, int n) { return below(state, n) == 0; }

static void shuffle(Random* state, int n, int list[]) {
  for (int i = 0; i < n; ++i) list[i] = i;
  for (int i = n - 1; i > 0; --i) {
    const int other = below(state, i + 1), kept = list[i];
    list[i] = list[other];
    list[other] = kept;
  }
}

enum { by_delta, by_send, by_isend, by_issend, by_give, by_start, send_kinds };
enum { in_delta_recv, in_recv, in_take, in_probed, in_irecv, in_started, in_mprobed, receive_kinds };

// What one rank sends to up to three, from one buffer.
typedef struct {
  int number, from, kind, element, elements, step;
  int messages, to[3], tag[3], comm[3];
  int ranges, starts[most_ranges], ends[most_ranges];  // in the order in which they are named
  int length;                                          // of the message, in bytes
  // On the sender.
  char* buffer;
  MPI_Request requests[3];
  int begun, named, ended, waited;
} Group;

typedef struct {
  int from, to, tag, comm, element, kind, step, room;
  const Group* group;  // that it gets
  // On the receiver.
  char *buffer, *expected;
  int bytes;  // of the buffer
  MPI_Request request;
  int waits;
} Receive;

static Group groups[most_groups];
static Receive receives[most_messages];
static int group_count, receive_count, upward;
static Random seed, mine;
static MPI_Comm comms[2];

static MPI_Datatype basic(int element) {
  return element == 1 ? MPI_CHAR : element == 4 ? MPI_INT : MPI_DOUBLE;
}

static char content(const Group* group, int byte) {
  return (char)(group->number * 29 + group->from * 5 + byte * 7 + (byte >> 8) * 3);
}

static void draw_group(Random* r, int number) {
  Group* const g = &groups[number % most_groups];
  memset(g, 0, sizeof *g);
  g->number = number;
  g->kind = one_in(r, 3) ? below(r, send_kinds) : by_delta;
  g->from = below(r, size);
  if (upward) g->from = below(r, size - 1);
  g->element = (int[]){1, 4, 8}[below(r, 3)];
  g->step = g->kind != by_give && one_in(r, 4) ? 2 : 1;
  const int longest = one_in(r, 5) ? 200000 : one_in(r, 2) ? 5000 : 300;
  g->elements = below(r, longest / g->element + 1);
  g->messages = g->kind == by_delta && one_in(r, 4) ? 1 + below(r, 3) : 1;
  for (int i = 0; i < g->messages; ++i) {
    g->to[i] = upward ? g->from + 1 + below(r, size - 1 - g->from) : below(r, size);
    g->tag[i] = below(r, 3);
    g->comm[i] = below(r, 2);
  }
  // The bytes fall into ranges, some of which are named.
  const int bytes = g->element * g->elements;
  g->length = bytes;
  if (g->kind != by_delta || bytes == 0) return;
  const int fine = one_in(r, 3) ? 1 : g->element, each = 1 + bytes / (1 + below(r, most_ranges - 2));
  const int all = one_in(r, 2);
  int end = 0;
  for (int start = 0; start < bytes && g->ranges < most_ranges; start = end) {
    end = start + fine * (1 + below(r, 2 * each) / fine);
    if (end > bytes || g->ranges == most_ranges - 1) end = bytes;
    if (!all && one_in(r, 3)) continue;
    g->starts[g->ranges] = start;
    g->ends[g->ranges++] = end;
  }
  if (g->step == 1 && g->ranges > 0) g->length = g->ends[g->ranges - 1];
  const int how = below(r, 3);
  int order[most_ranges], starts[most_ranges], ends[most_ranges];
  memcpy(starts, g->starts, sizeof starts);
  memcpy(ends, g->ends, sizeof ends);
  shuffle(r, g->ranges, order);
  for (int i = 0; i < g->ranges; ++i) {
    const int k = how == 0 ? i : how == 1 ? g->ranges - 1 - i : order[i];
    g->starts[i] = starts[k];
    g->ends[i] = ends[k];
  }
}

// The message that this receive gets: as many have been received before it as have been sent before that.
static void match(int number) {
  Receive* const receive = &receives[number];
  int before = 0;
  for (int i = 0; i < number; ++i)
    before += receives[i].from == receive->from && receives[i].to == receive->to &&
              receives[i].tag == receive->tag && receives[i].comm == receive->comm;
  for (int g = 0; g < group_count; ++g) {
    for (int i = 0; i < groups[g].messages; ++i) {
      if (groups[g].from != receive->from || groups[g].to[i] != receive->to) continue;
      if (groups[g].tag[i] != receive->tag || groups[g].comm[i] != receive->comm || before-- > 0) continue;
      receive->group = &groups[g];
      receive->element = groups[g].element;
      return;
    }
  }
  CHECK(receive->group != NULL);
}

static void draw_round(Random* r, int round) {
  upward = size > 1 && one_in(r, 2);
  group_count = 1 + below(r, most_groups);
  receive_count = 0;
  for (int g = 0; g < group_count; ++g) draw_group(r, round * most_groups + g);
  int order[most_messages], all = 0;
  Receive unordered[most_messages];
  for (int g = 0; g < group_count; ++g) {
    for (int i = 0; i < groups[g].messages; ++i) {
      Receive* const receive = &unordered[all++];
      memset(receive, 0, sizeof *receive);
      receive->from = groups[g].from;
      receive->to = groups[g].to[i];
      receive->tag = groups[g].tag[i];
      receive->comm = groups[g].comm[i];
    }
  }
  shuffle(r, all, order);
  for (int i = 0; i < all; ++i) receives[receive_count++] = unordered[order[i]];
  for (int i = 0; i < receive_count; ++i) {
    Receive* const receive = &receives[i];
    match(i);
    receive->kind = below(r, receive_kinds);
    receive->step = receive->kind != in_take && one_in(r, 4) ? 3 : 1;
    receive->room = receive->group->elements + below(r, 3) * below(r, 50);
    receive->request = MPI_REQUEST_NULL;
  }
}

// A datatype of this one and a gap.
static MPI_Datatype spread(int element, int step) {
  MPI_Datatype type;
  MPI_Type_create_resized(basic(element), 0, element * step, &type);
  MPI_Type_commit(&type);
  return type;
}

static void begin(Group* g) {
  const size_t bytes = (size_t)(g->element * g->elements * g->step);
  g->begun = 1;
  if (g->kind == by_give)
    OPI_Alloc(&g->buffer, bytes + 1);
  else
    g->buffer = malloc(bytes + 1);
  for (int i = 0; i < g->element * g->elements; ++i)
    g->buffer[i / g->element * g->step * g->element + i % g->element] =
        g->kind == by_delta ? 0 : content(g, i);
  MPI_Datatype type = spread(g->element, g->step);
  for (int i = 0; i < g->messages; ++i) {
    const int to = g->to[i], tag = g->tag[i], n = g->elements;
    const MPI_Comm comm = comms[g->comm[i]];
    MPI_Request* const request = &g->requests[i];
    *request = MPI_REQUEST_NULL;
    if (g->kind == by_delta)
      CHECK_EQ(Delta_send_begin(g->buffer, n, type, to, tag, comm, request), MPI_SUCCESS);
    if (g->kind == by_send) MPI_Send(g->buffer, n, type, to, tag, comm);
    if (g->kind == by_isend) MPI_Isend(g->buffer, n, type, to, tag, comm, request);
    if (g->kind == by_issend) MPI_Issend(g->buffer, n, type, to, tag, comm, request);
    if (g->kind == by_give) OPI_Give(&g->buffer, n, basic(g->element), to, tag, comm);
    if (g->kind == by_start) MPI_Send_init(g->buffer, n, type, to, tag, comm, request);
    if (g->kind == by_start) MPI_Start(request);
  }
  MPI_Type_free(&type);
}

static void compute(const Group* g, int start, int end) {
  for (int i = start; i < end; ++i)
    g->buffer[i / g->element * g->step * g->element + i % g->element] = content(g, i);
}

// The next step of a group that has begun. An Issend waits for others, and all of the kind do so at the end.
static void go_on(Group* g, int at_the_end) {
  if (g->kind == by_delta && !g->ended) {
    if (g->named < g->ranges) {
      const int start = g->starts[g->named], end = g->ends[g->named];
      compute(g, start, end);
      if (g->step == 1) CHECK_EQ(Delta_send_data(g->buffer + start, (size_t)(end - start)), MPI_SUCCESS);
      ++g->named;
      return;
    }
    // What has not been named may be written until here.
    if (g->step > 1 || g->ranges == 0) compute(g, 0, g->element * g->elements);
    g->ended = 1;
    if (one_in(&mine, 2)) {
      for (int i = 0; i < g->messages; ++i) Delta_send_end(&g->requests[i]);
      return;
    }
  }
  if (g->kind == by_issend && !at_the_end) return;
  const int ended_by_wait = g->kind != by_delta || one_in(&mine, 2);
  for (int i = 0; i < g->messages; ++i) {
    if (!ended_by_wait) {
      Delta_send_end(&g->requests[i]);
      MPI_Wait(&g->requests[i], MPI_STATUS_IGNORE);
    } else {
      CHECK_EQ(Delta_wait(&g->requests[i], MPI_STATUS_IGNORE), MPI_SUCCESS);
    }
    if (g->kind == by_start) MPI_Request_free(&g->requests[i]);
    CHECK(g->requests[i] == MPI_REQUEST_NULL);
  }
  if (g->buffer) memset(g->buffer, 0xee, (size_t)(g->element * g->elements * g->step));
  free(g->buffer);
  g->waited = 1;
}

static void expect(Receive* receive) {
  const Group* const g = receive->group;
  const size_t bytes = (size_t)(receive->element * receive->room * receive->step);
  receive->bytes = (int)bytes;
  receive->buffer = malloc(bytes + 1);
  receive->expected = malloc(bytes + 1);
  memset(receive->buffer, nothing_yet, bytes);
  memset(receive->expected, nothing_yet, bytes);
  const int all = g->kind != by_delta || g->step > 1 || g->ranges == 0;
  for (int r = 0; r < (all ? 1 : g->ranges); ++r) {
    const int end = all ? g->element * g->elements : g->ends[r];
    for (int i = all ? 0 : g->starts[r]; i < end; ++i)
      receive->expected[i / g->element * receive->step * g->element + i % g->element] = content(g, i);
  }
}

static void compare(const Receive* receive, int first, int end, const char* when) {
  if (memcmp(receive->buffer + first, receive->expected + first, (size_t)(end - first)) == 0) return;
  int at = first;
  while (receive->buffer[at] == receive->expected[at]) ++at;
  if (check_failed(__FILE__, __LINE__))
    fprintf(
        stderr,
        "seed %llu: group %d (kind %d, %d x %d, step %d), received by kind %d, step %d: byte %d of %d %s\n",
        seed, receive->group->number, receive->group->kind, receive->group->elements, receive->element,
        receive->group->step, receive->kind, receive->step, at, receive->bytes, when);
}

static void arrived(Receive* receive, const MPI_Status* status) {
  int bytes = -1;
  MPI_Get_count(status, MPI_BYTE, &bytes);
  if (bytes != receive->group->length || status->MPI_SOURCE != receive->from ||
      status->MPI_TAG != receive->tag)
    if (check_failed(__FILE__, __LINE__))
      fprintf(stderr,
              "seed %llu: group %d: %d bytes from rank %d with tag %d, not %d from rank %d with tag %d\n",
              seed, receive->group->number, bytes, status->MPI_SOURCE, status->MPI_TAG,
              receive->group->length, receive->from, receive->tag);
  compare(receive, 0, receive->bytes, "after the end");
  free(receive->buffer);
  free(receive->expected);
  receive->buffer = NULL;
}

// Posts a receive. Those that wait are complete then.
static void post(Receive* receive) {
  const MPI_Comm comm = comms[receive->comm];
  const int from = receive->from, tag = receive->tag, room = receive->room;
  MPI_Message message;
  MPI_Status status;
  expect(receive);
  char* const data = receive->buffer;
  MPI_Datatype type = spread(receive->element, receive->step);
  switch (receive->kind) {
    case in_delta_recv:
      CHECK_EQ(Delta_recv(data, room, type, from, tag, comm, &status), MPI_SUCCESS);
      break;
    case in_recv:
      MPI_Recv(data, room, type, from, tag, comm, &status);
      break;
    case in_probed:
      MPI_Probe(from, tag, comm, &status);
      CHECK_EQ(status.MPI_SOURCE, from);
      MPI_Recv(data, room, type, from, tag, comm, &status);
      break;
    case in_take: {
      char* taken = NULL;
      CHECK_EQ(OPI_Take(&taken, room, basic(receive->element), from, tag, comm, &status), MPI_SUCCESS);
      // What has not been sent is undefined.
      const Group* const g = receive->group;
      const int all = g->kind != by_delta || g->step > 1 || g->ranges == 0;
      if (all) memcpy(data, taken, (size_t)g->length);
      for (int r = 0; !all && r < g->ranges; ++r)
        memcpy(data + g->starts[r], taken + g->starts[r], (size_t)(g->ends[r] - g->starts[r]));
      OPI_Free(&taken);
      break;
    }
    case in_irecv:
      MPI_Irecv(data, room, type, from, tag, comm, &receive->request);
      break;
    case in_started:
      MPI_Recv_init(data, room, type, from, tag, comm, &receive->request);
      MPI_Start(&receive->request);
      break;
    default:
      MPI_Mprobe(from, tag, comm, &message, MPI_STATUS_IGNORE);
      MPI_Imrecv(data, room, type, &message, &receive->request);
  }
  MPI_Type_free(&type);
  if (receive->kind < in_irecv) arrived(receive, &status);
  receive->waits = below(&mine, 12);
}

static int posts_wait(const Receive* receive) {
  return receive->kind < in_irecv || receive->kind == in_mprobed;
}

// Waits for part of what is to come, or for the end.
static void wait_for(Receive* receive) {
  MPI_Status status;
  if (receive->waits-- > 0 && receive->bytes > 0) {
    const int first = below(&mine, receive->bytes);
    const int end =
        first + 1 + below(&mine, one_in(&mine, 2) ? 16 : receive->bytes) % (receive->bytes - first);
    CHECK_EQ(Delta_wait_data(receive->buffer + first, (size_t)(end - first)), MPI_SUCCESS);
    compare(receive, first, end, "after Delta_wait_data");
    if (receive->step == 1 && one_in(&mine, 3)) {
      memset(receive->buffer + first, own, (size_t)(end - first));
      memset(receive->expected + first, own, (size_t)(end - first));
    }
    return;
  }
  if (one_in(&mine, 2))
    CHECK_EQ(Delta_wait(&receive->request, &status), MPI_SUCCESS);
  else
    MPI_Wait(&receive->request, &status);
  if (receive->kind == in_started) MPI_Request_free(&receive->request);
  CHECK(receive->request == MPI_REQUEST_NULL);
  arrived(receive, &status);
}

// Makes this rank's calls of a round in one of many orders. Sends never wait. If all messages go to higher
// ranks, a receive may wait at any time; otherwise only after the sends.
static void play(void) {
  int next_group = 0, next_receive = 0;
  for (;;) {
    int can[2 + most_groups + most_messages], choices = 0, sending = 0;
    while (next_group < group_count && groups[next_group].from != rank) ++next_group;
    while (next_receive < receive_count && receives[next_receive].to != rank) ++next_receive;
    if (next_group < group_count) can[choices++] = -1;
    for (int g = 0; g < group_count; ++g)
      if (groups[g].begun && !groups[g].waited && groups[g].kind != by_issend) can[choices++] = g;
    sending = choices;
    if (next_receive < receive_count && (upward || !sending || !posts_wait(&receives[next_receive])))
      can[choices++] = -2;
    for (int i = 0; i < next_receive; ++i)
      if (receives[i].buffer && (upward || !sending)) can[choices++] = most_groups + i;
    if (choices == 0) break;
    const int chosen = can[below(&mine, choices)];
    if (chosen == -1)
      begin(&groups[next_group++]);
    else if (chosen == -2)
      post(&receives[next_receive++]);
    else if (chosen < most_groups)
      go_on(&groups[chosen], 0);
    else
      wait_for(&receives[chosen - most_groups]);
    if (one_in(&mine, 100)) {
      // The rank computes for a while.
      volatile double sum = 0;
      for (int i = 0; i < 30000; ++i) sum = sum + i;
    }
  }
  for (int g = 0; g < group_count; ++g)
    if (groups[g].begun && !groups[g].waited) go_on(&groups[g], 1);
}

int main(int argc, char** argv) {
  begin_ring(&argc, &argv);
  seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  const int rounds = argc > 2 ? atoi(argv[2]) : 12;
  Random all = seed * 2654435761u + 12345;
  comms[0] = MPI_COMM_WORLD;
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  mine = all * 31 + (Random)rank;
  for (int i = 0; i < 5; ++i) below(&all, 2), below(&mine, 2);
  for (int round = 0; round < rounds; ++round) {
    draw_round(&all, round);
    play();
  }
  MPI_Comm_free(&comms[1]);
  int failures = 0;
  MPI_Allreduce(&check_failures, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (failures > 0 && rank == 0) printf("failed with seed %llu\n", seed);
  MPI_Finalize();
  return failures > 0;
}

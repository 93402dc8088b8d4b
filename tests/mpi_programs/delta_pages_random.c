// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random delta sends and receives. All ranks draw the same plan, so each one knows what it must get.
// Arguments: seed, rounds. The results are the same with every KANOR_DELTA, KANOR_CHECK and KANOR_DISABLE.
#include <kanor/delta.h>
#include <stdint.h>
#include <stdlib.h>

#include "ring.h"

enum { most = 5, pool_bytes = 4 << 20, page = 4096 };
enum { whole, part, sparse_part };                                    // which elements the sender writes
enum { forward, backward, scattered, halves, at_once, copied, set };  // in which order
enum { by_delta, by_send, by_isend, by_named };
enum { delta_recv, delta_recv_status, plain_recv, irecv_wait, irecv_parts, probed };
enum { use_forward, use_backward, use_random, use_sparse, use_not, use_written, use_copied, uses };
enum { from_malloc, from_calloc, from_aligned, from_static, from_static_pages, from_stack, places };

typedef struct {
  char *block, *data;
  size_t front, bytes, back;
  int place, guard;  // guard: which pattern stands around the elements
  uint64_t key;
} Buffer;

typedef struct {
  int from, to, type, count, room, send, which, order, receive, use, send_place, receive_place, same, any;
  uint64_t key;
  Buffer out, in;
  MPI_Request sending, receiving;
} Message;

static char pool[pool_bytes], pool_pages[pool_bytes] __attribute__((aligned(4096)));
static char* stack_pool;
static size_t used[places];
static uint64_t state, seed_now;
static int round_now;
static const int size_of[3] = {1, 4, 8};
static const MPI_Datatype datatype[3] = {MPI_CHAR, MPI_INT, MPI_DOUBLE};

static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
static int draw(int n) { return (int)(mix(state += 0x9e3779b97f4a7c15u) % (uint64_t)n); }
static int of(uint64_t key, int n, int which) { return (int)(mix(key * 31 + (uint64_t)which) % (uint64_t)n); }
static int one_in(int n) { return draw(n) == 0; }

// Element i of a type, as bytes. An old one is what the memory has before the message.
static void element(uint64_t key, int type, size_t i, char* to) {
  const uint64_t h = mix(key + i * 0x9e3779b97f4a7c15u);
  const int whole_number = (int)h;
  const double number = (double)(h % 1000003) * 0.5;
  if (type == 0) *to = (char)h;
  else if (type == 1) memcpy(to, &whole_number, 4);
  else memcpy(to, &number, 8);
}
static void old_element(const Buffer* b, int type, size_t i, char* to) {
  if (b->place == from_calloc) memset(to, 0, 8);
  else element(~b->key, type, i, to);
}

// Blocks with bytes around the elements, which must keep their values.
static char around(const Buffer* b, size_t i) { return (char)mix(b->key * 7 + (uint64_t)b->guard + i * 131); }
static void write_around(Buffer* b) {
  ++b->guard;
  for (size_t i = 0; i < b->front; ++i) b->block[i] = around(b, i);
  for (size_t i = 0; i < b->back; ++i) b->data[b->bytes + i] = around(b, i + 99);
}
static void check_around(const Buffer* b) {
  int bad = 0;
  for (size_t i = 0; i < b->front; ++i) bad += b->block[i] != around(b, i);
  for (size_t i = 0; i < b->back; ++i) bad += b->data[b->bytes + i] != around(b, i + 99);
  CHECK_EQ(bad, 0);
}

static void begin_buffer(Buffer* b, int place, uint64_t key, int type, int count) {
  static const size_t fronts[6] = {0, 0, 8, 2048, 4096, 5000}, backs[6] = {0, 0, 1, 72, 4096, 6001};
  b->bytes = (size_t)count * (size_t)size_of[type];
  b->front = fronts[of(key, 6, 1)], b->back = backs[of(key, 6, 2)];
  b->place = place, b->key = key, b->guard = 0;
  const size_t all = b->front + b->bytes + b->back, rounded = (all + page - 1) / page * page;
  char* const base[places] = {
      [from_static] = pool, [from_static_pages] = pool_pages, [from_stack] = stack_pool};
  if (place == from_calloc) b->block = calloc(1, all + 1);
  else if (place == from_aligned) b->block = aligned_alloc(page, rounded + page);
  else if (base[place] && used[place] + rounded < pool_bytes / 4) {
    b->block = base[place] + used[place];
    used[place] += place == from_static_pages ? rounded : (all + 7) / 8 * 8;
  } else b->place = from_malloc, b->block = malloc(all + 1);
  b->data = b->block + b->front;
  write_around(b);
  for (int i = 0; i < count && place != from_calloc; ++i)
    old_element(b, type, (size_t)i, b->data + (size_t)i * (size_t)size_of[type]);
}
static void end_buffer(Buffer* b) {
  check_around(b);
  if (b->place != from_malloc && b->place != from_calloc && b->place != from_aligned) return;
  memset(b->block, 0x5a, b->front + b->bytes + b->back);
  free(b->block);
  const size_t bytes = b->front + b->bytes + b->back;
  char* const next = malloc(bytes + 1);  // the same memory, most likely
  memset(next, 0x33, bytes + 1);
  CHECK(next[0] == 0x33 && next[bytes] == 0x33 && next[bytes / 2] == 0x33);
  free(next);
}

static int writes(const Message* m, int i) {
  if (m->which == whole || m->order >= at_once || m->send != by_delta) return 1;
  if (m->which == part) return i >= m->count / 5 && i < m->count - m->count / 3;
  return i % (2 + of(m->key, 900, 3)) == 0;
}
static void sent(const Message* m, int i, char* to) {
  if (m->order == set) memset(to, of(m->key, 256, 4), 8);
  else element(m->key, m->type, (size_t)i, to);
}
// The element that the receiver gets, from the plan alone.
static void expected(const Message* m, int i, char* to) {
  const Message* const origin = m->same ? m - 1 : m;
  const Buffer before = {.key = origin->key * 2, .place = origin->send_place};
  if (i >= m->count) old_element(&m->in, m->type, (size_t)i, to);
  else if (writes(origin, i)) sent(origin, i, to);
  else old_element(&before, m->type, (size_t)i, to);
}

static void call_mpi(int which) {
  int number, flag;
  if (which == 0) CHECK(MPI_Wtime() > 0);
  else if (which == 1) MPI_Comm_rank(MPI_COMM_WORLD, &number), CHECK_EQ(number, rank);
  else if (which == 2) {
    MPI_Iprobe(MPI_ANY_SOURCE, 32000, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    CHECK(!flag);
  }
}
static void collective(int which) {
  int one = rank + 1, sum = 0;
  if (which == 0) MPI_Barrier(MPI_COMM_WORLD);
  if (which != 1) return;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK_EQ(sum, size * (size + 1) / 2);
}

// Writes elements `from` to `to` in the message's order (of all: i-th in that order).
static void write_elements(Message* m, int from, int to) {
  const int n = m->count, stride = 7919, bytes = size_of[m->type];
  char value[8];
  for (int k = from; k < to; ++k) {
    int i = k;
    if (m->order == backward) i = n - 1 - k;
    if (m->order == scattered && n % stride) i = (int)((long)(k + n / 2) * stride % n);
    if (m->order == halves) i = (k + n / 2) % n;
    if (!writes(m, i)) continue;
    sent(m, i, value);
    if (bytes == 1) m->out.data[i] = value[0];
    else if (bytes == 4) memcpy(&((int*)(void*)m->out.data)[i], value, 4);
    else memcpy(&((double*)(void*)m->out.data)[i], value, 8);
  }
}
static void write_all(Message* m) {
  if (m->order == set) memset(m->out.data, of(m->key, 256, 4), m->out.bytes);
  else if (m->order >= at_once) {
    char* const copy = malloc(m->out.bytes + 8);
    for (int i = 0; i < m->count; ++i) sent(m, i, copy + (size_t)i * (size_t)size_of[m->type]);
    if (m->order == copied) memmove(m->out.data, copy, m->out.bytes);
    else for (size_t at = 0; at < m->out.bytes; at += 1500)
      memcpy(m->out.data + at, copy + at, m->out.bytes - at < 1500 ? m->out.bytes - at : 1500);
    free(copy);
  } else write_elements(m, 0, m->count);
}

static void begin_send(Message* m, int tag) {
  if (m->same) m->out = m[-1].out;
  else begin_buffer(&m->out, m->send_place, m->key * 2, m->type, m->count);
  if (m->send == by_delta || m->send == by_named)
    CHECK_EQ(Delta_send_begin(m->out.data, m->count, datatype[m->type], m->to, tag, MPI_COMM_WORLD,
                              &m->sending), MPI_SUCCESS);
}
static void finish_send(Message* m, int tag) {
  if (m->send == by_send)
    MPI_Send(m->out.data, m->count, datatype[m->type], m->to, tag, MPI_COMM_WORLD);
  else if (m->send == by_isend)
    MPI_Isend(m->out.data, m->count, datatype[m->type], m->to, tag, MPI_COMM_WORLD, &m->sending);
  else if (m->send == by_named) {
    const size_t half = m->out.bytes / 2;
    // 0 bytes would also name nothing of a send that begins at the same address
    if (half) Delta_send_data(m->out.data, half);
    if (half) Delta_send_data(m->out.data + half, m->out.bytes - half);
    Delta_send_end(&m->sending);
  } else Delta_send_end(&m->sending);
}

static void check_status(const Message* m, int tag, const MPI_Status* status) {
  int count = -1;
  MPI_Get_count(status, datatype[m->type], &count);
  CHECK_EQ(count, m->count);
  CHECK_EQ(status->MPI_SOURCE, m->from);
  CHECK_EQ(status->MPI_TAG, tag);
}
static void receive(Message* m, int tag) {
  const MPI_Datatype type = datatype[m->type];
  const int from = m->any ? MPI_ANY_SOURCE : m->from;
  MPI_Status status;
  if (m->receive == probed) MPI_Probe(from, tag, MPI_COMM_WORLD, &status), check_status(m, tag, &status);
  if (m->receive == delta_recv || m->receive == probed)
    Delta_recv(m->in.data, m->room, type, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else if (m->receive == delta_recv_status)
    Delta_recv(m->in.data, m->room, type, from, tag, MPI_COMM_WORLD, &status), check_status(m, tag, &status);
  else if (m->receive == plain_recv)
    MPI_Recv(m->in.data, m->room, type, from, tag, MPI_COMM_WORLD, &status), check_status(m, tag, &status);
  else {
    MPI_Irecv(m->in.data, m->room, type, from, tag, MPI_COMM_WORLD, &m->receiving);
    if (m->receive == irecv_parts && m->in.bytes) Delta_wait_data(m->in.data, m->in.bytes);
    Delta_wait(&m->receiving, &status);
    check_status(m, tag, &status);
  }
}

static void check_element(const Message* m, int i) {
  char value[8];
  const size_t bytes = (size_t)size_of[m->type];
  expected(m, i, value);
  if (memcmp(m->in.data + (size_t)i * bytes, value, bytes) == 0) return;
  if (check_failed(__FILE__, __LINE__))
    fprintf(stderr,
            "seed %lu round %d: element %d of %d from %d to %d: send %d which %d order %d receive %d use %d"
            " places %d %d type %d same %d\n",
            (unsigned long)seed_now, round_now, i, m->count, m->from, m->to, m->send, m->which, m->order,
            m->receive, m->use, m->send_place, m->receive_place, m->type, m->same);
}
// Uses a share of the elements: from the k-th of `parts` parts in the order of use.
static void use(Message* m, int k, int parts) {
  const int n = m->room, from = (int)((long)n * k / parts), to = (int)((long)n * (k + 1) / parts);
  const size_t bytes = (size_t)size_of[m->type];
  if (m->use == use_not) return;
  if (m->use == use_copied && k == 0) {
    char* const copy = malloc(m->in.bytes + 1);
    memcpy(copy, m->in.data, m->in.bytes);
    CHECK(memcmp(copy, m->in.data, m->in.bytes) == 0);
    free(copy);
  }
  for (int j = from; j < to; ++j) {
    int i = j;
    if (m->use == use_backward) i = n - 1 - j;
    if (m->use == use_random) i = (int)(mix(m->key + (uint64_t)j) % (uint64_t)n);
    if (m->use == use_sparse && j % 3001) continue;
    if (m->use == use_written && (j / 700) % 2) memset(m->in.data + (size_t)i * bytes, 0x77, bytes);
    else check_element(m, i);
  }
}
static void check_all(Message* m) {
  if (m->use != use_written && m->key % 4)
    for (int i = 0; i < m->room; ++i) check_element(m, i);
  if (m->use != use_written) return;
  int bad = 0;
  for (size_t i = 0; i < m->in.bytes; ++i) {
    const int k = (int)(i / (size_t)size_of[m->type]);
    if ((k / 700) % 2) bad += m->in.data[i] != 0x77;
    else if (i % (size_t)size_of[m->type] == 0) check_element(m, k);
  }
  CHECK_EQ(bad, 0);
}

// Also those just long enough for pages to be watched (least_hidden_pages, least_written_pages), and just not.
static int draw_count(int type) {
  static const int limits[5] = {1, 60, 9000, 40000, 300000};
  const int kind = draw(7), near = (1 + draw(20)) * page + draw(64) - 32;
  return (kind < 5 ? draw(limits[kind]) : kind == 5 ? near : draw(300000)) / size_of[type];
}
static void draw_message(Message* m, Message* before, int alone) {
  memset(m, 0, sizeof *m);
  m->from = draw(size), m->to = draw(size), m->type = draw(3);
  if (m->to == m->from) m->to = (m->from + 1) % size;
  m->key = mix(state) | 1, m->count = draw_count(m->type), m->room = m->count + (one_in(3) ? draw(5000) : 0);
  m->send = one_in(3) ? draw(4) : by_delta;
  if (m->send == by_send && !alone) m->send = by_isend;
  m->which = one_in(2) ? whole : draw(3), m->order = one_in(2) ? forward : draw(7);
  m->receive = one_in(3) ? draw(6) : delta_recv, m->use = draw(uses), m->any = one_in(4);
  m->send_place = draw(places), m->receive_place = draw(places);
  if (m->which == sparse_part && m->order > forward) m->order = forward;
  // With pages, what has been passed over must not be written later.
  if ((m->order == scattered || m->order == halves) && m->send == by_delta) m->order = backward;
  m->same = before && before->send == by_delta && !before->same && one_in(3);
  if (!m->same) return;  // the same elements go to another receive, too
  m->from = before->from, m->type = before->type, m->count = before->count, m->send = by_delta;
  m->room = m->count, m->to = (m->from + 1 + draw(size - 1)) % size, m->order = before->order;
}

static void messages_round(void) {
  const int tags = round_now % 1000 * 16 + 16;  // a message of the next round must not match MPI_ANY_SOURCE
  Message m[most];
  int order[most], receives = 0, sends = 0;
  const int n = 1 + draw(most), interleaved = one_in(2), early = draw(4);
  const int middle = draw(5), parts = 1 + draw(4);
  const int in_writes = draw(6), in_uses = draw(6), call = draw(12), leave = one_in(2), guards = one_in(2);
  for (int i = 0; i < n; ++i) draw_message(&m[i], i ? &m[i - 1] : NULL, n == 1), order[i] = i;
  for (int i = n - 1; i > 0; --i) {
    const int j = draw(i + 1), other = order[i];
    order[i] = order[j], order[j] = other;
  }
  for (int i = 0; i < n; ++i) receives += m[i].to == rank, sends += m[i].from == rank;
  memset(used, 0, sizeof used);
  for (int i = 0; i < n; ++i)
    if (m[i].to == rank) begin_buffer(&m[i].in, m[i].receive_place, m[i].key * 3, m[i].type, m[i].room);
  for (int i = 0; i < n; ++i)
    if (m[i].from == rank) begin_send(&m[i], tags + i);

  for (int k = 0; k < parts; ++k) {  // the sender's loops, one after the other or in turns
    for (int i = 0; i < n; ++i) {
      if (m[i].from != rank || m[i].same) continue;
      if (interleaved && m[i].order < at_once)
        write_elements(&m[i], (int)((long)m[i].count * k / parts), (int)((long)m[i].count * (k + 1) / parts));
      else if (k == 0) write_all(&m[i]);
      if (guards && k == 0) check_around(&m[i].out), write_around(&m[i].out);
    }
    if (k == 0) collective(in_writes), call_mpi(call);
  }
  for (int i = 0; i < n; ++i) {
    if (m[i].from != rank) continue;
    if (m[i].same) m[i].out = m[i - 1].out;
    finish_send(&m[i], tags + i);
  }
  if (early == 0 && receives == 0)
    for (int i = 0; i < n; ++i)
      if (m[i].from == rank && m[i].send != by_send) Delta_wait(&m[i].sending, MPI_STATUS_IGNORE);

  for (int i = 0; i < n; ++i)
    if (m[order[i]].to == rank) receive(&m[order[i]], tags + order[i]);
  for (int k = 0; k < parts; ++k) {
    for (int i = 0; i < n; ++i) {
      if (m[i].to != rank) continue;
      if (guards && k == 0) check_around(&m[i].in), write_around(&m[i].in);
      use(&m[i], k, parts);
    }
    if (k == 0) collective(in_uses), call_mpi(middle);
  }
  if (leave) call_mpi(draw(3));
  else MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < n; ++i)
    if (m[i].to == rank) check_all(&m[i]), end_buffer(&m[i].in);
  if (!(early == 0 && receives == 0))
    for (int i = n - 1; i >= 0; --i)
      if (m[i].from == rank && m[i].send != by_send) Delta_wait(&m[i].sending, MPI_STATUS_IGNORE);
  for (int i = 0; i < n && sends; ++i)
    if (m[i].from == rank && !m[i].same) end_buffer(&m[i].out);
}

// Each rank adds to what it gets, and sends that on; in a ring it comes back to the first.
static void chain_round(void) {
  const int n = draw(40000), ring = one_in(2), place = draw(places), in_place = one_in(2), first = draw(size);
  const int at = (rank - first + size) % size, mpi_at = one_in(3) ? draw(n + 1) : -1;
  const uint64_t key = mix(state);
  Buffer in, out;
  MPI_Request sending = MPI_REQUEST_NULL;
  memset(used, 0, sizeof used);
  begin_buffer(&in, place, key, 2, n);
  begin_buffer(&out, (place + 1) % places, key + 1, 2, n);
  double* const a = (double*)(void*)in.data;
  double* const b = in_place && at > 0 ? a : (double*)(void*)out.data;
  const int sends = at + 1 < size || ring;
  double sum = 0;
  for (int k = 1; k <= at; ++k) sum += (first + k) % size;
  if (at > 0) Delta_recv(a, n, MPI_DOUBLE, left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (sends) Delta_send_begin(b, n, MPI_DOUBLE, right, 7, MPI_COMM_WORLD, &sending);
  for (int i = 0; i < n; ++i) {
    b[i] = at > 0 ? a[i] + rank : i;
    if (i == mpi_at) call_mpi(i % 3);
  }
  if (sends) Delta_send_end(&sending);
  int bad = 0;
  for (int i = 0; i < n; ++i) bad += b[i] != i + sum;
  CHECK_EQ(bad, 0);
  if (ring && at == 0) {
    for (int k = 1; k < size; ++k) sum += (first + k) % size;
    Delta_recv(a, n, MPI_DOUBLE, left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < n; ++i) bad += a[i] != i + sum;
    CHECK_EQ(bad, 0);
  }
  Delta_wait(&sending, MPI_STATUS_IGNORE);
  end_buffer(&in), end_buffer(&out);
}

int main(int argc, char** argv) {
  char on_stack[pool_bytes / 4];
  begin_ring(&argc, &argv);
  const int seed = argc > 1 ? atoi(argv[1]) : 1, rounds = argc > 2 ? atoi(argv[2]) : 40;
  stack_pool = on_stack, seed_now = (uint64_t)seed;
  for (round_now = 0; round_now < rounds; ++round_now) {
    state = mix((uint64_t)seed * 1000003 + (uint64_t)round_now);
    if (size > 1 && one_in(4)) chain_round();
    else if (size > 1) messages_round();
  }
  return check_finish();
}

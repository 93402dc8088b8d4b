// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrong calls of kanor/delta.h: error classes that are returned, and jobs that end, one for each argument.
// delta_errors.test has what is said of them.
#include <kanor/delta.h>
#include <mpi.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "ring.h"

enum { n = 1000, tag = 7 };
static int out[2 * n], in[2 * n];
static int handled;

static void handler(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  (void)code;
  ++handled;
}

static int class_of(int code) {
  int result = -1;
  MPI_Error_class(code, &result);
  return result;
}

// An error that is returned after one call of the handler.
#define CHECK_ERROR(call, expected)       \
  do {                                    \
    const int before_call = handled;      \
    CHECK_EQ(class_of(call), (expected)); \
    CHECK_EQ(handled - before_call, 1);   \
  } while (0)

#define CHECK_FINE(call) CHECK_EQ(call, MPI_SUCCESS)

static void fill(int round) {
  for (int i = 0; i < 2 * n; ++i) {
    out[i] = 10000 * rank + i + round;
    in[i] = -1;
  }
}

static int differ(int first, int end, int round) {
  int wrong = 0;
  for (int i = first; i < end; ++i) wrong += in[i] != 10000 * left + i + round;
  return wrong;
}

static void arguments(void) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  check_part("arguments of Delta_send_begin and Delta_recv");
  CHECK_ERROR(Delta_send_begin(out, -1, MPI_INT, right, tag, MPI_COMM_WORLD, &request), MPI_ERR_COUNT);
  CHECK(request == MPI_REQUEST_NULL);
  CHECK_ERROR(Delta_send_begin(out, n, MPI_INT, size, tag, MPI_COMM_WORLD, &request), MPI_ERR_RANK);
  CHECK_ERROR(Delta_send_begin(out, n, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &request), MPI_ERR_RANK);
  CHECK_ERROR(Delta_send_begin(out, n, MPI_INT, -77, tag, MPI_COMM_WORLD, &request), MPI_ERR_RANK);
  CHECK_ERROR(Delta_send_begin(out, n, MPI_INT, right, -1, MPI_COMM_WORLD, &request), MPI_ERR_TAG);
  CHECK_ERROR(Delta_send_begin(out, n, MPI_INT, right, MPI_ANY_TAG, MPI_COMM_WORLD, &request), MPI_ERR_TAG);
  CHECK_ERROR(Delta_send_begin(out, n, MPI_DATATYPE_NULL, right, tag, MPI_COMM_WORLD, &request),
              MPI_ERR_TYPE);
  CHECK_ERROR(Delta_send_begin(out, n / 2, pair, right, tag, MPI_COMM_WORLD, &request), MPI_ERR_TYPE);
  CHECK_ERROR(Delta_send_begin(out, n, MPI_INT, right, tag, MPI_COMM_NULL, &request), MPI_ERR_COMM);
  CHECK_ERROR(Delta_send_begin(NULL, n, MPI_INT, right, tag, MPI_COMM_WORLD, &request), MPI_ERR_BUFFER);
  CHECK(request == MPI_REQUEST_NULL);
  CHECK_ERROR(Delta_send_begin(out, n, MPI_INT, right, tag, MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
  CHECK_ERROR(Delta_recv(in, -1, MPI_INT, left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_COUNT);
  CHECK_ERROR(Delta_recv(in, n, MPI_INT, size, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_RANK);
  CHECK_ERROR(Delta_recv(in, n, MPI_INT, left, -9, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_TAG);
  CHECK_ERROR(Delta_recv(in, n, MPI_DATATYPE_NULL, left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
              MPI_ERR_TYPE);
  CHECK_ERROR(Delta_recv(in, n, MPI_INT, left, tag, MPI_COMM_NULL, MPI_STATUS_IGNORE), MPI_ERR_COMM);
  CHECK_ERROR(Delta_recv(NULL, n, MPI_INT, left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_BUFFER);
  MPI_Type_free(&pair);
}

static void naming(void) {
  MPI_Request request, second, plain;
  MPI_Status status;
  int count = -1;
  check_part("elements that cannot be named");
  fill(1);
  CHECK_ERROR(Delta_send_data(out, 4), MPI_ERR_BUFFER);
  CHECK_ERROR(Delta_send_data(NULL, 4), MPI_ERR_BUFFER);
  CHECK_ERROR(Delta_wait_data(NULL, 4), MPI_ERR_BUFFER);
  Delta_send_begin(out + 10, 100, MPI_INT, right, tag, MPI_COMM_WORLD, &request);
  Delta_send_begin(out + 110, 100, MPI_INT, right, tag + 1, MPI_COMM_WORLD, &second);
  MPI_Irecv(in, n, MPI_INT, left, tag + 2, MPI_COMM_WORLD, &plain);
  CHECK_ERROR(Delta_send_data(in, 4), MPI_ERR_BUFFER);
  CHECK_ERROR(Delta_send_data(out, 40), MPI_ERR_BUFFER);       // ends before them
  CHECK_ERROR(Delta_send_data(out + 9, 8), MPI_ERR_BUFFER);    // begins before them
  CHECK_ERROR(Delta_send_data(out + 210, 4), MPI_ERR_BUFFER);  // begins behind them
  CHECK_ERROR(Delta_send_data(out + 209, 8), MPI_ERR_BUFFER);  // ends behind them
  CHECK_ERROR(Delta_send_data(out + 10, (size_t)-1), MPI_ERR_BUFFER);
  CHECK_FINE(Delta_send_data(out + 20, 40));
  CHECK_ERROR(Delta_send_data(out + 20, 40), MPI_ERR_BUFFER);
  CHECK_ERROR(Delta_send_data(out + 15, 24), MPI_ERR_BUFFER);
  CHECK_ERROR(Delta_send_data(out + 29, 8), MPI_ERR_BUFFER);
  CHECK_ERROR(Delta_send_data((char*)(out + 30) - 1, 1), MPI_ERR_BUFFER);
  CHECK_ERROR(Delta_send_data(out + 10, 400), MPI_ERR_BUFFER);
  // What was named with an error has not been named.
  CHECK_FINE(Delta_send_data(out + 10, 40));
  CHECK_FINE(Delta_send_data(out + 30, 4));
  CHECK_FINE(Delta_send_data(out + 31, 4));
  CHECK_FINE(Delta_send_end(&request));
  CHECK_ERROR(Delta_send_data(out + 40, 4), MPI_ERR_BUFFER);
  CHECK_FINE(Delta_send_data(out + 110, 40));
  CHECK_FINE(Delta_wait(&second, MPI_STATUS_IGNORE));
  CHECK_ERROR(Delta_send_data(out + 150, 4), MPI_ERR_BUFFER);
  MPI_Cancel(&plain);
  MPI_Wait(&plain, MPI_STATUS_IGNORE);
  CHECK_FINE(Delta_recv(in + 10, n, MPI_INT, left, tag, MPI_COMM_WORLD, &status));
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK_EQ(count, 22);
  CHECK_EQ(differ(10, 32, 1), 0);
  CHECK_FINE(Delta_recv(in + 10, n, MPI_INT, left, tag + 1, MPI_COMM_WORLD, &status));
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK_EQ(count, 10);
  CHECK_FINE(MPI_Wait(&request, MPI_STATUS_IGNORE));

  // Elements of which the other send has named some.
  Delta_send_begin(out, 100, MPI_INT, right, tag, MPI_COMM_WORLD, &request);
  CHECK_FINE(Delta_send_data(out + 50, 40));
  Delta_send_begin(out, 60, MPI_INT, right, tag, MPI_COMM_WORLD, &second);
  CHECK_ERROR(Delta_send_data(out + 50, 40), MPI_ERR_BUFFER);
  CHECK_FINE(Delta_send_data(out, 40));
  Delta_wait(&second, MPI_STATUS_IGNORE);
  Delta_wait(&request, MPI_STATUS_IGNORE);
  fill(1);
  Delta_recv(in, n, MPI_INT, left, tag, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK_EQ(count, 60);
  fill(1);
  Delta_recv(in, n, MPI_INT, left, tag, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK_EQ(count, 10);
  CHECK_EQ(differ(0, 10, 1), 0);
}

static void requests(void) {
  MPI_Request request, plain = MPI_REQUEST_NULL;
  int done = -1;
  check_part("requests");
  fill(2);
  CHECK_ERROR(Delta_send_end(&plain), MPI_ERR_REQUEST);
  CHECK_ERROR(Delta_send_end(NULL), MPI_ERR_ARG);
  CHECK_ERROR(Delta_wait(NULL, MPI_STATUS_IGNORE), MPI_ERR_ARG);
  MPI_Irecv(in, n, MPI_INT, left, tag, MPI_COMM_WORLD, &plain);
  CHECK_ERROR(Delta_send_end(&plain), MPI_ERR_REQUEST);
  Delta_send_begin(out, n, MPI_INT, right, tag, MPI_COMM_WORLD, &request);
  Delta_send_data(out, 400);
  // It has not ended: it can be neither freed nor cancelled, and does not complete.
  CHECK_ERROR(MPI_Request_free(&request), MPI_ERR_REQUEST);
  CHECK(request != MPI_REQUEST_NULL);
  CHECK_ERROR(MPI_Cancel(&request), MPI_ERR_REQUEST);
  CHECK_ERROR(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
  CHECK(request != MPI_REQUEST_NULL);
  CHECK_FINE(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
  CHECK_EQ(done, 0);
  CHECK_FINE(Delta_send_data(out + 100, 400));
  CHECK_FINE(Delta_wait(&request, MPI_STATUS_IGNORE));
  CHECK_FINE(Delta_wait(&plain, MPI_STATUS_IGNORE));
  CHECK_EQ(differ(0, 200, 2), 0);
  CHECK_EQ(in[200], -1);
  CHECK_ERROR(Delta_send_end(&request), MPI_ERR_REQUEST);
  MPI_Isend(out, 1, MPI_INT, rank, tag, MPI_COMM_WORLD, &plain);
  CHECK_ERROR(Delta_send_end(&plain), MPI_ERR_REQUEST);
  MPI_Wait(&plain, MPI_STATUS_IGNORE);
  MPI_Recv(in, 1, MPI_INT, rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// Messages that are longer than the receive: the sender knows nothing of it.
static void truncated(void) {
  MPI_Request request, plain;
  MPI_Status status;
  int count = -1;
  check_part("long messages");
  for (int kind = 0; kind < 5; ++kind) {
    fill(3);
    Delta_send_begin(out, n, MPI_INT, right, tag, MPI_COMM_WORLD, &request);
    for (int i = 0; i < n; i += 100) CHECK_FINE(Delta_send_data(&out[i], 400));
    Delta_send_end(&request);
    if (kind == 0) {
      CHECK_ERROR(Delta_recv(in, n - 1, MPI_INT, left, tag, MPI_COMM_WORLD, &status), MPI_ERR_TRUNCATE);
    } else if (kind == 1) {
      CHECK_ERROR(MPI_Recv(in, n - 1, MPI_INT, left, tag, MPI_COMM_WORLD, &status), MPI_ERR_TRUNCATE);
    } else {
      const int room = kind == 2 ? 10 : n - 1;
      MPI_Irecv(in, room, MPI_INT, left, tag, MPI_COMM_WORLD, &plain);
      // Whether these come is not said, but nobody waits for ever.
      if (kind == 3) Delta_wait_data(in, sizeof(int) * (size_t)room);
      if (kind == 4) Delta_wait_data(&in[room - 1], sizeof(int));
      CHECK_ERROR(Delta_wait(&plain, &status), MPI_ERR_TRUNCATE);
      for (int i = room; i < 2 * n; ++i) CHECK_EQ(in[i], -1);
    }
    for (int i = n - 1; i < 2 * n; ++i) CHECK_EQ(in[i], -1);
    CHECK_FINE(Delta_wait(&request, MPI_STATUS_IGNORE));
  }
  // The next message is not disturbed.
  fill(4);
  Delta_send_begin(out, n, MPI_INT, right, tag, MPI_COMM_WORLD, &request);
  Delta_send_end(&request);
  CHECK_FINE(Delta_recv(in, n, MPI_INT, left, tag, MPI_COMM_WORLD, &status));
  CHECK_EQ(differ(0, n, 4), 0);
  CHECK_FINE(Delta_wait(&request, MPI_STATUS_IGNORE));
  // A message ends behind the last byte that was named, so this one is short enough.
  fill(5);
  Delta_send_begin(out, n, MPI_INT, right, tag, MPI_COMM_WORLD, &request);
  CHECK_FINE(Delta_send_data(out + 10, 40));
  Delta_send_end(&request);
  CHECK_FINE(Delta_recv(in, 20, MPI_INT, left, tag, MPI_COMM_WORLD, &status));
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK_EQ(count, 20);
  CHECK_EQ(differ(10, 20, 5), 0);
  CHECK_FINE(Delta_wait(&request, MPI_STATUS_IGNORE));
}

static void returned(void) {
  MPI_Errhandler made;
  MPI_Comm_create_errhandler(handler, &made);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, made);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, made);
  arguments();
  naming();
  requests();
  truncated();
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&made);
}

// Says when the program is about to go wrong.
static void failing(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  fprintf(stderr, "failing at %lld.%09ld\n", (long long)now.tv_sec, now.tv_nsec);
}

static const char* how;
static int is(const char* name) { return strcmp(how, name) == 0; }

// Rank 1 sends to rank 2.
static void sender(void) {
  MPI_Request request, second;
  if (is("never-begun")) {
    failing();
    Delta_send_data(out, 40);
  }
  if (is("bad-tag") || is("bad-rank")) failing();
  Delta_send_begin(out, n, MPI_INT, is("bad-rank") ? 17 : 2, is("bad-tag") ? -1 : tag, MPI_COMM_WORLD,
                   &request);
  Delta_send_begin(out, n, MPI_INT, 2, tag, MPI_COMM_WORLD, &second);
  Delta_send_data(out, 400);
  if (!is("written-early")) failing();
  if (is("outside")) Delta_send_data(out + n - 1, 8);
  if (is("twice")) Delta_send_data(out + 99, 8);
  if (is("written")) out[50] = -3;
  if (is("written-after-end")) {
    Delta_send_end(&request);
    out[50] = -3;
  }
  if (is("unnamed")) {
    // No error: these elements are not sent.
    Delta_send_end(&request);
    Delta_send_end(&second);
    out[n - 1] = -3;
  }
  if (is("waits")) MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (is("waits-for-all")) MPI_Waitall(2, (MPI_Request[]){request, second}, MPI_STATUSES_IGNORE);
  int index, indices[2];
  if (is("waits-for-any")) MPI_Waitany(2, (MPI_Request[]){request, second}, &index, MPI_STATUS_IGNORE);
  if (is("waits-for-some"))
    MPI_Waitsome(2, (MPI_Request[]){request, second}, &index, indices, MPI_STATUSES_IGNORE);
  if (is("freed")) MPI_Request_free(&request);
  if (is("cancelled")) MPI_Cancel(&request);
  if (is("exits")) exit(3);
  if (is("aborts")) abort();
  if (is("returns") || is("returns-to-any")) return;  // from main, after MPI_Finalize
  Delta_wait(&request, MPI_STATUS_IGNORE);
  Delta_wait(&second, MPI_STATUS_IGNORE);
}

static void receiver(void) {
  MPI_Request request, second;
  const int room = is("long") ? 90 : n;
  const int source = is("returns-to-any") ? MPI_ANY_SOURCE : 1;
  MPI_Irecv(in, room, MPI_INT, source, tag, MPI_COMM_WORLD, &request);
  MPI_Irecv(in + n, n, MPI_INT, source, tag, MPI_COMM_WORLD, &second);
  if (is("written-early")) {
    failing();
    in[5] = -4;
  }
  for (int i = 0; i < n; i += 100) Delta_wait_data(&in[i], 400);
  Delta_wait(&request, MPI_STATUS_IGNORE);
  Delta_wait(&second, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  begin_ring(&argc, &argv);
  if (argc < 2) {
    returned();
    return check_finish();
  }
  how = argv[1];
  for (int i = 0; i < n; ++i) out[i] = i;
  if (rank == 1) sender();
  if (rank == 2) receiver();
  if (rank == 3 && is("returns-to-any")) sleep(20);  // it could still send something
  MPI_Finalize();
  return 0;
}

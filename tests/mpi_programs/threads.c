// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several threads of each rank that make calls at the same time (MPI_THREAD_MULTIPLE).
//
// Each thread exchanges with the same one of the neighbours, by tags of its own or a communicator of its own:
// messages of all lengths, requests, probes, collectives, and new communicators. One thread waits for what another
// one does.
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ring.h"

enum { thread_count = 4, turns = 60, longest = 80000 };

static MPI_Comm comms[thread_count];
static pthread_mutex_t checks = PTHREAD_MUTEX_INITIALIZER;

static void check_locked(int good, const char* what, int line) {
  if (good) return;
  pthread_mutex_lock(&checks);
  check_that(0, what, __FILE__, line);
  pthread_mutex_unlock(&checks);
}
#define CHECK_LOCKED(condition) check_locked((condition) ? 1 : 0, #condition, __LINE__)

static int length_of(int turn) { return turn % 7 == 6 ? longest : turn * 37; }

static int is_filled(const char* from, int length, int with) {
  for (int i = 0; i < length; ++i)
    if (from[i] != (char)with) return 0;
  return 1;
}

// By tags: to the right and from the left.
static void* by_tags(void* argument) {
  const int tag = *(int*)argument;
  char *out = malloc(longest), *in = malloc(longest);
  for (int turn = 0; turn < turns; ++turn) {
    const int length = length_of(turn);
    MPI_Request requests[2];
    MPI_Status status;
    memset(out, rank + tag + turn, (size_t)length);
    switch (turn % 4) {
      case 0:
        MPI_Irecv(in, length, MPI_CHAR, left, tag, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(out, length, MPI_CHAR, right, tag, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        break;
      case 1:
        MPI_Sendrecv(out, length, MPI_CHAR, right, tag, in, length, MPI_CHAR, left, tag, MPI_COMM_WORLD,
                     &status);
        CHECK_LOCKED(status.MPI_SOURCE == left && status.MPI_TAG == tag);
        break;
      case 2: {
        MPI_Message message;
        int count;
        MPI_Isend(out, length, MPI_CHAR, right, tag, MPI_COMM_WORLD, &requests[0]);
        MPI_Mprobe(left, tag, MPI_COMM_WORLD, &message, &status);
        MPI_Get_count(&status, MPI_CHAR, &count);
        CHECK_LOCKED(count == length);
        MPI_Mrecv(in, count, MPI_CHAR, &message, MPI_STATUS_IGNORE);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        break;
      }
      default: {
        int is_done = 0;
        MPI_Irecv(in, length, MPI_CHAR, left, tag, MPI_COMM_WORLD, &requests[0]);
        MPI_Issend(out, length, MPI_CHAR, right, tag, MPI_COMM_WORLD, &requests[1]);
        while (!is_done) MPI_Testall(2, requests, &is_done, MPI_STATUSES_IGNORE);
      }
    }
    CHECK_LOCKED(is_filled(in, length, left + tag + turn));
  }
  free(out);
  free(in);
  return NULL;
}

// By communicators: collectives.
static void* by_communicators(void* argument) {
  const int number = *(int*)argument;
  const MPI_Comm comm = comms[number];
  double* values = malloc(4000 * sizeof *values);
  for (int turn = 0; turn < turns; ++turn) {
    const int count = turn % 5 == 4 ? 4000 : turn + 1;
    int sum = 0, all = 0, root = turn % size;
    MPI_Request request;
    for (int i = 0; i < count; ++i) values[i] = rank == root ? turn + i + number : -1;
    MPI_Bcast(values, count, MPI_DOUBLE, root, comm);
    CHECK_LOCKED(values[0] == turn + number && values[count - 1] == turn + count - 1 + number);
    MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK_LOCKED(sum == size * number);
    MPI_Ireduce(&turn, &all, 1, MPI_INT, MPI_SUM, root, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK_LOCKED(rank != root || all == size * turn);
    MPI_Barrier(comm);
  }
  free(values);
  return NULL;
}

// One thread waits for what the other one of its rank sends.
static void* waits_for_itself(void* argument) {
  int got = -1;
  MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 1000, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  *(int*)argument = got;
  return NULL;
}

// One waits for a receive that the other one cancels.
static void* waits_for_cancelled(void* argument) {
  MPI_Status status;
  int is_cancelled = 0;
  MPI_Wait((MPI_Request*)argument, &status);
  MPI_Test_cancelled(&status, &is_cancelled);
  CHECK_LOCKED(is_cancelled);
  return NULL;
}

// Communicators that threads make at the same time, in orders of their own: each has its own messages.
static void* by_new_communicators(void* argument) {
  const int number = *(int*)argument;
  for (int turn = 0; turn < turns / 2; ++turn) {
    MPI_Comm made, parts;
    int in = -1, out = 1000 * number + turn;
    if (turn % 3 == number % 3) MPI_Barrier(comms[number]);
    MPI_Comm_dup(comms[number], &made);
    MPI_Comm_split(made, 0, size - rank, &parts);
    MPI_Sendrecv(&out, 1, MPI_INT, right, 5, &in, 1, MPI_INT, left, 5, made, MPI_STATUS_IGNORE);
    CHECK_LOCKED(in == out);
    MPI_Bcast(rank == 0 ? &out : &in, 1, MPI_INT, size - 1, parts);
    CHECK_LOCKED(in == out);
    MPI_Comm_free(&made);
    MPI_Comm_free(&parts);
  }
  return NULL;
}

// Errors, whose handler returns: each thread's call gets its own.
static void* with_errors(void* argument) {
  const int number = *(int*)argument;
  for (int turn = 0; turn < turns; ++turn) {
    MPI_Comm made;
    int class = 0;
    const int error = MPI_Send(NULL, 0, MPI_INT, size + number, 0, MPI_COMM_WORLD);
    MPI_Error_class(error, &class);
    CHECK_LOCKED(class == MPI_ERR_RANK);
    MPI_Comm_dup(MPI_COMM_SELF, &made);
    MPI_Comm_free(&made);
  }
  return NULL;
}

static void run(void* (*body)(void*)) {
  pthread_t threads[thread_count];
  int numbers[thread_count];
  for (int i = 0; i < thread_count; ++i) {
    numbers[i] = i;
    if (i > 0) pthread_create(&threads[i], NULL, body, &numbers[i]);
  }
  body(&numbers[0]);
  for (int i = 1; i < thread_count; ++i) pthread_join(threads[i], NULL);
}

int main(int argc, char** argv) {
  int provided = -1, level = -1, is_main = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  CHECK_EQ(provided, MPI_THREAD_MULTIPLE);
  MPI_Query_thread(&level);
  CHECK_EQ(level, MPI_THREAD_MULTIPLE);
  MPI_Is_thread_main(&is_main);
  CHECK(is_main);
  find_place();
  for (int i = 0; i < thread_count; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);

  check_part("by tags");
  run(by_tags);
  check_part("by communicators");
  run(by_communicators);
  check_part("by new communicators");
  run(by_new_communicators);
  check_part("with errors");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  run(with_errors);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  check_part("one thread waits for another one");
  {
    pthread_t waiting;
    int got = 0;
    const int sent = 17;
    pthread_create(&waiting, NULL, waits_for_itself, &got);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(&sent, 1, MPI_INT, rank, 1000, MPI_COMM_WORLD);
    pthread_join(waiting, NULL);
    CHECK_EQ(got, sent);
  }
  check_part("one thread cancels what another one waits for");
  {
    pthread_t waiting;
    int unwanted;
    MPI_Request request, given;
    MPI_Irecv(&unwanted, 1, MPI_INT, rank, 1001, MPI_COMM_WORLD, &request);
    given = request;
    pthread_create(&waiting, NULL, waits_for_cancelled, &request);
    usleep(20000);
    MPI_Cancel(&given);
    pthread_join(waiting, NULL);
  }
  for (int i = 0; i < thread_count; ++i) MPI_Comm_free(&comms[i]);
  return check_finish();
}

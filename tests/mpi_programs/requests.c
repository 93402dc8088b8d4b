// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests: all ways to complete them.
//
// Wait, Test, Waitall, Waitany, Waitsome, Testall, Testany, Testsome, null and inactive requests in
// arrays, Request_free, Request_get_status, cancelled receives, and persistent requests in all
// modes.
#include <mpi.h>
#include <stdlib.h>

#include "ring.h"

enum { many = 12 };

static int sent[many], got[many];
static MPI_Request sends[many], receives[many];

static void check_empty_status(const MPI_Status* status) {
  int count = -1, cancelled = -1;
  CHECK_EQ(status->MPI_SOURCE, MPI_ANY_SOURCE);
  CHECK_EQ(status->MPI_TAG, MPI_ANY_TAG);
  MPI_Get_count(status, MPI_INT, &count);
  CHECK_EQ(count, 0);
  MPI_Test_cancelled(status, &cancelled);
  CHECK_EQ(cancelled, 0);
}

static void check_message(const MPI_Status* status, int which) {
  int count = -1;
  CHECK_EQ(status->MPI_SOURCE, left);
  CHECK_EQ(status->MPI_TAG, which);
  MPI_Get_count(status, MPI_INT, &count);
  CHECK_EQ(count, 1);
  CHECK_EQ(got[which], 100 * left + which);
}

// Receives from the left, each with its number as the tag; every third one is a null request.
static void begin_receives(int with_null) {
  for (int i = 0; i < many; ++i) {
    got[i] = -1;
    receives[i] = MPI_REQUEST_NULL;
    if (!with_null || i % 3 != 1)
      MPI_Irecv(&got[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &receives[i]);
  }
}

static void begin_sends(int with_null, int first, int step) {
  for (int k = 0; k < many; ++k) {
    const int i = (first + k * step) % many;
    sent[i] = 100 * rank + i;
    sends[i] = MPI_REQUEST_NULL;
    if (!with_null || i % 3 != 1)
      MPI_Isend(&sent[i], 1, MPI_INT, right, i, MPI_COMM_WORLD, &sends[i]);
  }
}

static void end_sends(void) {
  MPI_Waitall(many, sends, MPI_STATUSES_IGNORE);
  for (int i = 0; i < many; ++i) CHECK(sends[i] == MPI_REQUEST_NULL);
}

static void check_one(void) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  int flag = 0;
  MPI_Wait(&request, &status);
  check_empty_status(&status);
  MPI_Test(&request, &flag, &status);
  CHECK(flag);
  check_empty_status(&status);

  // Nothing is sent before all have tested.
  begin_receives(0);
  for (int i = 0; i < many; ++i) {
    MPI_Test(&receives[i], &flag, &status);
    CHECK(!flag);
    CHECK(receives[i] != MPI_REQUEST_NULL);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  begin_sends(0, 0, 1);
  for (int i = 0; i < many; ++i) {
    if (i % 2) {
      MPI_Wait(&receives[i], &status);
    } else {
      for (flag = 0; !flag;) MPI_Test(&receives[i], &flag, &status);
    }
    CHECK(receives[i] == MPI_REQUEST_NULL);
    check_message(&status, i);
  }
  end_sends();
}

static void check_all(int with_null) {
  MPI_Status statuses[many];
  for (int tested = 0; tested < 2; ++tested) {
    int flag = 0;
    begin_receives(with_null);
    if (tested) {
      MPI_Testall(many, receives, &flag, statuses);
      CHECK(!flag);
      for (int i = 0; i < many; ++i)
        CHECK((receives[i] == MPI_REQUEST_NULL) == (with_null && i % 3 == 1));
      MPI_Barrier(MPI_COMM_WORLD);
    }
    begin_sends(with_null, 3, 5);
    if (tested)
      while (!flag) MPI_Testall(many, receives, &flag, statuses);
    else
      MPI_Waitall(many, receives, statuses);
    for (int i = 0; i < many; ++i) {
      CHECK(receives[i] == MPI_REQUEST_NULL);
      if (with_null && i % 3 == 1)
        check_empty_status(&statuses[i]);
      else
        check_message(&statuses[i], i);
    }
    end_sends();
  }
  int flag = 0;
  MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
  MPI_Testall(0, NULL, &flag, MPI_STATUSES_IGNORE);
  CHECK(flag);
}

static void check_any(int with_null) {
  const int active = with_null ? many - many / 3 : many;
  MPI_Status status;
  for (int tested = 0; tested < 2; ++tested) {
    int seen[many] = {0}, flag = 0, which = -5;
    begin_receives(with_null);
    if (tested) {
      MPI_Testany(many, receives, &which, &flag, &status);
      CHECK(!flag);
      CHECK_EQ(which, MPI_UNDEFINED);
      MPI_Barrier(MPI_COMM_WORLD);
    }
    begin_sends(with_null, 7, 7);
    for (int i = 0; i < active; ++i) {
      which = -5;
      if (tested)
        for (flag = 0; !flag;) MPI_Testany(many, receives, &which, &flag, &status);
      else
        MPI_Waitany(many, receives, &which, &status);
      CHECK(which >= 0 && which < many);
      if (which < 0 || which >= many) break;
      ++seen[which];
      check_message(&status, which);
      CHECK(receives[which] == MPI_REQUEST_NULL);
    }
    for (int i = 0; i < many; ++i) CHECK_EQ(seen[i], !with_null || i % 3 != 1);
    // Nothing is left.
    MPI_Waitany(many, receives, &which, &status);
    CHECK_EQ(which, MPI_UNDEFINED);
    check_empty_status(&status);
    which = flag = 0;
    MPI_Testany(many, receives, &which, &flag, &status);
    CHECK(flag);
    CHECK_EQ(which, MPI_UNDEFINED);
    end_sends();
  }
}

static void check_some(int with_null) {
  const int active = with_null ? many - many / 3 : many;
  MPI_Status statuses[many];
  for (int tested = 0; tested < 2; ++tested) {
    int seen[many] = {0}, indices[many], count = -5, done = 0;
    begin_receives(with_null);
    if (tested) {
      MPI_Testsome(many, receives, &count, indices, statuses);
      CHECK_EQ(count, 0);
      MPI_Barrier(MPI_COMM_WORLD);
    }
    begin_sends(with_null, 1, 11);
    while (done < active) {
      if (tested)
        MPI_Testsome(many, receives, &count, indices, statuses);
      else
        MPI_Waitsome(many, receives, &count, indices, statuses);
      CHECK(count >= (tested ? 0 : 1) && count <= active - done);
      if (count < 0 || count > active - done) break;
      for (int i = 0; i < count; ++i) {
        ++seen[indices[i]];
        check_message(&statuses[i], indices[i]);
        CHECK(receives[indices[i]] == MPI_REQUEST_NULL);
      }
      done += count;
    }
    for (int i = 0; i < many; ++i) CHECK_EQ(seen[i], !with_null || i % 3 != 1);
    MPI_Waitsome(many, receives, &count, indices, statuses);
    CHECK_EQ(count, MPI_UNDEFINED);
    MPI_Testsome(many, receives, &count, indices, MPI_STATUSES_IGNORE);
    CHECK_EQ(count, MPI_UNDEFINED);
    end_sends();
  }
}

// The status of a request that goes on to exist; a request whose end nobody waits for.
static void check_status_and_free(void) {
  MPI_Request request;
  MPI_Status status;
  int flag = 1, value = -1, mine = 300 + rank, answer = -1;
  MPI_Irecv(&value, 1, MPI_INT, left, 50, MPI_COMM_WORLD, &request);
  MPI_Request_get_status(request, &flag, &status);
  CHECK(!flag);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(&mine, 1, MPI_INT, right, 50, MPI_COMM_WORLD);
  for (flag = 0; !flag;) MPI_Request_get_status(request, &flag, &status);
  CHECK(request != MPI_REQUEST_NULL);
  CHECK_EQ(status.MPI_SOURCE, left);
  CHECK_EQ(value, 300 + left);
  MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
  CHECK(flag);
  MPI_Wait(&request, &status);
  CHECK_EQ(status.MPI_TAG, 50);
  request = MPI_REQUEST_NULL;
  MPI_Request_get_status(request, &flag, &status);
  CHECK(flag);
  check_empty_status(&status);

  MPI_Isend(&mine, 1, MPI_INT, right, 51, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  CHECK(request == MPI_REQUEST_NULL);
  MPI_Recv(&value, 1, MPI_INT, left, 51, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK_EQ(value, 300 + left);
  // The answer says that the message has left its buffer.
  MPI_Sendrecv(&value, 1, MPI_INT, left, 52, &answer, 1, MPI_INT, right, 52, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  CHECK_EQ(answer, mine);
}

static void check_cancel(void) {
  int value[2] = {-1, -2}, mine = 400 + rank, cancelled = -1, flag = 0;
  MPI_Request requests[2];
  MPI_Status status;
  MPI_Irecv(&value[0], 1, MPI_INT, left, 60, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&value[1], 1, MPI_INT, left, 60, MPI_COMM_WORLD, &requests[1]);
  MPI_Cancel(&requests[0]);
  MPI_Wait(&requests[0], &status);
  MPI_Test_cancelled(&status, &cancelled);
  CHECK_EQ(cancelled, 1);
  CHECK(requests[0] == MPI_REQUEST_NULL);
  // The message is for the second one; cancelling what is complete does nothing.
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(&mine, 1, MPI_INT, right, 60, MPI_COMM_WORLD);
  for (flag = 0; !flag;) MPI_Request_get_status(requests[1], &flag, MPI_STATUS_IGNORE);
  MPI_Cancel(&requests[1]);
  MPI_Wait(&requests[1], &status);
  MPI_Test_cancelled(&status, &cancelled);
  CHECK_EQ(cancelled, 0);
  CHECK_EQ(value[0], -1);
  CHECK_EQ(value[1], 400 + left);
  // One from anybody, completed by Waitall with others.
  MPI_Irecv(&value[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &requests[0]);
  MPI_Irecv(&value[1], 1, MPI_INT, 0, 61, MPI_COMM_SELF, &requests[1]);
  MPI_Cancel(&requests[0]);
  MPI_Send(&mine, 1, MPI_INT, 0, 61, MPI_COMM_SELF);
  MPI_Status statuses[2];
  MPI_Waitall(2, requests, statuses);
  MPI_Test_cancelled(&statuses[0], &cancelled);
  CHECK_EQ(cancelled, 1);
  MPI_Test_cancelled(&statuses[1], &cancelled);
  CHECK_EQ(cancelled, 0);
  CHECK_EQ(value[1], mine);
}

static void check_persistent(void) {
  static char space[8192];
  int out[4], in[4];
  MPI_Request requests[8];  // four sends, four receives
  MPI_Status statuses[8];
  MPI_Buffer_attach(space, sizeof space);
  MPI_Send_init(&out[0], 1, MPI_INT, right, 70, MPI_COMM_WORLD, &requests[0]);
  MPI_Ssend_init(&out[1], 1, MPI_INT, right, 71, MPI_COMM_WORLD, &requests[1]);
  MPI_Bsend_init(&out[2], 1, MPI_INT, right, 72, MPI_COMM_WORLD, &requests[2]);
  MPI_Rsend_init(&out[3], 1, MPI_INT, right, 73, MPI_COMM_WORLD, &requests[3]);
  for (int i = 0; i < 4; ++i)
    MPI_Recv_init(&in[i], 1, MPI_INT, left, 70 + i, MPI_COMM_WORLD, &requests[4 + i]);

  // Not started yet, they are complete and empty.
  int flag = 0, which = 0;
  MPI_Test(&requests[4], &flag, &statuses[0]);
  CHECK(flag);
  check_empty_status(&statuses[0]);
  MPI_Wait(&requests[0], &statuses[0]);
  check_empty_status(&statuses[0]);
  MPI_Waitany(8, requests, &which, &statuses[0]);
  CHECK_EQ(which, MPI_UNDEFINED);

  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 4; ++i) out[i] = rank * 1000 + round * 10 + i, in[i] = -1;
    MPI_Startall(4, requests + 4);
    MPI_Barrier(MPI_COMM_WORLD);
    if (round % 2)
      MPI_Startall(4, requests);
    else
      for (int i = 3; i >= 0; --i) MPI_Start(&requests[i]);
    if (round % 3 == 0) {
      MPI_Waitall(8, requests, statuses);
    } else if (round % 3 == 1) {
      for (int i = 0; i < 8; ++i) {
        MPI_Status status;
        MPI_Waitany(8, requests, &which, &status);
        CHECK(which >= 0 && which < 8);
        if (which >= 0 && which < 8) statuses[which] = status;
      }
    } else {
      for (int i = 0; i < 8; ++i)
        for (flag = 0; !flag;) MPI_Test(&requests[i], &flag, &statuses[i]);
    }
    for (int i = 0; i < 4; ++i) {
      CHECK_EQ(in[i], left * 1000 + round * 10 + i);
      CHECK_EQ(statuses[4 + i].MPI_SOURCE, left);
      CHECK_EQ(statuses[4 + i].MPI_TAG, 70 + i);
      CHECK(requests[i] != MPI_REQUEST_NULL && requests[4 + i] != MPI_REQUEST_NULL);
    }
  }
  // A started one may be cancelled and started again.
  int cancelled = 0;
  MPI_Start(&requests[4]);
  MPI_Cancel(&requests[4]);
  MPI_Wait(&requests[4], &statuses[0]);
  MPI_Test_cancelled(&statuses[0], &cancelled);
  CHECK_EQ(cancelled, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Start(&requests[0]);
  MPI_Start(&requests[4]);
  MPI_Wait(&requests[4], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  CHECK_EQ(in[0], left * 1000 + 190);
  for (int i = 0; i < 8; ++i) {
    MPI_Request_free(&requests[i]);
    CHECK(requests[i] == MPI_REQUEST_NULL);
  }
  void* detached;
  int bytes;
  MPI_Buffer_detach(&detached, &bytes);

  // To and from nobody.
  MPI_Send_init(out, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(in, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Startall(2, requests);
  MPI_Waitall(2, requests, statuses);
  CHECK(requests[0] != MPI_REQUEST_NULL && requests[1] != MPI_REQUEST_NULL);
  MPI_Get_count(&statuses[1], MPI_INT, &bytes);
  CHECK_EQ(bytes, 0);
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

int main(int argc, char** argv) {
  begin_ring(&argc, &argv);
  check_part("one request");
  check_one();
  check_part("all");
  check_all(0);
  check_all(1);
  check_part("any");
  check_any(0);
  check_any(1);
  check_part("some");
  check_some(0);
  check_some(1);
  check_part("status and free");
  check_status_and_free();
  check_part("cancel");
  check_cancel();
  check_part("persistent");
  check_persistent();
  return check_finish();
}

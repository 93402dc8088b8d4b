// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many more sends than may be in flight, whose requests complete before anybody receives.
//
// Wait, Waitany, Waitsome, Testany and Waitall in a ring of ranks of which each waits for the next one.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "ring.h"

enum { most = 600, longest = 200000 };

static int many, bytes;
static char *out, in[longest];
static MPI_Request requests[most];

static char content_of(int sender, int number) { return (char)((sender + number) & 127); }

static void begin_all(void) {
  for (int i = 0; i < many; ++i) {
    char* one = out + (size_t)bytes * (size_t)i;
    memset(one, content_of(rank, i), (size_t)bytes);
    MPI_Isend(one, bytes, MPI_CHAR, right, i & 1, MPI_COMM_WORLD, &requests[i]);
  }
}

static void receive_all(void) {
  int wrong = 0;
  for (int i = 0; i < many; ++i) {
    in[0] = in[bytes - 1] = -1;
    MPI_Recv(in, bytes, MPI_CHAR, left, i & 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    wrong += in[0] != content_of(left, i) || in[bytes - 1] != content_of(left, i);
  }
  CHECK_EQ(wrong, 0);
}

static void send_by_all_waits(int count_of_sends, int bytes_of_each) {
  int at, count, flag, indices[most];
  many = count_of_sends;
  bytes = bytes_of_each;
  out = malloc((size_t)bytes * (size_t)many);

  check_part("wait");
  begin_all();
  for (int i = 0; i < many; ++i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  receive_all();

  check_part("wait for any");
  begin_all();
  for (int i = 0; i < many; ++i) MPI_Waitany(many, requests, &at, MPI_STATUS_IGNORE);
  MPI_Waitany(many, requests, &at, MPI_STATUS_IGNORE);
  CHECK_EQ(at, MPI_UNDEFINED);
  receive_all();

  check_part("wait for some");
  begin_all();
  for (int left_over = many; left_over > 0; left_over -= count)
    MPI_Waitsome(many, requests, &count, indices, MPI_STATUSES_IGNORE);
  receive_all();

  check_part("test any");
  begin_all();
  for (int i = 0; i < many; i += flag) MPI_Testany(many, requests, &at, &flag, MPI_STATUS_IGNORE);
  receive_all();

  check_part("wait for all");
  begin_all();
  MPI_Waitall(many, requests, MPI_STATUSES_IGNORE);
  receive_all();

  free(out);
}

int main(int argc, char** argv) {
  begin_ring(&argc, &argv);
  send_by_all_waits(most, 8192);
  send_by_all_waits(60, longest);
  return check_finish();
}

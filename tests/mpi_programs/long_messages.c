// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long messages: whoever comes first, of all modes, from and to every layout, with buffers that are used
// again as soon as MPI allows it.
#include <mpi.h>
#include <stdlib.h>

#include "ring.h"

enum { most = 1048577 };

static unsigned char *out, *in;

static unsigned char byte_of(long index, int seed) {
  return (unsigned char)((unsigned long)index * 31 + (unsigned long)(seed * 7) + (unsigned long)(index >> 9));
}

static void fill(unsigned char* bytes, long count, int seed) {
  for (long i = 0; i < count; ++i) bytes[i] = byte_of(i, seed);
}

static int holds(const unsigned char* bytes, long count, int seed) {
  for (long i = 0; i < count; ++i)
    if (bytes[i] != byte_of(i, seed)) return 0;
  return 1;
}

// On both sides of least_offered_block, of the length from which senders help receivers, and of two parts of a copy
// with gaps (least_part_bytes), and of the shortest block that goes in parts (least_block_in_parts).
static const int lengths[] = {2047,   2048,   2049,   40000,  65535,  65536,  65537,   130559, 130560,
                              131072, 131073, 196607, 196608, 196609, 262145, 1048575, 1048576, most};
enum { length_count = sizeof lengths / sizeof lengths[0] };

// Both send before they receive: short messages, which all implementations of MPI buffer, and with Kanor also
// those on both sides of least_offered_block.
static void meet_head_to_head(int with_long_ones) {
  static const int few[] = {0, 1, 280, 281, 1024, 2047, 2048, 2049, 4096, 65535, 65536, 65537, 196607, 196608, 196609};
  check_part("head to head");
  if (size == 1) return;
  for (int i = 0; i < (int)(sizeof few / sizeof few[0]) && (with_long_ones || few[i] <= 4096); ++i) {
    fill(out, few[i], rank + i);
    MPI_Send(out, few[i], MPI_BYTE, right, i, MPI_COMM_WORLD);
    fill(out, few[i], 99);
    MPI_Recv(in, few[i], MPI_BYTE, left, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(holds(in, few[i], left + i));
  }
}

// A rank that computes while its neighbour waits, and the other way round.
static double work(int turns) {
  double sum = 0;
  for (int i = 1; i <= turns; ++i) sum += 1.0 / i;
  return sum;
}

static void one_comes_first(void) {
  volatile double sink = 0;
  check_part("one side first");
  if (size % 2 != 0 && rank == size - 1) return;
  const int other = rank ^ 1;
  for (int turn = 0; turn < 4 * length_count; ++turn) {
    const int count = lengths[turn % length_count];
    if (turn / length_count % 2 == rank % 2) sink = sink + work(200000);
    if ((turn + rank) % 2 == 0) {
      fill(out, count, turn);
      MPI_Send(out, count, MPI_BYTE, other, turn, MPI_COMM_WORLD);
      fill(out, count, turn + 1);
    } else {
      MPI_Status status;
      int got = -1;
      MPI_Recv(in, count, MPI_BYTE, other, turn, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, MPI_BYTE, &got);
      CHECK_EQ(got, count);
      CHECK(holds(in, count, turn));
    }
  }
}

// Many at once, completed by each of the functions that do.
static void many_in_flight(int messages, int each) {
  enum { most_messages = 12 };
  MPI_Request requests[2 * most_messages];
  MPI_Status statuses[2 * most_messages];
  int indices[2 * most_messages];
  check_part("many in flight");
  for (int way = 0; way < 6; ++way) {
    int done = 0, some, index;
    memset(in, 0, (size_t)messages * (size_t)each);
    for (int i = 0; i < messages; ++i) fill(out + i * each, each, rank + 3 * i + way);
    for (int i = 0; i < messages; ++i) {
      const int at = way % 2 == 0 ? 2 * i : i, from = way % 2 == 0 ? 2 * i + 1 : messages + i;
      MPI_Isend(out + i * each, each, MPI_BYTE, right, i, MPI_COMM_WORLD, &requests[at]);
      MPI_Irecv(in + (messages - 1 - i) * each, each, MPI_BYTE, left, messages - 1 - i, MPI_COMM_WORLD,
                &requests[from]);
    }
    switch (way) {
      case 0:
        MPI_Waitall(2 * messages, requests, statuses);
        break;
      case 1:
        for (int i = 0; i < 2 * messages; ++i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        break;
      case 2:
        for (int i = 0; i < 2 * messages; ++i) MPI_Waitany(2 * messages, requests, &index, MPI_STATUS_IGNORE);
        break;
      case 3:
        while (done < 2 * messages) {
          MPI_Waitsome(2 * messages, requests, &some, indices, statuses);
          done += some;
        }
        break;
      case 4:
        while (!done) MPI_Testall(2 * messages, requests, &done, MPI_STATUSES_IGNORE);
        break;
      default:
        for (int i = 0; i < 2 * messages; ++i)
          for (done = 0; !done;) MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE);
    }
    fill(out, messages * each, 1000);
    for (int i = 0; i < messages; ++i) CHECK(holds(in + i * each, each, left + 3 * i + way));
  }
}

// From a vector to elements with gaps, to a block, and back; the type is freed while the message is under way.
static void layouts(void) {
  enum { rows = 1800, columns = 70 };
  int* const matrix = malloc(sizeof(int) * rows * columns);
  int* const other = malloc(sizeof(int) * rows * columns * 2);
  check_part("layouts");
  for (int i = 0; i < rows * columns; ++i) matrix[i] = rank * 1000000 + i;
  for (int to_block = 0; to_block < 2; ++to_block) {
    MPI_Datatype some_columns, spread;
    MPI_Request request;
    const int width = 30, count = rows * width;
    for (int i = 0; i < rows * columns * 2; ++i) other[i] = -1;
    MPI_Type_vector(rows, width, columns, MPI_INT, &some_columns);
    MPI_Type_commit(&some_columns);
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &spread);
    MPI_Type_commit(&spread);
    MPI_Isend(matrix + 7, 1, some_columns, right, 5, MPI_COMM_WORLD, &request);
    MPI_Type_free(&some_columns);
    MPI_Recv(other, count, to_block ? MPI_INT : spread, left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; ++i) {
      const int expected = left * 1000000 + i / width * columns + 7 + i % width;
      CHECK_EQ(other[to_block ? i : 2 * i], expected);
      if (!to_block) CHECK_EQ(other[2 * i + 1], -1);
    }
    MPI_Type_free(&spread);
  }
  free(matrix);
  free(other);
}

static void shifts(void) {
  check_part("Sendrecv, and in place");
  for (int i = 0; i < length_count; ++i) {
    fill(out, lengths[i], rank + i);
    MPI_Sendrecv(out, lengths[i], MPI_BYTE, right, i, in, lengths[i], MPI_BYTE, left, i, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    CHECK(holds(in, lengths[i], left + i));
    MPI_Sendrecv_replace(out, lengths[i], MPI_BYTE, left, i, right, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(holds(out, lengths[i], right + i));
  }
}

// A synchronous send is complete only when the receive has begun.
static void synchronous(void) {
  check_part("synchronous sends");
  if (size < 2 || rank > 1) return;
  for (int i = 0; i < length_count; ++i) {
    MPI_Request request;
    int done = 0, go = 0;
    if (rank == 0) {
      fill(out, lengths[i], i);
      MPI_Issend(out, lengths[i], MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request);
      for (int look = 0; look < 3000; ++look) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        CHECK_EQ(done, 0);
      }
      MPI_Send(&go, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      MPI_Ssend(out, lengths[i], MPI_BYTE, 1, 3, MPI_COMM_WORLD);
    } else {
      MPI_Recv(&go, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv(in, lengths[i], MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK(holds(in, lengths[i], i));
      MPI_Recv(in, lengths[i], MPI_BYTE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK(holds(in, lengths[i], i));
    }
  }
}

// Too long for the receiver: an error there, and the sender goes on.
static void too_long(void) {
  check_part("too long");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int i = 0; i < length_count; ++i) {
    MPI_Request request;
    int class = 0;
    fill(out, lengths[i], rank);
    memset(in, 0, (size_t)lengths[i]);
    MPI_Isend(out, lengths[i], MPI_BYTE, right, 0, MPI_COMM_WORLD, &request);
    const int error = MPI_Recv(in, lengths[i] - 1, MPI_BYTE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Error_class(error, &class);
    CHECK_EQ(class, MPI_ERR_TRUNCATE);
    CHECK_EQ(in[lengths[i] - 1], 0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

// Found by a probe first, from whomever, and received by its handle.
static void probed(void) {
  check_part("probed");
  for (int i = 0; i < length_count; ++i) {
    MPI_Request request;
    MPI_Status status;
    MPI_Message message;
    int count = 0;
    fill(out, lengths[i], rank);
    MPI_Isend(out, lengths[i], MPI_BYTE, right, i, MPI_COMM_WORLD, &request);
    MPI_Mprobe(MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &message, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    CHECK_EQ(count, lengths[i]);
    CHECK_EQ(status.MPI_SOURCE, left);
    if (lengths[i] < 4096 && size > 1) {
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      fill(out, lengths[i], 77);
    }
    MPI_Mrecv(in, count, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    CHECK(holds(in, count, left));
    if (lengths[i] >= 4096 || size == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

static void persistent(void) {
  MPI_Request requests[2];
  const int count = 50000;
  check_part("persistent");
  MPI_Send_init(out, count, MPI_BYTE, right, 8, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(in, count, MPI_BYTE, left, 8, MPI_COMM_WORLD, &requests[1]);
  for (int turn = 0; turn < 20; ++turn) {
    fill(out, count, rank + turn);
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK(holds(in, count, left + turn));
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

// To this rank itself, and what nobody waits for: the request is given up, and its message comes all the same.
static void given_up(void) {
  MPI_Request request;
  const int count = 200000;
  check_part("to itself, and given up");
  fill(out, count, 5);
  MPI_Isend(out, count, MPI_BYTE, rank, 1, MPI_COMM_WORLD, &request);
  MPI_Recv(in, count, MPI_BYTE, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(holds(in, count, 5));
  fill(out, count, rank);
  MPI_Isend(out, count, MPI_BYTE, right, 2, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  MPI_Recv(in, count, MPI_BYTE, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(holds(in, count, left));
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  begin_ring(&argc, &argv);
  out = malloc(most);
  in = malloc(most);
  meet_head_to_head(argc > 1);
  one_comes_first();
  many_in_flight(12, 70000);
  many_in_flight(5, 200000);
  layouts();
  shifts();
  synchronous();
  too_long();
  probed();
  persistent();
  given_up();
  free(out);
  free(in);
  return check_finish();
}

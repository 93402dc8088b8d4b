// RUN: %kanorc -O2 -Wall -Wextra -Werror %s -o %t && %run_everywhere %t
// RUN: env KANOR_DISABLE=sharing %run_everywhere --keep KANOR_DISABLE --ranks 2,5 %t
// RUN: env KANOR_DISABLE=inline %run_everywhere --keep KANOR_DISABLE --ranks 2,5 %t
// RUN: env KANOR_INFLIGHT=1K %run_everywhere --keep KANOR_INFLIGHT --modes threads,processes,mpi --ranks 3 %t
// RUN: env KANOR_INFLIGHT=1K %run_everywhere --keep KANOR_INFLIGHT --ranks 1 %t
// RUN: env KANOR_CHECK=1 %run_everywhere --keep KANOR_CHECK --ranks 1,5 %t
// The calls of kanor/opi.h and kanor/mpi.h: buffers given and messages sent, taken and received by each
// other, of all sizes, with and without waiting; what their statuses say. (Ranks wait for room in a cycle
// here, which those of several machines do not notice: docs/runtime.md.)
#include <kanor/opi.h>

#include <cstring>
#include <vector>

#include "check.hpp"

namespace {

int me, n, next, previous;

/// Those around which something changes: nothing, what fits into a ring's place, small and large memory.
constexpr int sizes[] = {0, 1, 87, 88, 89, 1 << 10, (1 << 16) + 3, 1 << 20};

/// What byte `at` of a message holds.
unsigned char content(int from, int tag, int at) {
  return static_cast<unsigned char>(31 * from + 7 * tag + at * 13 + (at >> 8));
}

void fill(void* data, int bytes, int from, int tag) {
  for (int i = 0; i < bytes; ++i) static_cast<unsigned char*>(data)[i] = content(from, tag, i);
}

bool holds(const void* data, int bytes, int from, int tag) {
  for (int i = 0; i < bytes; ++i)
    if (static_cast<const unsigned char*>(data)[i] != content(from, tag, i)) return false;
  return true;
}

bool is_aligned(const void* data) { return data && reinterpret_cast<std::uintptr_t>(data) % 64 == 0; }

unsigned char* filled(int bytes, int from, int tag) {
  unsigned char* data = nullptr;
  CHECK_EQ(OPI_Alloc(&data, static_cast<std::size_t>(bytes)), MPI_SUCCESS);
  CHECK(is_aligned(data));
  fill(data, bytes, from, tag);
  return data;
}

void check_status(const MPI_Status& status, int source, int tag, int bytes) {
  CHECK_EQ(status.MPI_SOURCE, source);
  CHECK_EQ(status.MPI_TAG, tag);
  int count = -1;
  MPI_Get_count(&status, MPI_BYTE, &count);
  CHECK_EQ(count, bytes);
}

/// Sends or gives.
void pass(bool gives, int bytes, int to, int tag, MPI_Comm comm = MPI_COMM_WORLD) {
  unsigned char* data = filled(bytes, me, tag);
  if (gives) {
    CHECK_EQ(OPI_Give(&data, bytes, MPI_BYTE, to, tag, comm), MPI_SUCCESS);
    CHECK(!data);
    return;
  }
  CHECK_EQ(MPI_Send(data, bytes, MPI_BYTE, to, tag, comm), MPI_SUCCESS);
  std::memset(data, 0, static_cast<std::size_t>(bytes));  // it has been copied
  CHECK_EQ(OPI_Free(&data), MPI_SUCCESS);
  CHECK(!data);
}

/// Receives or takes, into or at most `room` bytes.
void get(bool takes, int bytes, int room, int from, int tag, int is_from, int has_tag,
         MPI_Comm comm = MPI_COMM_WORLD, int sender = -1) {
  MPI_Status status = {-9, -9, -9, 0, 9};
  const int filled_by = sender < 0 ? is_from : sender;
  if (takes) {
    int dummy = 0;
    void* data = &dummy;
    CHECK_EQ(OPI_Take(&data, room, MPI_BYTE, from, tag, comm, &status), MPI_SUCCESS);
    CHECK(is_aligned(data));
    CHECK(holds(data, bytes, filled_by, has_tag));
    std::memset(data, 1, static_cast<std::size_t>(bytes));  // it is the taker's
    CHECK_EQ(OPI_Free(&data), MPI_SUCCESS);
    CHECK(!data);
  } else {
    std::vector<unsigned char> into(static_cast<std::size_t>(room) + 1, 77);
    CHECK_EQ(MPI_Recv(into.data(), room, MPI_BYTE, from, tag, comm, &status), MPI_SUCCESS);
    CHECK(holds(into.data(), bytes, filled_by, has_tag));
    for (int i = bytes; i <= room; ++i)
      if (into[i] != 77) CHECK(!"written behind the message");
  }
  check_status(status, is_from, has_tag, bytes);
}

void every_size() {
  int tag = 0;
  for (const int bytes : sizes)
    for (const bool gives : {false, true})
      for (const bool takes : {false, true}) {
        pass(gives, bytes, next, ++tag);
        get(takes, bytes, bytes, previous, tag, previous, tag);
        // More room than is needed; and again, so that memory is used again.
        pass(gives, bytes, next, ++tag);
        get(takes, bytes, bytes + 100, MPI_ANY_SOURCE, tag, previous, tag);
      }
}

void round_the_ring() {
  long* numbers = nullptr;
  constexpr int count = 3000;
  if (me == 0) {
    OPI_Alloc(&numbers, count * sizeof *numbers);
    for (int i = 0; i < count; ++i) numbers[i] = i;
  }
  for (int lap = 0; lap < 3; ++lap) {
    if (me != 0 || lap > 0)
      CHECK_EQ(OPI_Take(&numbers, count, MPI_LONG, previous, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE), 0);
    for (int i = 0; i < count; ++i) numbers[i] += me + 1;
    CHECK_EQ(OPI_Give(&numbers, count, MPI_LONG, next, 5, MPI_COMM_WORLD), MPI_SUCCESS);
    CHECK(!numbers);
  }
  if (me != 0) return;
  OPI_Take(&numbers, count, MPI_LONG, previous, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK_EQ(numbers[count - 1], count - 1 + 3L * n * (n + 1) / 2);
  CHECK_EQ(OPI_Free(&numbers), MPI_SUCCESS);
}

/// Found by tag in any order; with one tag in the order of sending.
void tags() {
  constexpr int most = 6;
  for (const bool takes : {false, true}) {
    for (int tag = 0; tag < most; ++tag) pass(tag % 2 == 0, 50 * tag, next, tag);
    for (int tag = most - 1; tag >= 0; --tag) get(takes, 50 * tag, 400, previous, tag, previous, tag);
    for (int tag = 0; tag < most; ++tag) pass(tag % 2 == 0, 50 * tag, next, tag);
    get(takes, 100, 400, previous, 2, previous, 2);
    for (int tag = 0; tag < most; ++tag)
      if (tag != 2) get(takes, 50 * tag, 400, previous, MPI_ANY_TAG, previous, tag);
    pass(takes, 10, next, 2147483647);
    get(takes, 10, 10, MPI_ANY_SOURCE, MPI_ANY_TAG, previous, 2147483647);
    // The same tag.
    for (int i = 0; i < most; ++i) {
      const int numbers[40] = {i, me, i * i};
      MPI_Send(numbers, i % 2 == 0 ? 40 : 3, MPI_INT, next, 1, MPI_COMM_WORLD);
    }
    for (int i = 0; i < most; ++i) {
      int* numbers = nullptr;
      CHECK_EQ(OPI_Take(&numbers, 40, MPI_INT, i % 3 == 0 ? MPI_ANY_SOURCE : previous,
                        i % 3 == 1 ? MPI_ANY_TAG : 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
               MPI_SUCCESS);
      CHECK_EQ(numbers[0] * 10 + numbers[2], i * 10 + i * i);
      CHECK_EQ(numbers[1], previous);
      OPI_Free(&numbers);
    }
    MPI_Barrier(MPI_COMM_WORLD);  // what comes next has the same tags, and any_source would find it
  }
}

/// From whoever comes first, each once. (What depends on the order is no CHECK_EQ: that would print it.)
void any_source() {
  for (const bool takes : {false, true}) {
    for (int r = 0; r < n; ++r) pass(r % 2 == 0, 120 + me, r, 40 + me);
    std::vector<int> lengths(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
      MPI_Status status;
      unsigned char received[1000];
      unsigned char* data = received;
      const int error =
          takes ? OPI_Take(&data, 1000, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status)
                : MPI_Recv(data, 1000, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      CHECK_EQ(error, MPI_SUCCESS);
      const int from = status.MPI_SOURCE;
      int count = 0;
      MPI_Get_count(&status, MPI_BYTE, &count);
      CHECK(from >= 0 && from < n && status.MPI_TAG == 40 + from);
      CHECK(holds(data, count, from, 40 + from));
      lengths[from] += count;
      if (takes) OPI_Free(&data);
    }
    for (int r = 0; r < n; ++r) CHECK_EQ(lengths[r], 120 + r);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

void nobody_and_oneself() {
  MPI_Status status = {-9, -9, -9, 0, 9};
  for (const int bytes : {0, 10, 5000}) {
    pass(true, bytes, MPI_PROC_NULL, 3);
    pass(false, bytes, MPI_PROC_NULL, 3);
    int dummy = 0;
    void* data = &dummy;
    CHECK_EQ(OPI_Take(&data, bytes, MPI_BYTE, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status), MPI_SUCCESS);
    CHECK(!data);
    check_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    unsigned char kept = 8;
    CHECK_EQ(MPI_Recv(&kept, 1, MPI_BYTE, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &status), MPI_SUCCESS);
    CHECK_EQ(int{kept}, 8);
    check_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    MPI_Request requests[2];
    data = &dummy;
    MPI_Irecv(&kept, 1, MPI_BYTE, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &requests[0]);
    OPI_Itake(&data, bytes, MPI_BYTE, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &requests[1]);
    CHECK(!data);
    for (MPI_Request& request : requests) {
      CHECK_EQ(MPI_Wait(&request, &status), MPI_SUCCESS);
      check_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    }
  }
  // Both communicators lead to oneself, and are kept apart.
  for (const int bytes : {0, 1, 88, 89, 5000})
    for (const bool gives : {false, true})
      for (const bool takes : {false, true}) {
        pass(gives, bytes, me, 6);
        pass(gives, bytes + 1, 0, 6, MPI_COMM_SELF);
        pass(gives, bytes + 2, 0, 7, MPI_COMM_SELF);
        get(takes, bytes + 1, 6000, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, 6, MPI_COMM_SELF, me);
        get(takes, bytes, 6000, MPI_ANY_SOURCE, MPI_ANY_TAG, me, 6);
        get(takes, bytes + 2, 6000, 0, 7, 0, 7, MPI_COMM_SELF, me);
      }
}

/// All to all without waiting, and all kinds of requests in one wait.
void requests() {
  const int kinds = 4, each = kinds * n;
  for (const int bytes : {3, 700, 70'000}) {
    std::vector<MPI_Request> all;
    std::vector<std::vector<unsigned char>> into(static_cast<std::size_t>(each),
                                                 std::vector<unsigned char>(static_cast<std::size_t>(bytes)));
    std::vector<unsigned char*> taken(static_cast<std::size_t>(each));
    int dummy = 0;
    // Half of the receives are posted before anything can have come.
    const auto post = [&](int first) {
      for (int i = first; i < each; i += 2) {
        const int from = i / kinds, kind = i % kinds;
        MPI_Request request = MPI_REQUEST_NULL;
        if (kind < 2) {
          CHECK_EQ(MPI_Irecv(into[i].data(), bytes, MPI_BYTE, from, kind, MPI_COMM_WORLD, &request),
                   MPI_SUCCESS);
        } else {
          taken[i] = reinterpret_cast<unsigned char*>(&dummy);
          CHECK_EQ(OPI_Itake(&taken[i], bytes, MPI_BYTE, from, kind, MPI_COMM_WORLD, &request), MPI_SUCCESS);
          CHECK(!taken[i]);
        }
        all.push_back(request);
      }
    };
    std::vector<unsigned char*> sent;
    post(0);
    for (int i = 0; i < each; ++i) {
      const int to = i / kinds, kind = i % kinds;
      unsigned char* data = filled(bytes, me, 100 * to + kind);
      MPI_Request request = MPI_REQUEST_NULL;
      if (kind % 2 == 0) {
        CHECK_EQ(OPI_Igive(&data, bytes, MPI_BYTE, to, kind, MPI_COMM_WORLD, &request), MPI_SUCCESS);
        CHECK(!data);
      } else {
        CHECK_EQ(MPI_Isend(data, bytes, MPI_BYTE, to, kind, MPI_COMM_WORLD, &request), MPI_SUCCESS);
        sent.push_back(data);
      }
      all.push_back(request);
    }
    const std::size_t posted_first = all.size() - static_cast<std::size_t>(each);
    post(1);
    all.push_back(MPI_REQUEST_NULL);
    std::vector<MPI_Status> statuses(all.size(), MPI_Status{-9, -9, -9, 0, 9});
    CHECK_EQ(MPI_Waitall(static_cast<int>(all.size()), all.data(),
                         bytes == 3 ? MPI_STATUSES_IGNORE : statuses.data()),
             MPI_SUCCESS);
    for (const MPI_Request request : all) CHECK(request == MPI_REQUEST_NULL);
    for (unsigned char* data : sent) {
      std::memset(data, 0, static_cast<std::size_t>(bytes));
      CHECK_EQ(OPI_Free(&data), MPI_SUCCESS);
    }
    for (int i = 0; i < each; ++i) {
      const int from = i / kinds, kind = i % kinds;
      CHECK(holds(kind < 2 ? into[i].data() : taken[i], bytes, from, 100 * me + kind));
      const std::size_t at = i % 2 == 0 ? i / 2 : posted_first + each + i / 2;
      if (bytes != 3) check_status(statuses[at], from, kind, bytes);
      if (kind >= 2) CHECK_EQ(OPI_Free(&taken[i]), MPI_SUCCESS);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/// Programs that look again and again, also with more ranks than cores.
void tests_in_loops() {
  for (int round = 0; round < 20; ++round) {
    double* numbers = nullptr;
    double more[300] = {};
    MPI_Request pair[2];
    OPI_Itake(&numbers, 300, MPI_DOUBLE, previous, 1, MPI_COMM_WORLD, &pair[0]);
    MPI_Irecv(more, 300, MPI_DOUBLE, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &pair[1]);
    int flag = 1;
    MPI_Status statuses[2];
    CHECK_EQ(MPI_Testall(2, pair, &flag, statuses), MPI_SUCCESS);
    if (!flag) {
      CHECK(pair[0] != MPI_REQUEST_NULL);
      CHECK(pair[1] != MPI_REQUEST_NULL);
    }
    double* mine = nullptr;
    OPI_Alloc(&mine, 300 * sizeof *mine);
    for (int i = 0; i < 300; ++i) mine[i] = 1000 * me + round + i;
    MPI_Send(mine, 300, MPI_DOUBLE, next, 2, MPI_COMM_WORLD);
    OPI_Give(&mine, round % 2 == 0 ? 10 : 300, MPI_DOUBLE, next, 1, MPI_COMM_WORLD);
    if (!flag && round % 3 == 0) {
      for (int i = 0; i < 2; ++i)
        for (int done = 0; !done;) CHECK(MPI_Test(&pair[i], &done, &statuses[i]) == MPI_SUCCESS);
    } else {
      while (!flag) CHECK(MPI_Testall(2, pair, &flag, statuses) == MPI_SUCCESS);
    }
    CHECK(pair[0] == MPI_REQUEST_NULL && pair[1] == MPI_REQUEST_NULL);
    check_status(statuses[0], previous, 1, 8 * (round % 2 == 0 ? 10 : 300));
    check_status(statuses[1], previous, 2, 2400);
    CHECK_EQ(numbers[9], 1000 * previous + round + 9.0);
    CHECK_EQ(more[299], 1000 * previous + round + 299.0);
    int done = 0;
    CHECK_EQ(MPI_Test(&pair[0], &done, &statuses[0]), MPI_SUCCESS);  // one that is none is complete
    CHECK_EQ(done, 1);
    CHECK_EQ(OPI_Free(&numbers), MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);  // tag 2 is received from anybody
  }
}

/// Who only looks, and never waits, makes room like those who wait: what it looks for comes behind what is
/// not asked for yet.
void looks_behind_others() {
  constexpr int ahead = 8, bytes = 3000;
  for (int i = 0; i < ahead; ++i) pass(i % 2 == 0, bytes, (me + n - i % 2) % n, 1);
  pass(true, 5, next, 2);
  unsigned char* last = nullptr;
  MPI_Request request;
  OPI_Itake(&last, 5, MPI_BYTE, previous, 2, MPI_COMM_WORLD, &request);
  for (int flag = 0; !flag;) CHECK(MPI_Test(&request, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(holds(last, 5, previous, 2));
  OPI_Free(&last);
  for (int i = 0; i < ahead; ++i) get(i % 4 < 2, bytes, bytes, (me + i % 2) % n, 1, (me + i % 2) % n, 1);
}

/// The first elements are what is given; the whole buffer goes.
void parts_of_buffers() {
  for (const int count : {0, 5, 11, 12, 2000}) {
    double* numbers = nullptr;
    OPI_Alloc(&numbers, 2000 * sizeof *numbers);
    for (int i = 0; i < 2000; ++i) numbers[i] = me + i;
    CHECK_EQ(OPI_Give(&numbers, count, MPI_DOUBLE, next, 0, MPI_COMM_WORLD), MPI_SUCCESS);
    CHECK(!numbers);
    MPI_Status status;
    CHECK_EQ(OPI_Take(&numbers, 3000, MPI_DOUBLE, previous, 0, MPI_COMM_WORLD, &status), MPI_SUCCESS);
    check_status(status, previous, 0, 8 * count);
    for (int i = 0; i < count; ++i)
      if (numbers[i] != previous + i) CHECK_EQ(numbers[i], previous + i);
    // Of what was taken a part is given on.
    CHECK_EQ(OPI_Give(&numbers, count / 2, MPI_DOUBLE, next, 1, MPI_COMM_WORLD), MPI_SUCCESS);
    CHECK_EQ(OPI_Take(&numbers, count / 2, MPI_DOUBLE, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
             MPI_SUCCESS);
    if (count > 1) CHECK_EQ(numbers[count / 2 - 1], (me + 2 * n - 2) % n + count / 2 - 1.0);
    OPI_Free(&numbers);
  }
}

void small_calls() {
  int flag = 0, number = -1, size = -1;
  CHECK_EQ(MPI_Init(nullptr, nullptr), MPI_SUCCESS);
  CHECK_EQ(MPI_Init(nullptr, nullptr), MPI_SUCCESS);
  CHECK_EQ(MPI_Initialized(&flag), MPI_SUCCESS);
  CHECK_EQ(flag, 1);
  CHECK_EQ(MPI_Comm_rank(MPI_COMM_WORLD, &number), MPI_SUCCESS);
  CHECK_EQ(MPI_Comm_size(MPI_COMM_WORLD, &size), MPI_SUCCESS);
  CHECK_EQ(number, kanor::world.rank());
  CHECK_EQ(size, kanor::world.size());
  CHECK_EQ(MPI_Comm_rank(MPI_COMM_SELF, &number), MPI_SUCCESS);
  CHECK_EQ(MPI_Comm_size(MPI_COMM_SELF, &size), MPI_SUCCESS);
  CHECK_EQ(number * 10 + size, 1);
  CHECK_EQ(MPI_Barrier(MPI_COMM_SELF), MPI_SUCCESS);
  const double before = MPI_Wtime();
  timespec little{0, 2'000'000};
  nanosleep(&little, nullptr);
  const double passed = MPI_Wtime() - before;
  CHECK(passed >= 0.0019 && passed < 60);

  const std::pair<MPI_Datatype, std::size_t> types[] = {{MPI_BYTE, 1},
                                                        {MPI_CHAR, 1},
                                                        {MPI_SIGNED_CHAR, 1},
                                                        {MPI_UNSIGNED_CHAR, 1},
                                                        {MPI_SHORT, sizeof(short)},
                                                        {MPI_UNSIGNED_SHORT, sizeof(short)},
                                                        {MPI_INT, sizeof(int)},
                                                        {MPI_UNSIGNED, sizeof(int)},
                                                        {MPI_LONG, sizeof(long)},
                                                        {MPI_UNSIGNED_LONG, sizeof(long)},
                                                        {MPI_LONG_LONG, sizeof(long long)},
                                                        {MPI_LONG_LONG_INT, sizeof(long long)},
                                                        {MPI_UNSIGNED_LONG_LONG, sizeof(long long)},
                                                        {MPI_FLOAT, sizeof(float)},
                                                        {MPI_DOUBLE, sizeof(double)},
                                                        {MPI_LONG_DOUBLE, sizeof(long double)},
                                                        {MPI_INT8_T, 1},
                                                        {MPI_INT16_T, 2},
                                                        {MPI_INT32_T, 4},
                                                        {MPI_INT64_T, 8},
                                                        {MPI_UINT8_T, 1},
                                                        {MPI_UINT16_T, 2},
                                                        {MPI_UINT32_T, 4},
                                                        {MPI_UINT64_T, 8}};
  for (const auto& [type, bytes] : types) {
    CHECK_EQ(MPI_Type_size(type, &size), MPI_SUCCESS);
    CHECK_EQ(static_cast<std::size_t>(size), bytes);
    MPI_Status status = {0, 0, 0, 0, 3 * bytes};
    CHECK_EQ(MPI_Get_count(&status, type, &size), MPI_SUCCESS);
    CHECK_EQ(size, 3);
    status.kanor_bytes = 3 * bytes + 1;
    CHECK_EQ(MPI_Get_count(&status, type, &size), MPI_SUCCESS);
    CHECK_EQ(size, bytes == 1 ? 4 : MPI_UNDEFINED);
  }
  CHECK_EQ(MPI_Finalize(), MPI_SUCCESS);
}

/// Nobody leaves a barrier before all have come; the ranks of a machine have one clock.
void barriers() {
  for (int round = 0; round < 5; ++round) {
    timespec little{0, 2'000'000};
    if (round % n == me) nanosleep(&little, nullptr);
    const double came = MPI_Wtime();
    MPI_Barrier(MPI_COMM_WORLD);
    const double went = MPI_Wtime();
    for (int r = 0; r < n; ++r) MPI_Send(&came, 1, MPI_DOUBLE, r, 9, MPI_COMM_WORLD);
    for (int r = 0; r < n; ++r) {
      double other = 0;
      MPI_Recv(&other, 1, MPI_DOUBLE, r, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK(other <= went);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  next = (me + 1) % n;
  previous = (me + n - 1) % n;
  every_size();
  round_the_ring();
  tags();
  any_source();
  nobody_and_oneself();
  requests();
  tests_in_loops();
  looks_behind_others();
  parts_of_buffers();
  small_calls();
  barriers();
  CHECK_EQ(std::string_view(OPI_Error_text()), "");
  return check::finish("ownership");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

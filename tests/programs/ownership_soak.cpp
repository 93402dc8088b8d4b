// RUN: %kanorc -O2 %s -o %t
// RUN: env KANOR_INFLIGHT=256K KANOR_STATS=1 %kanorrun -n 8 --mode threads %t 40000 > %t.threads 2>&1
// RUN: %FileCheck %s < %t.threads && %FileCheck %s --check-prefix=PEAK < %t.threads
// RUN: env KANOR_INFLIGHT=256K KANOR_STATS=1 %kanorrun -n 8 --mode processes %t 40000 > %t.processes 2>&1
// RUN: %FileCheck %s < %t.processes && %FileCheck %s --check-prefix=PEAK < %t.processes
// CHECK-DAG: rank 0 of 8: ok
// CHECK-DAG: rank 7 of 8: ok
// PEAK: kanor: rank 0: at most [[#PEAK:]] bytes in flight
// PEAK-SAME: limit [[#max(PEAK,262144)]]{{$}}
//
// A long run of ownership passing; for a real one give it some millions of messages for each rank. Buffers of
// random sizes and tags go from everyone to everyone and are taken from any source with any tag: none may be
// lost or overtaken, and the memory must stay what it is. Then one rank gives without pause while its
// receiver takes slowly, and while it takes nothing: what is on the way stays within KANOR_INFLIGHT.
#include <kanor/opi.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr int tags = 5, window = 1000;
constexpr int inflight = 256 << 10;

int me, n;
long complaints = 0;

void expect(bool condition, const char* what, long a, long b) {
  if (condition || ++complaints > 20) return;
  std::fprintf(stderr, "rank %d: %s: %ld, %ld\n", me, what, a, b);
}

std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 31)) * 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 29)) * 0xbf58476d1ce4e5b9u;
  return value ^ (value >> 32);
}

/// What is in a buffer that is long enough.
struct Head {
  std::uint64_t mark;
  int source, index;
};

/// The message with this index of a rank. All ranks know all of them.
struct Planned {
  int to, tag;
  std::size_t bytes;
  std::uint64_t mark;
};

Planned planned(int source, long index) {
  const std::uint64_t bits =
      mixed(static_cast<std::uint64_t>(source + 1) << 40 | static_cast<std::uint64_t>(index));
  const std::uint64_t kind = bits >> 20 & 15;
  const std::size_t most = kind == 0 ? 60'000 : kind < 4 ? 3000 : 200;
  return {static_cast<int>(bits % static_cast<std::uint64_t>(n)), static_cast<int>(bits >> 8 & 0xff) % tags,
          static_cast<std::size_t>((bits >> 24) % most), bits};
}

unsigned char last_byte(const Planned& plan) { return static_cast<unsigned char>(plan.mark >> 3); }

/// Of this process, in KiB: what it shares with others, and the rest.
struct Resident {
  long shared = 0, own = 0;
};

Resident resident() {
  Resident found;
  std::FILE* const file = std::fopen("/proc/self/status", "r");
  char line[200];
  long value = 0;
  while (file && std::fgets(line, sizeof line, file)) {
    if (std::sscanf(line, "RssShmem: %ld", &value) == 1) found.shared = value;
    if (std::sscanf(line, "RssAnon: %ld", &value) == 1) found.own = value;
  }
  if (file) std::fclose(file);
  return found;
}

/// Takes from everyone what is planned, each source's tags in their order.
class Receiver {
 public:
  Receiver() : next_(static_cast<std::size_t>(n * tags)) { post(); }

  /// Takes what has come, up to so many.
  void look(int most) {
    for (int flag = 1; flag && most > 0; --most) {
      MPI_Status status;
      MPI_Test(&request_, &flag, &status);
      if (flag) finish(status);
    }
  }
  void wait() {
    MPI_Status status;
    MPI_Wait(&request_, &status);
    finish(status);
  }
  long taken() const { return taken_; }
  /// Sends itself what the last request waits for.
  void end() {
    const int nothing = 0;
    MPI_Send(&nothing, 0, MPI_INT, me, tags, MPI_COMM_WORLD);
    MPI_Status status;
    MPI_Wait(&request_, &status);
    expect(status.MPI_TAG == tags && status.MPI_SOURCE == me, "too many messages", status.MPI_SOURCE,
           status.MPI_TAG);
    OPI_Free(&buffer_);
  }

 private:
  void post() {
    OPI_Itake(&buffer_, 100'000, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request_);
  }

  void finish(const MPI_Status& status) {
    const int source = status.MPI_SOURCE, tag = status.MPI_TAG;
    // The next one for this rank with the tag: what is in between went to others.
    long& index = next_[static_cast<std::size_t>(source * tags + tag)];
    Planned plan = planned(source, index);
    while (plan.to != me || plan.tag != tag) plan = planned(source, ++index);
    expect(status.kanor_bytes == plan.bytes, "a length", static_cast<long>(status.kanor_bytes),
           static_cast<long>(plan.bytes));
    if (plan.bytes > sizeof(Head)) {
      Head head;
      std::memcpy(&head, buffer_, sizeof head);
      expect(head.mark == plan.mark && head.source == source, "a message", head.index, index);
    }
    if (plan.bytes > 0)
      expect(buffer_[plan.bytes - 1] == last_byte(plan), "the end of a message", source, index);
    ++index;
    ++taken_;
    OPI_Free(&buffer_);
    post();
  }

  std::vector<long> next_;
  unsigned char* buffer_ = nullptr;
  MPI_Request request_ = MPI_REQUEST_NULL;
  long taken_ = 0;
};

void give(long index) {
  const Planned plan = planned(me, index);
  unsigned char* buffer = nullptr;
  OPI_Alloc(&buffer, plan.bytes);
  const Head head{plan.mark, me, static_cast<int>(index)};
  if (plan.bytes > 0) buffer[plan.bytes - 1] = last_byte(plan);
  if (plan.bytes > sizeof head) std::memcpy(buffer, &head, sizeof head);
  if (plan.bytes % 3 == 0) {
    MPI_Send(buffer, static_cast<int>(plan.bytes), MPI_BYTE, plan.to, plan.tag, MPI_COMM_WORLD);
    OPI_Free(&buffer);
  } else {
    OPI_Give(&buffer, static_cast<int>(plan.bytes), MPI_BYTE, plan.to, plan.tag, MPI_COMM_WORLD);
  }
}

void everyone_to_everyone(long messages) {
  Receiver receiver;
  Resident early;
  long expected = 0;
  for (long first = 0; first < messages; first += window) {
    const long end = std::min(messages, first + window);
    for (long index = first; index < end; ++index) {
      give(index);
      receiver.look(2);
    }
    for (int source = 0; source < n; ++source)
      for (long index = first; index < end; ++index) expected += planned(source, index).to == me;
    while (receiver.taken() < expected) receiver.wait();
    if (first <= messages / 3 && messages / 3 < end) {
      MPI_Barrier(MPI_COMM_WORLD);
      early = resident();
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  receiver.end();
  const Resident late = resident();
  // What is in use at one time has its records, each a little above the last one.
  const long before = early.shared + early.own, used = late.shared + late.own;
  expect(used <= before * 3 / 2 + (4 << 10) && used < 160 << 10, "the memory has grown, in KiB", before, used);
  if (me == 0)
    std::printf(
        "%ld messages for each rank, memory in KiB: %ld and %ld after a third, %ld and %ld at the end\n",
        messages, early.shared, early.own, late.shared, late.own);
}

void pause(long microseconds) {
  const timespec little{microseconds / 1'000'000, microseconds % 1'000'000 * 1000};
  nanosleep(&little, nullptr);
}

/// Rank 0 gives to rank 1, which takes after each pause, and not before so many microseconds have passed.
void one_sided(int buffers, std::size_t bytes, long pause_us, long begin_us) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (me == 0) {
    std::vector<double> given;
    for (int i = 0; i < buffers; ++i) {
      unsigned char* buffer = nullptr;
      OPI_Alloc(&buffer, bytes);
      std::fill_n(buffer, bytes, static_cast<unsigned char>(i));
      OPI_Give(&buffer, static_cast<int>(bytes), MPI_BYTE, 1, 0, MPI_COMM_WORLD);
      given.push_back(MPI_Wtime());
    }
    double begun = 0;
    MPI_Recv(&begun, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (begin_us == 0) return;
    // It went ahead by what there is room for, and no further.
    const long ahead = std::upper_bound(given.begin(), given.end(), begun) - given.begin();
    const long ahead_bytes = ahead * static_cast<long>(bytes);
    expect(ahead_bytes <= inflight, "bytes given before the first was taken, limit", ahead_bytes, inflight);
    expect(ahead_bytes >= inflight / 2, "bytes given before the first was taken, limit", ahead_bytes,
           inflight);
  }
  if (me == 1) {
    pause(begin_us);
    const double begun = MPI_Wtime();
    for (int i = 0; i < buffers; ++i) {
      unsigned char* buffer = nullptr;
      if (pause_us > 0) pause(pause_us);
      OPI_Take(&buffer, static_cast<int>(bytes), MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      expect(buffer[0] == static_cast<unsigned char>(i) && buffer[bytes - 1] == buffer[0], "a gift",
             buffer[0], i);
      OPI_Free(&buffer);
    }
    MPI_Send(&begun, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
  }
}

}  // namespace

int main(int, char** argv) {
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  everyone_to_everyone(std::atol(argv[1]));
  one_sided(2000, 8000, 50, 0);
  one_sided(200, 8000, 0, 200'000);
  one_sided(5000, 1000, 0, 200'000);
  one_sided(10, 100'000, 1000, 0);
  std::printf("rank %d of %d: %s\n", me, n, complaints == 0 ? "ok" : "FAILED");
  return complaints == 0 ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

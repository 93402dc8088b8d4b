// What the three programs of sharing.py have in common: the command line, the reading, and the line they
// print.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

/// The command line: OPERATION CASE BATCHES ITERATIONS BYTES.
struct Request {
  std::string operation, kind;
  int batches = 1;
  int iterations = 1;
  std::size_t count = 1;  ///< numbers of a rank
};

inline Request read_request(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: %s OPERATION CASE BATCHES ITERATIONS BYTES\n", argv[0]);
    std::exit(2);
  }
  return {argv[1], argv[2], std::atoi(argv[3]), std::atoi(argv[4]),
          static_cast<std::size_t>(std::atol(argv[5])) / sizeof(long)};
}

/// What every receiver does with what it got: looks at all of it. A function of its own, so that it is the
/// same code in all programs: inlined, its loop may or may not lie across two lines of the instruction cache,
/// a factor of two where a core loads 16 bytes a cycle.
[[gnu::noinline, gnu::aligned(64)]] inline long sum(const long* numbers, std::size_t count) {
  long total = 0;
  for (std::size_t i = 0; i < count; ++i) total += numbers[i];
  return total;
}

/// How often a thread has come to where all meet.
struct alignas(128) Arrival {
  std::atomic<long> count{0};
};
constexpr int most_ranks = 64;

inline void wait_for(const std::atomic<long>& what, long least) {
  while (what.load(std::memory_order_acquire) < least) {
  }
}

/// Threads meet for the `meeting`th time: nobody goes on before all have come. By hand in both programs where
/// it is no part of what they are compared in.
inline void meet(Arrival (&arrivals)[most_ranks], int rank, int ranks, long meeting) {
  arrivals[rank].count.store(meeting, std::memory_order_release);
  for (int other = 0; other < ranks; ++other) wait_for(arrivals[other].count, meeting);
}

/// Counts the turns of a loop, in batches, after one batch that does not count; `meet` ends each batch, so
/// that it has lasted until the last rank was done.
///
///     Turns turns(request, meet);
///     while (turns.next()) …
class Turns {
 public:
  Turns(const Request& request, void (*meet)()) : request_(request), meet_(meet) {}

  bool next() {
    if (turn_ % request_.iterations == 0) {
      meet_();
      const auto now = Clock::now();
      const std::chrono::duration<double, std::micro> took = now - began_;
      if (turn_ / request_.iterations > 1) times_.push_back(took.count() / request_.iterations);
      began_ = now;
    }
    return turn_++ < request_.iterations * (request_.batches + 1);
  }
  /// Counted from 0.
  int now() const { return turn_ - 1; }
  /// Microseconds of one turn in each batch.
  const std::vector<double>& times() const { return times_; }

 private:
  using Clock = std::chrono::steady_clock;
  const Request request_;
  void (*const meet_)();
  Clock::time_point began_ = Clock::now();
  int turn_ = 0;
  std::vector<double> times_;
};

/// One line: the checksum, which must be the same for all programs, then each batch.
inline void print_batches(long checksum, const std::vector<double>& microseconds) {
  std::printf("%ld", checksum);
  for (const double one : microseconds) std::printf(" %.3f", one);
  std::printf("\n");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

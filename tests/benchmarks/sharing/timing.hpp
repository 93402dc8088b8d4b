// What the three programs of sharing.py have in common: the command line, the reading, and the line they print.
#pragma once

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

/// What every receiver does with what it got: looks at all of it.
inline long sum(const long* numbers, std::size_t count) {
  long total = 0;
  for (std::size_t i = 0; i < count; ++i) total += numbers[i];
  return total;
}

/// Counts the turns of a loop, in batches, after one batch that does not count; `meet` ends each batch, so that
/// it has lasted until the last rank was done.
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

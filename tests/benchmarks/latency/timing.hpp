// What the Kanor and the MPI programs have in common: batches, the clock, and the line that they print.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

/// The command line: CASE BATCHES ITERATIONS [WIDTH].
struct Request {
  std::string what;
  int batches = 1;
  int iterations = 1;
  int width = 1;  ///< doubles in a row of the halo cases
};

inline Request read_request(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: %s CASE BATCHES ITERATIONS [WIDTH]\n", argv[0]);
    std::exit(2);
  }
  return {argv[1], std::atoi(argv[2]), std::atoi(argv[3]), argc > 4 ? std::atoi(argv[4]) : 1};
}

/// Runs `once(iteration)` in batches, after one batch that does not count. Answers nanoseconds of one
/// iteration in each batch, as this rank sees them.
template <class Once>
std::vector<double> time_batches(const Request& request, Once once) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> nanoseconds;
  for (int batch = 0, n = 0; batch <= request.batches; ++batch) {
    const auto began = Clock::now();
    for (int i = 0; i < request.iterations; ++i) once(n++);
    const std::chrono::duration<double, std::nano> took = Clock::now() - began;
    if (batch > 0) nanoseconds.push_back(took.count() / request.iterations);
  }
  return nanoseconds;
}

/// The step of the halo cases: every number of a row that is sent is new, and made from one that was
/// received. A row that stayed as it was would lie in both cores' caches, and cost neither side what an
/// exchange costs.
inline void next_row(double* row, const double* received, int width) {
  for (int i = 0; i < width; ++i) row[i] = received[i] + 1;
}

/// The numbers below `count`, each once, in an order without a pattern.
inline std::vector<int> scattered(int count) {
  std::vector<int> numbers(count);
  for (int i = 0; i < count; ++i) numbers[i] = i;
  unsigned state = 1;
  for (int i = count - 1; i > 0; --i) {
    state = state * 1664525u + 1013904223u;
    std::swap(numbers[i], numbers[state % static_cast<unsigned>(i + 1)]);
  }
  return numbers;
}

/// One line: the checksum, which must be the same for both programs, then each batch.
inline void print_batches(double checksum, const std::vector<double>& nanoseconds) {
  std::printf("%.17g", checksum);
  for (const double one : nanoseconds) std::printf(" %.1f", one);
  std::printf("\n");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

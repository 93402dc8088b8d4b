// What the programs of kernels.py have in common: the clock of both kernels, and what a rank has to report.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

/// Sums are taken over the ranks, times of the latest one.
struct Report {
  std::vector<double> checks;         ///< what is the same in all programs, but for rounding
  std::vector<double> total;          ///< microseconds of a step, in each batch of steps
  std::vector<double> communication;  ///< of these, packing, exchanging and unpacking
};

inline void merge(Report& into, const Report& other) {
  for (std::size_t i = 0; i < into.checks.size(); ++i) into.checks[i] += other.checks[i];
  for (std::size_t i = 0; i < into.total.size(); ++i) {
    into.total[i] = std::max(into.total[i], other.total[i]);
    into.communication[i] = std::max(into.communication[i], other.communication[i]);
  }
}

/// A line of checks, one of total times, one of communication.
inline void print(const Report& report) {
  for (const std::vector<double>* const numbers : {&report.checks, &report.total, &report.communication}) {
    for (const double number : *numbers) std::printf("%.12g ", number);
    std::printf("\n");
  }
}

/// Sums up the time from each start() to the next stop().
class Stopwatch {
 public:
  void start() { began_ = Clock::now(); }
  void stop() { took_ += Clock::now() - began_; }
  /// Microseconds since the last call, divided by `steps`.
  double take(int steps) {
    const std::chrono::duration<double, std::micro> took = took_;
    took_ = {};
    return took.count() / steps;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point began_;
  Clock::duration took_{0};
};

/// The command line: SIZE BATCHES [EDGE].
struct Request {
  int size = 0, batches = 0;
  int edge = 0;  ///< of the tiles in which the transform's parts are exchanged; 0: each part at once
};

inline Request read_request(int argc, char** argv) {
  Request request;
  if (argc == 3 || argc == 4)
    request = {std::atoi(argv[1]), std::atoi(argv[2]), argc == 4 ? std::atoi(argv[3]) : 0};
  if (request.size < 1 || request.batches < 1 || request.edge < 0) {
    std::fprintf(stderr, "usage: %s SIZE BATCHES [EDGE]\n", argv[0]);
    std::exit(2);
  }
  return request;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

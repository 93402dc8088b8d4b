// Ranks as threads by hand, each on a core, and where they tell each other what they have.
#pragma once

#include <pthread.h>
#include <sched.h>

#include <mutex>
#include <thread>

#include "common.hpp"

inline int ranks = 2;
inline Arrival arrivals[most_ranks];
inline thread_local int self = 0;
inline thread_local long meetings = 0;

inline void meet() { meet(arrivals, self, ranks, ++meetings); }

/// Where a rank says to its partner what it has for it: a message's number and its buffer, or the content
/// itself, where it has room beside them.
struct alignas(128) Line {
  static constexpr std::size_t room = 6;

  void publish(long number, long* data) {
    buffer = data;
    turn.store(number + 1, std::memory_order_release);
  }
  long* take(long number) const {
    wait_for(turn, number + 1);
    return buffer;
  }

  std::atomic<long> turn{0};
  long* buffer = nullptr;
  long content[room] = {};
};
/// Of each rank two, used in turn: who publishes in one has what the partner published in the other, and so
/// the partner has taken what was here.
inline Line lines[most_ranks][2];

/// Runs `work(request, rank)` as every rank, and prints what they report; nothing is reported of an operation
/// that there is not.
inline int run(int argc, char** argv, Report (*work)(const Request&, int)) {
  const Request request = read_request(argc, argv);
  if (const char* const text = std::getenv("KANOR_RANKS")) ranks = std::atoi(text);
  Report all;
  std::mutex merging;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      self = rank;
      cpu_set_t core;
      CPU_ZERO(&core);
      CPU_SET(static_cast<unsigned>(rank) % std::thread::hardware_concurrency(), &core);
      pthread_setaffinity_np(pthread_self(), sizeof core, &core);
      const Report report = work(request, rank);
      const std::lock_guard lock(merging);
      if (all.times.empty()) all.times.resize(report.times.size());
      merge(all, report);
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (all.times.empty()) return unknown(request);
  print_batches(all.seen, all.times);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Cases 1 and 2a of sharing_kanor.cpp as threads by hand: a rank publishes a pointer, the others read where
// it points.
#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <thread>
#include <vector>

#include "timing.hpp"

namespace {

int ranks = 2;

/// So many values a rank may have published that not all of its readers have seen.
constexpr long depth = 8;

struct alignas(128) Slot {
  std::atomic<long> turn{0};
  std::vector<long>* value[depth] = {};
  std::vector<std::vector<long>*> rows[depth];  ///< of an all-to-all: one for each rank
};
Slot slots[most_ranks];
Arrival arrivals[most_ranks];
thread_local int self = 0;
thread_local long meetings = 0;

/// How far the others were when they were last looked at.
thread_local long known[most_ranks] = {};

/// Before a slot is written again its reader must have come so far.
void wait_for_reader(int reader) {
  const long least = meetings - (depth - 1);
  if (known[reader] >= least) return;
  wait_for(arrivals[reader].count, least);
  known[reader] = arrivals[reader].count.load(std::memory_order_acquire);
}

void meet() { meet(arrivals, self, ranks, ++meetings); }

/// Each rank publishes its rows, and takes the one that each of the others has for it.
long exchange_rows(const Request& request, int rank, Turns& turns) {
  std::vector<std::vector<long>> own(ranks, std::vector<long>(request.count / ranks, rank + 1));
  std::vector<std::vector<long>*> mine;
  for (auto& row : own) mine.push_back(&row);
  long seen = 0;
  while (turns.next()) {
    const long turn = turns.now();
    slots[rank].rows[turn % depth] = mine;
    slots[rank].turn.store(turn + 1, std::memory_order_release);
    for (int from = 0; from < ranks; ++from) {
      wait_for(slots[from].turn, turn + 1);
      mine[from] = slots[from].rows[turn % depth][rank];
      seen += sum(mine[from]->data(), mine[from]->size());
    }
    if (request.kind == "2a") (*mine[0])[turn % mine[0]->size()] += 1;
    arrivals[rank].count.store(++meetings, std::memory_order_release);
    for (int reader = 0; reader < ranks; ++reader) wait_for_reader(reader);
  }
  meet();
  return seen;
}

void run(const Request& request, int rank) {
  self = rank;
  cpu_set_t core;
  CPU_ZERO(&core);
  CPU_SET(static_cast<unsigned>(rank) % std::thread::hardware_concurrency(), &core);
  pthread_setaffinity_np(pthread_self(), sizeof core, &core);
  std::vector<long> A(request.count, rank + 1);
  std::vector<long>* mine = &A;
  static std::atomic<long> all{0};
  long seen = 0;
  const bool is_broadcast = request.operation == "broadcast";
  const int from = is_broadcast ? 0 : (rank + ranks - 1) % ranks;
  Turns turns(request, meet);
  const bool is_all_to_all = request.operation == "all-to-all";
  if (is_all_to_all) seen = exchange_rows(request, rank, turns);
  while (!is_all_to_all && turns.next()) {
    const long turn = turns.now();
    if (!is_broadcast || rank == 0) {
      slots[rank].value[turn % depth] = mine;
      slots[rank].turn.store(turn + 1, std::memory_order_release);
    }
    wait_for(slots[from].turn, turn + 1);
    std::vector<long>* const got = slots[from].value[turn % depth];
    if (!is_broadcast) mine = got;
    seen += sum(got->data(), got->size());
    if (request.kind == "2a") {
      if (is_broadcast) meet();
      (*mine)[turn % request.count] += 1;
    }
    arrivals[rank].count.store(++meetings, std::memory_order_release);
    if (!is_broadcast) wait_for_reader((rank + 1) % ranks);
    if (is_broadcast && rank == 0)
      for (int reader = 1; reader < ranks; ++reader) wait_for_reader(reader);
  }
  all.fetch_add(seen);
  meet();
  if (rank == 0) print_batches(all.load(), turns.times());
  meet();
}

}  // namespace

int main(int argc, char** argv) {
  const Request request = read_request(argc, argv);
  if (const char* const text = std::getenv("KANOR_RANKS")) ranks = std::atoi(text);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) threads.emplace_back(run, request, rank);
  for (std::thread& thread : threads) thread.join();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

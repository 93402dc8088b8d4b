// RUN: %kanorc %s -o %t && %run_everywhere --ranks 1,2,3,5,9 %t
// Initialisers run for each rank before its main, however its variables exist: they ask for the rank, execute
// blocks, start threads, register functions for the end, and print.
#include "check.hpp"

#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace {

using kanor::world;

const int ranks = world.size(), me = world.rank();

int from_left() {
  int left = -1;
  const int mine = 10 * me;
  @communicate { left@(i + 1) % ranks <<= mine@i where i in world }
  return left;
}

const int left = from_left();

/// A table that each rank makes together with the others, longer than a message that travels by itself.
struct Table {
  std::vector<long> sums = std::vector<long>(20000, me);
  std::vector<std::string> names;

  Table() {
    const std::string name = "rank " + std::to_string(me);
    names.resize(static_cast<std::size_t>(ranks));
    @communicate {
      sums@i << + << sums@j where i, j in world;
      names[j]@i <<= name@j where i, j in world;
    }
  }
};
Table table;

// A buffer in message memory, made by the rank.
kanor::buffer<int> numbers(1000, me);

int doubled(int value) {
  static const int factor = world.rank() + 2;
  return factor * value;
}
int later = doubled(21);

#ifdef THREADS
/// A thread that waits for work from before main on; it belongs to its rank.
class Worker {
 public:
  Worker() : thread_([this] { run(); }) {}
  ~Worker() {
    ask(-1);
    thread_.join();
  }
  int square(int number) {
    ask(number);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return answered_; });
    return answer_;
  }

 private:
  void ask(int number) {
    const std::lock_guard lock(mutex_);
    question_ = number;
    asked_ = true;
    answered_ = false;
    changed_.notify_all();
  }
  void run() {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return asked_; });
      if (question_ < 0) return;
      answer_ = question_ * question_ + world.rank() - me;
      asked_ = false;
      answered_ = true;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool asked_ = false, answered_ = false;
  int question_ = 0, answer_ = 0;
  std::thread thread_;
};
Worker worker;
#endif

}  // namespace

int main() {
  const int n = world.size(), rank = world.rank();
  CHECK_EQ(ranks, n);
  CHECK_EQ(me, rank);
  CHECK_EQ(left, 10 * ((rank + n - 1) % n));
  const long sum = static_cast<long>(n) * (n - 1) / 2;
  CHECK_EQ(std::accumulate(table.sums.begin(), table.sums.end(), 0L), 20000 * sum);
  for (int j = 0; j < n; ++j) CHECK(table.names[static_cast<std::size_t>(j)] == "rank " + std::to_string(j));
  CHECK_EQ(later, 21 * (rank + 2));

  @communicate { numbers@(i + 1) % n <<= numbers@i where i in world }
  CHECK_EQ(numbers[999], (rank + n - 1) % n);
#ifdef THREADS
  for (int k = 0; k < 100; ++k) CHECK_EQ(worker.square(k), k * k);
#endif
  return check::finish("initialisers");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

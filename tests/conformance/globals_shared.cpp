// RUN: %kanorc %s -o %t
// RUN: %kanorrun -n 4 --mode threads %t threads
// RUN: %kanorrun -n 4 --mode processes %t processes
// [[kanor::shared]] opts out: one variable for all ranks of a process. A program that uses it says so
// by its modes, so it is not run everywhere.
#include "check.hpp"

#include <atomic>
#include <string_view>

namespace {
[[kanor::shared]] std::atomic<int> arrivals{0};
std::atomic<int> mine{0};
struct Statistics {
  [[kanor::shared]] static inline std::atomic<int> total{0};
};
int arrive() {
  [[kanor::shared]] static std::atomic<int> calls{0};
  return ++calls;
}
}  // namespace

int main(int argc, char** argv) {
  const bool threads = argc > 1 && std::string_view(argv[1]) == "threads";
  const int n = kanor::world.size(), expected = threads ? n : 1;
  ++arrivals;
  ++mine;
  ++Statistics::total;
  const int call = arrive();
  int calls = 0, token = 0;
  @communicate { calls@i << max << call@s where i, s in world; token@i << + << 1@s where i, s in world }
  CHECK_EQ(token, n);
  CHECK_EQ(calls, expected);
  CHECK_EQ(arrivals.load(), expected);
  CHECK_EQ(Statistics::total.load(), expected);
  CHECK_EQ(mine.load(), 1);
  return check::finish("globals_shared");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

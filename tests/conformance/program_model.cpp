// RUN: %kanorc %s -o %t && %run_everywhere %t one "two words"
// What a rank is told: the world, its arguments, its environment, its stack; how main may end; plain C++ around it.
#include "check.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <ranges>
#include <string>
#include <sys/resource.h>
#include <type_traits>
#include <utility>
#include <vector>

static_assert(std::is_same_v<decltype(kanor::world.size()), int>);
static_assert(std::is_same_v<decltype(kanor::world.rank()), int>);
static_assert(std::ranges::range<decltype(kanor::world)>);

// The vectors of a main that exit() leaves are not destroyed, which LeakSanitizer takes for a leak once the
// rank's thread and its stack are gone.
extern "C" const char* __lsan_default_suppressions() { return "leak:main\n"; }

namespace {

int deep(int depth) {
  volatile char frame[64 * 1024];
  frame[0] = static_cast<char>(depth);
  return depth == 0 ? frame[0] : deep(depth - 1) + frame[0] * 0;
}

struct AtExit {
  ~AtExit() { std::printf("destroyed %d\n", number); }
  int number;
};

}  // namespace

int main(int argc, char* argv[], char** environment) {
  const int n = kanor::world.size(), me = kanor::world.rank();
  CHECK(n >= 1 && me >= 0 && me < n);
  std::vector<int> members;
  for (const int rank : kanor::world) members.push_back(rank);
  CHECK_EQ(members.size(), static_cast<std::size_t>(n));
  CHECK(std::ranges::is_sorted(members) && members.front() == 0 && members.back() == n - 1);
  CHECK_EQ(static_cast<int>(std::ranges::distance(kanor::world)), n);
  int steps = 0;
  for (const int k : kanor::range(2, 9, 3)) steps = 10 * steps + k;
  CHECK_EQ(steps, 258);

  CHECK_EQ(argc, 3);
  CHECK_EQ(std::string(argv[1]), "one");
  CHECK_EQ(std::string(argv[2]), "two words");
  CHECK(argv[3] == nullptr);
  CHECK(environment != nullptr && std::getenv("PATH") != nullptr);

  // Every rank is somebody else, and they are all there.
  std::vector<int> present(n, 0);
  @communicate { present[i]@j <<= me + 1@i where i, j in world }
  for (int i = 0; i < n; ++i) CHECK_EQ(present[i], i + 1);

  // A rank's stack is as large as the process's limit allows: 6 of the usual 8 MiB.
  rlimit limit{};
  getrlimit(RLIMIT_STACK, &limit);
  if (limit.rlim_cur >= 8u << 20) CHECK_EQ(deep(96), 0);

  // exit(0) ends the rank as return does; static storage is destroyed for each rank.
  static AtExit at_exit{me};
  const int status = check::finish("program_model");
  if (me % 2 == 0 && status == 0) std::exit(0);
  return status;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

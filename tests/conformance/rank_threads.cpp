// Threads that a rank starts belong to it, whoever starts them: they know its number and execute its blocks. (There
// are no globals here: with some, ranks could not be threads.)
// RUN: %kanorc %s -o %t && %run_everywhere --ranks 1,3,4 %t
// RUN: %kanorc -fopenmp -DWITH_OPENMP %s -o %t.omp && %run_everywhere --ranks 2 %t.omp
// RUN: %kanorc -g -fsanitize=address %s -o %t.asan
// RUN: %run_everywhere --modes threads,processes --ranks 2 %t.asan
// RUN: %kanorc -static %s -o %t.static 2> %t.err && %run_everywhere --modes threads,processes --ranks 2 %t.static
#include <kanor/kanor.hpp>

#include <cstdio>
#include <future>
#include <thread>
#include <vector>

namespace {

/// The rank that sends to this one.
int neighbour() {
  const int me = kanor::world.rank();
  int left = -1;
  @communicate { left@(i + 1) % world.size() <<= me@i where i in world }
  return left;
}

}  // namespace

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank();
  const int expected = (me + n - 1) % n;
  int failures = 0;
  const auto check = [&](const char* what, int actual, int wanted) {
    if (actual == wanted) return;
    ++failures;
    std::fprintf(stderr, "rank %d of %d: %s: got %d, expected %d\n", me, n, what, actual, wanted);
  };

  int left = -1;
  std::thread([&] { left = neighbour(); }).join();
  check("std::thread", left, expected);
  check("std::async", std::async(std::launch::async, neighbour).get(), expected);
  std::thread([&] { std::thread([&] { left = 100 + neighbour(); }).join(); }).join();
  check("a thread of a thread", left, 100 + expected);
  check("the rank itself", neighbour(), expected);

  std::vector<int> numbers(8, -1);
  std::vector<std::thread> workers;
  for (std::size_t k = 0; k < numbers.size(); ++k)
    workers.emplace_back([&numbers, k] { numbers[k] = kanor::world.rank(); });
  for (std::thread& worker : workers) worker.join();
  for (const int number : numbers) check("one of several threads", number, me);
#ifdef WITH_OPENMP
#pragma omp parallel for num_threads(8)
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = 100 + kanor::world.rank();
  for (const int number : numbers) check("OpenMP", number, 100 + me);
#endif
  std::printf("rank_threads rank %d of %d: %s\n", me, n, failures ? "FAILED" : "ok");
  return failures ? 1 : 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

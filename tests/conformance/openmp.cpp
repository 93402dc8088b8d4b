// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clauses of OpenMP may name global and static variables, and its threads may take turns to communicate: ranks are
// processes then. Without OpenMP the directives mean nothing.
// RUN: %kanorc -fopenmp %s -o %t 2>&1 | %FileCheck %s && %run_everywhere --ranks 1,2,3 --modes processes,mpi %t
// RUN: %kanorc -fopenmp -c %s -o %t.o && %kanorc -fopenmp %t.o -o %t 2>&1 | %FileCheck %s && %run_everywhere --ranks 2 --modes processes %t
// RUN: %kanorc -Wno-unknown-pragmas %s -o %t.serial && %run_everywhere --ranks 1,3 %t.serial
// CHECK: note: the ranks of {{.*}} will be processes, not threads: {{.*(an OpenMP directive may name it|the block inside would wait for ranks that wait for this lock)}}
#include <kanor/kanor.hpp>

#include <cstdio>

namespace {

using kanor::world;

int total = 0;
int unnamed = 5;
double largest = -1;
int per_thread = 0;
#pragma omp threadprivate(per_thread)

int wrong_sums() {
  static int weight = 2;
  const int first = 100 * world.rank();
#pragma omp parallel for num_threads(2) reduction(+ : total) \
    firstprivate(weight) reduction(max : largest)
  for (int k = first; k < first + 100; ++k) {
    total += weight * k + unnamed;
    largest = k > largest ? k : largest;
  }
  int all = 0;
  @communicate {
    all@i << + << total@j where i, j in world;
    largest@i << max << largest@j where i, j in world
  }
  const int count = 100 * world.size();
  return (all != count * (count - 1) + unnamed * count) + (largest != count - 1);
}

/// Two threads of each rank communicate, one after the other: the ranks' threads must not share the lock.
int wrong_turns() {
  int sum = 0, turns = per_thread;
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    {
      int here = 0;
      @communicate { here@i << + << world.rank()@j where i, j in world }
      sum += here;
      ++turns;
    }
  }
  return sum != turns * world.size() * (world.size() - 1) / 2;
}

}  // namespace

int main() {
  const int wrong = wrong_sums() + wrong_turns();
  if (wrong != 0) std::printf("rank %d: %d wrong\n", world.rank(), wrong);
  return wrong;
}

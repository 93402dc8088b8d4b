// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements behind pragmas use what blocks send and receive: nothing may come between a pragma and its statement,
// and OpenMP's threads see the same elements with sharing as without.
// RUN: %kanorc -Wno-unknown-pragmas %s -o %t && %run_everywhere --ranks 1,2,3 %t
// RUN: %kanorc -fopenmp %s -o %t.omp && %run_everywhere --ranks 1,3 %t.omp
// RUN: %kanorc -fopenmp --explain %s | %FileCheck %s
#include <kanor/kanor.hpp>

#include <cstdio>
#include <vector>

#define PARALLEL_FOR _Pragma("omp parallel for")
#define FOR_EACH(i, n) PARALLEL_FOR for (int i = 0; i < (n); ++i)

namespace {

using kanor::world;
using Numbers = std::vector<double>;
constexpr int length = 1000;

/// The sum of what rank `me` has at the end, without blocks: after step t rank r's element k is k + t + r.
double expected(int me, int steps) {
  const int left = (me + world.size() - 1) % world.size();
  double sum = 0;
  for (int t = 0; t < steps; ++t)
    for (int k = 0; k < length; ++k) sum += k + t + left;
  return sum;
}

double for_speed(int steps) {
  Numbers here(length), there(length);
  double sum = 0;
  for (int t = 0; t < steps; ++t) {
#pragma GCC ivdep
    for (int k = 0; k < length; ++k) here[k] = k + t + world.rank();
    @communicate { there@(i + 1) % world.size() <<= here@i where i in world }
#pragma GCC unroll 4
    for (int k = 0; k < length; ++k) sum += there[k];
    // A second use, with a body that has no braces.
    if (t < 0)
#pragma GCC ivdep
      for (int k = 0; k < length; ++k) there[k] = here[k];
  }
  return sum;
}
// CHECK: remark: 'here' is copied: it is written in the same statement in which a block communicates it

double threads(int steps) {
  Numbers here(length), there(length);
  double sum = 0;
  for (int t = 0; t < steps; ++t) {
#pragma omp parallel for
    for (int k = 0; k < length; ++k) here[k] = k + t + world.rank();
    @communicate { there@(i + 1) % world.size() <<= here@i where i in world }
#pragma omp parallel for reduction(+ : sum)
    for (int k = 0; k < length; ++k) sum += there[k];
  }
  return sum;
}
// CHECK: remark: 'here' is copied: a pragma may give it to several threads

double by_macros(int steps) {
  Numbers here(length), there(length);
  double sum = 0;
  for (int t = 0; t < steps; ++t) {
    FOR_EACH(k, length) { here[k] = k + t + world.rank(); }
    PARALLEL_FOR
    for (int k = 0; k < length; ++k) here[k] += 1;
    @communicate { there@(i + 1) % world.size() <<= here@i where i in world }
    for (int k = 0; k < length; ++k) sum += there[k] - 1;
  }
  return sum;
}

double in_a_lambda(int steps) {
  Numbers here(length), there(length);
  double sum = 0;
  for (int t = 0; t < steps; ++t) {
    const auto fill = [&] {
#pragma omp parallel for
      for (int k = 0; k < length; ++k) here[k] = k + t + world.rank();
    };
    fill();
    @communicate { there@(i + 1) % world.size() <<= here@i where i in world }
    for (int k = 0; k < length; ++k) sum += there[k];
  }
  return sum;
}
// CHECK: remark: 'here' is copied: a pragma may give it to several threads
// CHECK: remark: 'here' is copied: a pragma may give it to several threads

// The statement behind a pragma uses what the block right before the pragma has received. Element 0 goes to the
// next rank twice in each step, and is one more each time.

double loops_behind_blocks(int steps) {
  Numbers here(length), there(length);
  for (double& one : here) one = world.rank();
  for (int t = 0; t < steps; ++t) {
    @communicate { there@(i + 1) % world.size() <<= here@i where i in world }
#pragma omp parallel for
    for (int k = 0; k < length; ++k) there[k] += 1;
    KANOR_COMMUNICATE(here@(i + 1) % world.size() <<= there@i where i in world);
    // Comments and conditions do not separate them.
#if 1
#pragma GCC ivdep
#endif
    /* the loop */ for (int k = 0; k < length; ++k) here[k] += 1;
// Of these Clang makes attributes of the loop.
#pragma unroll
    for (int k = 0; k < length; ++k) here[k] += 1;
#pragma clang loop unroll_count(2)
    for (int k = 0; k < length; ++k) here[k] -= 1;
  }
  return here[0];
}
// CHECK: remark: 'there' is copied: a pragma may give it to several threads

double statements_behind_blocks(int steps) {
  Numbers here(length), there(length);
  for (double& one : here) one = world.rank();
  for (int t = 0; t < steps; ++t) {
    if (t >= 0) @communicate { there@(i + 1) % world.size() <<= here@i where i in world }
#pragma omp critical(one_more)
    there[0] += 1;
    switch (t) {
      default:
        @communicate { here@(i + 1) % world.size() <<= there@i where i in world }
#pragma omp atomic
        here[0] += 1;
    }
  }
  return here[0];
}

double blocks_behind_pragmas(int steps) {
  Numbers here(length), there(length);
  for (double& one : here) one = world.rank();
  for (int t = 0; t < steps; ++t) {
#pragma GCC diagnostic push
    @communicate { there@(i + 1) % world.size() <<= here@i where i in world }
#pragma GCC diagnostic pop
    for (int k = 0; k < length; ++k) there[k] += 1;
#pragma omp barrier
    @communicate { here@(i + 1) % world.size() <<= there@i where i in world }
    here[0] += 1;
  }
  return here[0];
}

int wrong_ends(int steps) {
  const int size = world.size();
  const double end = ((world.rank() - 2 * steps) % size + size) % size + 2 * steps;
  return (loops_behind_blocks(steps) != end) + (statements_behind_blocks(steps) != end) +
         (blocks_behind_pragmas(steps) != end);
}

}  // namespace

int main() {
  const int steps = 5;
  int failures = 0;
  for (const double sum : {for_speed(steps), threads(steps), by_macros(steps), in_a_lambda(steps)})
    failures += sum != expected(world.rank(), steps);
  failures += wrong_ends(steps);
  if (failures != 0) std::printf("rank %d: %d wrong results\n", world.rank(), failures);
  return failures;
}

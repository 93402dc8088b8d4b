// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels `pair` and `ring` of delta.c with blocks, which are pipelined unless KANOR_DISABLE=delta.
//
//     blocks KERNEL pair|ring  BYTES  ITERATIONS
//
// Prints what delta.c prints.
#include <kanor/kanor.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace {

using kanor::world;

double computed(int i) { return std::sin(i) * std::sin(i) + std::cos(i) * std::cos(i) + i; }

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void barrier() {
  char here = 1, all = 0;
  @communicate { all@r << & << here@s where r, s in world }
}

void report(double sum, const std::vector<double>& seconds) {
  double total = 0;
  @communicate { total@0 << + << sum@s where s in world }
  if (world.rank() != 0) return;
  std::printf("%.6e", total);
  for (const double one : seconds) std::printf(" %.2f", 1e6 * one);
  std::printf("\n");
}

/// Rank 0 computes, rank 1 computes the same and compares.
void pair([[kanor::uniform]] int elements, [[kanor::uniform]] int iterations) {
  const int me = world.rank();
  std::vector<double> in(elements), out(elements), seconds;
  double sum = 0;
  for (int i = -3; i < iterations; ++i) {  // the first ones are not counted
    barrier();
    const double begin = now();
    sum = 0;
    if (me == 0)
      for (int k = 0; k < elements; ++k) {
        out[k] = computed(k);
        if (k % 16 == 0) sum += out[k];
      }
    @communicate (delta) { in@1 <<= out@0 }
    if (me == 1)
      for (int k = 0; k < elements; ++k) {
        const double own = computed(k);
        sum += in[k] - own;
        if (k % 16 == 0) sum += own;
      }
    barrier();
    if (i >= 0) seconds.push_back(now() - begin);
  }
  report(sum, seconds);
}

/// Each rank computes and sends to the right, and compares what comes from the left.
void ring([[kanor::uniform]] int elements, [[kanor::uniform]] int iterations) {
  std::vector<double> in(elements), out(elements), seconds;
  double sum = 0;
  for (int i = -3; i < iterations; ++i) {
    barrier();
    const double begin = now();
    sum = 0;
    for (int k = 0; k < elements; ++k) out[k] = computed(k);
    @communicate (delta) { in@(i + 1) % world.size() <<= out@i where i in world }
    for (int k = 0; k < elements; ++k) sum += in[k] - computed(k);
    barrier();
    if (i >= 0) seconds.push_back(now() - begin);
    sum += out[elements - 1];
  }
  report(sum, seconds);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const int elements = std::atoi(argv[2]) / static_cast<int>(sizeof(double)), iterations = std::atoi(argv[3]);
  std::string_view(argv[1]) == "ring" ? ring(elements, iterations) : pair(elements, iterations);
}

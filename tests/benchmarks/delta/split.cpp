// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps in which each rank computes and sends what its right neighbour uses in the next one, after its inside. With
// -fdelta the block is complete after the inside of the next step. The same with MPI: split.c.
//
//     split even|uneven BYTES ITERATIONS
//
// `uneven`: in turn, one of two ranks has three times as much to compute. Prints the sum of all ranks' results and the
// microseconds of a step, for each of the iterations: its 100 steps together, less one that nobody measures.
#include <kanor/kanor.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace {

using kanor::world;

constexpr int steps = 100, inside_numbers = 1000, rounds = 20;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// The inside of one step.
double compute(double* inside, int rounds_of_step) {
  double sum = 0;
  for (int round = 0; round < rounds_of_step; ++round)
    for (int k = 0; k < inside_numbers; ++k) {
      inside[k] = 0.5 * inside[k] + k;
      sum += inside[k];
    }
  return sum;
}

double run([[kanor::uniform]] int elements, bool uneven) {
  const int me = world.rank();
  std::vector<double> edge(elements, me), ghost(elements);
  double inside[inside_numbers] = {}, sum = 0;
  for (int t = 0; t < steps; ++t) {
    const double computed = compute(inside, uneven && (t + me) % 2 ? 3 * rounds : rounds);
    for (int k = 0; k < elements; ++k) edge[k] = 0.25 * ghost[k] + computed;
    sum += edge[0];
    @communicate { ghost[0:elements]@(i + 1) % world.size() <<= edge[0:elements]@i where i in world }
  }
  return sum + ghost[elements - 1];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const bool uneven = argv[1] == std::string_view("uneven");
  const int elements = std::atoi(argv[2]) / int(sizeof(double)), iterations = std::atoi(argv[3]);
  std::vector<double> seconds;
  double sum = 0, total = 0;
  for (int i = -3; i < iterations; ++i) {  // the first ones are not counted
    const double begin = now();
    sum += run(elements, uneven);
    if (i >= 0) seconds.push_back(now() - begin);
  }
  @communicate { total@0 << + << sum@s where s in world }
  if (world.rank() != 0) return 0;
  std::printf("%.6e", total);
  for (const double one : seconds) std::printf(" %.3f", 1e6 * one / steps);
  std::printf("\n");
}

// RUN: %kanorc -O2 %s -o %t
// RUN: %kanorrun -n 4 --mode threads %t | %FileCheck %s
// RUN: %kanorrun -n 4 --mode processes %t | %FileCheck %s
// RUN: %if mpi %{ %mpiexec -n 4 %t | %FileCheck %s %}
// RUN: %if mpi %{ env KANOR_DISABLE=node-memory %mpiexec -n 4 %t | %FileCheck %s %}
// RUN: %kanorrun -n 4 --mode processes %t 100 | %FileCheck %s --check-prefix=LEAK
// CHECK-COUNT-4: flat
// LEAK: has grown
//
// The same random exchanges over and over: strings, nested vectors, maps, async blocks, teams, reductions and
// one-sided blocks. What a rank's process has in memory after some passes must be enough for four times as many,
// so nothing is kept of a block, a team or a message. A number of bytes as the argument is a leak in each round,
// which must be seen.
#include <kanor/kanor.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace {

constexpr int rounds = 1000, passes = 5, most_bytes = 20'000;
/// Which block lies in which process's memory changes from pass to pass.
constexpr long tolerance_kib = 512;

struct Random {
  std::uint64_t state;
  int below(int bound) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<int>((state >> 33) % static_cast<std::uint64_t>(bound));
  }
};

struct Move {
  int sender, receiver, bytes;
};

/// Of this process, with message memory, in KiB.
long resident_kib() {
  std::FILE* const file = std::fopen("/proc/self/status", "r");
  char line[200];
  long value = 0, sum = 0;
  while (std::fgets(line, sizeof line, file))
    if (std::sscanf(line, "RssShmem: %ld", &value) == 1 || std::sscanf(line, "RssAnon: %ld", &value) == 1) sum += value;
  std::fclose(file);
  return sum;
}

struct State {
  std::vector<std::string> texts = std::vector<std::string>(4);
  std::vector<std::vector<std::vector<int>>> nested = std::vector<std::vector<std::vector<int>>>(3);
  std::vector<std::vector<double>> numbers = std::vector<std::vector<double>>(4);
  std::map<int, std::string> table;
};

void pass(State& mine) {
  const int n = kanor::world.size(), me = kanor::world.rank();
  Random random{4711};
  for (int round = 0; round < rounds; ++round) {
    std::vector<Move> moves(static_cast<std::size_t>(random.below(3 * n + 1)));
    for (Move& move : moves) move = {random.below(n), random.below(n), random.below(1 + (most_bytes >> random.below(8)))};
    const int count = static_cast<int>(moves.size());
    for (const Move& move : moves) {
      if (move.sender != me) continue;
      mine.texts[0].assign(static_cast<std::size_t>(move.bytes), 'x');
      mine.numbers[0].assign(static_cast<std::size_t>(move.bytes / 8), 1.5);
      mine.nested[0].assign(static_cast<std::size_t>(1 + move.bytes % 50), std::vector<int>(static_cast<std::size_t>(move.bytes / 200)));
      mine.table.clear();
      for (int k = 0; k < move.bytes % 40; ++k) mine.table[k] = std::string(static_cast<std::size_t>(move.bytes / 40), 'y');
    }
    switch (random.below(6)) {
      case 0:
        @communicate { mine.texts[1]@moves[k].receiver <<= mine.texts[0]@moves[k].sender where k in {0 ... count - 1} }
        break;
      case 1:
        @communicate { mine.numbers[1]@moves[k].receiver <<= mine.numbers[0]@moves[k].sender where k in {0 ... count - 1} }
        break;
      case 2: {
        @communicate (async = texts) { mine.texts[2]@moves[k].receiver <<= mine.texts[0]@moves[k].sender where k in {0 ... count - 1} }
        @communicate (async = nested) { mine.nested[2]@moves[k].receiver <<= mine.nested[0]@moves[k].sender where k in {0 ... count - 1} }
        nested.wait();
        break;
      }
      case 3: {
        const kanor::team part = kanor::world.split(me % (1 + random.below(n)), me);
        @communicate (team = part) { mine.texts[3]@i <<= mine.texts[0]@(i + 1) % part.size() where i in part }
        @communicate (team = part) { mine.numbers[3]@i <<= mine.numbers[0]@0 where i in part }
        break;
      }
      case 4:
        @communicate { mine.table@moves[k].receiver <<= mine.table@moves[k].sender where k in {0 ... count - 1} }
        break;
      default: {
        const int root = random.below(n);
        mine.numbers[2].assign(static_cast<std::size_t>(random.below(most_bytes / 8)), 1.0);
        @communicate { mine.numbers[3]@root << + << mine.numbers[2]@i where i in world }
        @communicate (knows = sender) { mine.texts[1]@(i + 1) % n <<= mine.texts[0]@i where i in world }
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  State mine;
  const std::size_t leak = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 0;
  std::vector<std::string> kept;
  const auto run = [&](int times) {
    for (int k = 0; k < times; ++k) {
      pass(mine);
      for (int round = 0; round < rounds && leak > 0; ++round) kept.emplace_back(leak, 'z');
    }
  };
  run(passes);
  const long before = resident_kib();
  run(3 * passes);
  const long after = resident_kib();
  if (after > before + tolerance_kib)
    std::printf("the memory of rank %d has grown: %ld KiB, %ld before\n", kanor::world.rank(), after, before);
  else
    std::printf("flat: %ld KiB, %ld before\n", after, before);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

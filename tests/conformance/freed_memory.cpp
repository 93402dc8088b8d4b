// RUN: %kanorc -O1 %s -o %t && %run_everywhere --modes threads,processes,mpi,mpi-threads --ranks 2,3 %t
// RUN: env MALLOC_TOP_PAD_=0 %kanorrun -n 2 %t own
// RUN: env GLIBC_TUNABLES=glibc.malloc.top_pad=0 %kanorrun -n 2 %t own
// Memory that a rank frees serves its next allocations, also what blocks allocate for places. If it went back to the
// system, each round would fault for all of its pages. So it is where the user has set malloc's thresholds.
#include "check.hpp"

#include <sys/resource.h>

#include <vector>

namespace {

long faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

constexpr std::size_t pieces = 64, length = 8192;  // four MiB in pieces of 64 KiB

/// Returns a rank's number after it has travelled in vectors that exist for this round only.
double round(double number, int ranks) {
  std::vector<std::vector<double>> mine(pieces, std::vector<double>(length, number)), from(pieces);
  for (std::size_t k = 0; k < pieces; ++k)
    @communicate { from[k]@(i + 1) % ranks <<= mine[k]@i where i in kanor::world }
  return from.back().back();
}

}  // namespace

int main(int argc, char**) {
  const int ranks = kanor::world.size();
  double number = kanor::world.rank();
  for (int k = 0; k < ranks; ++k) number = round(number, ranks);
  constexpr int rounds = 60;
  const long at_first = faults();
  for (int k = 0; k < rounds; ++k) number = round(number, ranks);
  // Those of all ranks of the process. Eight MiB a round would be 2048 for each.
  CHECK_EQ(faults() - at_first < 100L * rounds, argc == 1);
  CHECK_EQ(number, static_cast<double>(kanor::world.rank()));
  return check::finish("freed_memory");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

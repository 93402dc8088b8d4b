// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function may include some of its text: uses of what a block communicates, the block itself, or a loop that the
// block could be pipelined with.
// RUN: %kanorc -Wno-kanor-not-pipelined %s -o %t && %run_everywhere --ranks 1,2,3 %t
// RUN: %kanorc -Wno-kanor-not-pipelined --explain %s | %FileCheck %s
#include <kanor/kanor.hpp>

#include <cstdio>
#include <vector>

namespace {

using kanor::world;
using Numbers = std::vector<double>;
constexpr int length = 5000;

int left_of(int rank) { return (rank + world.size() - 1) % world.size(); }

int wrong_uses() {
  Numbers here(length, world.rank()), there(length);
  int wrong = 0;
  for (int t = 0; t < 3; ++t) {
    @communicate { there@(i + 1) % world.size() <<= here@i where i in world }
    here[0] += 10;
#include "Inputs/adds_one.inc"
    wrong += there[0] != left_of(world.rank()) + 10 * t + 1 || there[1] != left_of(world.rank()) + 1;
  }
  return wrong;
}
// CHECK-DAG: remark: 'there' is copied: an included file names it

int wrong_places() {
  Numbers here(length, world.rank()), there(length);
  int wrong = 0;
  for (int t = 0; t < 3; ++t) {
#include "Inputs/passes_on.inc"
    here[0] += 10;
    there[1] += 1;
    wrong += there[0] != left_of(world.rank()) + 10 * t || there[1] != left_of(world.rank()) + 1;
  }
  return wrong;
}

int wrong_pipeline() {
  Numbers here(length), there(length);
  for (int k = 0; k < length; ++k) here[static_cast<std::size_t>(k)] = k + world.rank();
  @communicate (delta) { there@(i + 1) % world.size() <<= here@i where i in world }
#include "Inputs/adds_one.inc"
  return there[3] != left_of(world.rank()) + 4 || there.back() != left_of(world.rank()) + 1;
}
// CHECK-DAG: remark: not pipelined: of 'there', an included file names it

}  // namespace

int main() {
  const int wrong = wrong_uses() + wrong_places() + wrong_pipeline();
  if (wrong != 0) std::printf("rank %d: %d wrong\n", world.rank(), wrong);
  return wrong;
}

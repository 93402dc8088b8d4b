// RUN: %kanorc -Wall -Wextra -Werror %s -o %t && %run_everywhere --ranks 1,2,3,5 %t
// RUN: %run_everywhere --ranks 1,3 %t exit
// Functions that a rank registers with atexit and on_exit run when the rank ends: with its variables, in the reverse
// order of all that happens at its end, and they may execute blocks.
#include "check.hpp"

#include <cstdlib>
#include <string>
#include <vector>

namespace {

using kanor::world;

int counter = 0, step = 0;
std::vector<int> row(2000, 0);

void expect(int wanted, const char* what) {
  if (step++ == wanted) return;
  std::fprintf(stderr, "rank %d: %s came as number %d, not %d\n", world.rank(), what, step - 1, wanted);
  std::_Exit(1);
}

int sum_over_ranks(int mine) {
  int sum = 0;
  @communicate { sum@i << + << mine@j where i, j in world }
  return sum;
}

void last() {
  expect(5, "last");
  const int sum = sum_over_ranks(counter);
  std::printf("at_exit rank %d: %d\n", world.rank(), sum);
}

void in_between() {
  expect(2, "in_between");
  const int n = world.size(), left = (world.rank() + n - 1) % n;
  @communicate { row@(i + 1) % n <<= row@i where i in world }
  if (row != std::vector<int>(2000, left)) std::_Exit(1);
  // Registered last, so it is called next.
  std::atexit([] { expect(3, "registered late"); });
}

void with_status(int status, void* given) {
  expect(1, "with_status");
  std::printf("at_exit rank %d: status %d, %s\n", world.rank(), status, static_cast<const char*>(given));
}

struct Destroyed {
  int number;
  explicit Destroyed(int wanted) : number(wanted) {}
  ~Destroyed() { expect(number, "a destructor"); }
};

}  // namespace

int main(int argc, char**) {
  const int me = world.rank();
  if (argc > 100) expect(-1, "nothing");
  std::atexit(last);
  static const Destroyed inside(4);
  std::atexit(in_between);
  static char word[] = "word";
  on_exit(with_status, word);
  std::atexit([] { expect(0, "the first"); });
  for (int k = 0; k <= me; ++k) ++counter;
  for (int& each : row) each = me;
  if (argc > 1 && me % 2 == 0) std::exit(0);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

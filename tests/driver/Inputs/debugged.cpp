#include <kanor/kanor.hpp>

#include <cstdio>
#include <vector>

double next(double x) {
  return x + 1;
}

int main() {
  std::vector<double> row(5, 1.5);
  double table[1024] = {3};
  double sum = 0;
  for (int turn = 0; turn < 3; ++turn) {
    row[1] = next(turn);
    table[2] = 7;
    @communicate { row@i <<= row@0 where i in world; table@i <<= table@0 where i in world }
    sum += row[1] + table[2];
  }
  std::printf("%g\n", sum);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

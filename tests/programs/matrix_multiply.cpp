// RUN: %kanorc -O1 %s -o %t && %run_everywhere %t
// C = A B by blocks of rows: B's blocks go round a ring. The answer is exact, since all numbers are small integers.
#include "oracle.hpp"

#include <utility>
#include <vector>

namespace {

constexpr int order = 96;
using Rows = std::vector<std::vector<double>>;

Rows random_matrix(std::uint64_t seed) {
  oracle::Numbers numbers(seed);
  Rows rows(order, std::vector<double>(order));
  for (auto& row : rows)
    for (double& cell : row) cell = numbers.below(19) - 9;
  return rows;
}

}  // namespace

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank();
  const Rows a = random_matrix(1), b = random_matrix(2);

  const auto mine = oracle::part(order, n, me);
  const Rows my_a(a.begin() + mine.first, a.begin() + mine.last);
  Rows travelling(b.begin() + mine.first, b.begin() + mine.last), my_c(mine.size(), std::vector<double>(order));
  for (int step = 0; step < n; ++step) {
    const auto owner = oracle::part(order, n, (me + step) % n);
    for (int r = 0; r < mine.size(); ++r)
      for (int k = 0; k < owner.size(); ++k)
        for (int c = 0; c < order; ++c) my_c[r][c] += my_a[r][owner.first + k] * travelling[k][c];
    @communicate { travelling@(i + n - 1) % n <<= travelling@i where i in world }
  }
  Rows whole(order);
  @communicate { whole[r]@0 <<= my_c[r - oracle::part(order, n, i).first]@i where i in world, r in range(oracle::part(order, n, i).first, oracle::part(order, n, i).last) }

  bool right = true;
  for (int r = 0; r < order; ++r)
    for (int c = 0; c < order; ++c) {
      double wanted = 0;
      for (int k = 0; k < order; ++k) wanted += a[r][k] * b[k][c];
      if (me == 0) right = right && whole[r][c] == wanted;
      if (r >= mine.first && r < mine.last) right = right && my_c[r - mine.first][c] == wanted;
    }
  return oracle::verdict("matrix_multiply", right);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

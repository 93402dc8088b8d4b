// RUN: %kanorc -O1 %s -o %t && env KANOR_STATS=1 %kanorrun -n 2 --mode threads %t in-place 2>&1 | %FileCheck %s --check-prefix=COPIED
// RUN: env KANOR_STATS=1 %kanorrun -n 2 --mode threads %t apart 2>&1 | %FileCheck %s --check-prefix=LENT
// What is read where it lies is not on the way; what must be copied, because places meet it, counts as every message does.
#include <kanor/kanor.hpp>

#include <string>
#include <vector>

using kanor::world;

int main(int, char** argv) {
  const std::size_t n = 50000;
  std::vector<double> a(2 * n, world.rank()), b(2 * n);
  std::vector<double>& in = std::string(argv[1]) == "in-place" ? a : b;
  @communicate { in[s * n : n]@r <<= a[r * n : n]@s where r, s in world }
  return in[0] == 0 && in[2 * n - 1] == 1 ? 0 : 1;
}
// COPIED-COUNT-2: kanor: rank {{[01]}}: at most 40{{[0-9][0-9][0-9][0-9]}} bytes in flight to one rank
// LENT-COUNT-2: kanor: rank {{[01]}}: at most {{[0-9][0-9]?[0-9]?[0-9]?[0-9]?}} bytes in flight to one rank

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

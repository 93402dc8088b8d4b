// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of pipelined blocks that begin behind the first element, on ranks that send nothing, too; and loops whose
// limits are far behind the last element, so that only `break` ends them.
// RUN: %kanorc %s -o %t && %run_everywhere --ranks 1,2,3 %t
// RUN: env KANOR_DISABLE=delta %run_everywhere --modes threads --ranks 3 %t
// RUN: env KANOR_CHECK=1 %run_everywhere --modes threads --ranks 3 %t
// RUN: %kanorc --explain %s | %FileCheck %s
// CHECK-COUNT-5: pipelined with the loop at line
#include <kanor/kanor.hpp>

#include <cstdio>
#include <vector>

namespace {

using kanor::world;
using Numbers = std::vector<double>;
constexpr int n = 5000;

/// How many elements differ from the sender's: k on all ranks that receive, first behind the first `first`.
int differences(const Numbers& place, bool receives, int first) {
  int wrong = 0;
  for (int k = first; k < n; ++k) wrong += place[k] != (receives ? k : 0);
  return wrong;
}

int from_the_second() {
  Numbers a(n), b(n), c(n);
  for (int k = 1; k < n; ++k) a[k] = k;
  @communicate (delta) { b@world.size() - 1 <<= a@0 }
  for (std::size_t k = 1; k < n; ++k) c[k] = b[k];
  return differences(c, world.rank() == world.size() - 1 || world.size() == 1, 1);
}

int chained() {
  Numbers a(n), b(n), c(n), d(n), e(n);
  for (int k = 0; k < n; ++k) a[k] = k;
  @communicate (delta) { b@(i + 1) % world.size() <<= a@i where i in world }
  for (std::size_t k = 1; k < n; ++k) c[k] = b[k];
  @communicate (delta) { d@(i + 1) % world.size() <<= c@i where i in world }
  for (int k = 0; k < n; ++k) e[k] = d[k];
  return differences(e, true, 1);
}

int far_limits(int all) {
  Numbers a(n), b(n), c(n);
  const std::size_t far = static_cast<std::size_t>(-1);
  for (int k = 0; k <= 2147483647; ++k) {
    if (k == n) break;
    a[k] = k;
  }
  @communicate (delta) { b@(i + 1) % world.size() <<= a@i where i in world }
  for (std::size_t k = 0; k < far; ++k) {
    if (k == n) break;
    c[k] = b[k];
  }
  int wrong = differences(c, true, 0);
  // The limit is -1, which is the greatest number where it is compared.
  for (unsigned k = 0; k < static_cast<unsigned>(all); ++k) {
    if (k == n) break;
    c[k] = k + 1;
  }
  @communicate (delta) { a@(i + 1) % world.size() <<= c@i where i in world }
  for (unsigned k = 0; k < n; ++k) wrong += a[k] != k + 1;
  return wrong;
}

}  // namespace

int main() {
  const int wrong = from_the_second() + chained() + far_limits(-1);
  if (wrong != 0) std::printf("rank %d: %d wrong elements\n", world.rank(), wrong);
  return wrong != 0;
}

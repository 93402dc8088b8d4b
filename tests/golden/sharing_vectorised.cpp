// RUN: %kanorc --dump=analysis %s | %FileCheck --check-prefix=ANALYSIS %s
// RUN: %kanorc -O3 -fopt-info-vec-optimized -c %s -o %t.o 2>&1 | %FileCheck %s
// Inner loops over shared variables lose no speed: the pointer to a variable's memory is a local one whose address nobody has, so the
// host compiler keeps it in a register, and vectorises, also where elements of type char might alias anything.
#include <kanor/kanor.hpp>

#include <vector>

using kanor::world;

// ANALYSIS-COUNT-4: : globalised
// ANALYSIS-NOT: not globalised
double run(int turns) {
  double A[4096] = {}, B[4096] = {};
  std::vector<float> v(5000);
  char bytes[8192] = {};
  double seen = 0;
  for (int turn = 0; turn < turns; ++turn) {
    @communicate {
      A@(i + 1) % world.size() <<= B@i where i in world;
      v@i <<= v@0 where i in world;
      bytes@i <<= bytes@0 where i in world
    }
    for (int i = 1; i < 4095; ++i) B[i] = 0.5 * (A[i - 1] + A[i + 1]);
// CHECK-DAG: sharing_vectorised.cpp:[[@LINE-1]]:{{.*}}loop vectorized
    for (int i = 0; i < 5000; ++i) v[i] = v[i] * 2 + 1;
// CHECK-DAG: sharing_vectorised.cpp:[[@LINE-1]]:{{.*}}loop vectorized
    for (int i = 0; i < 8192; ++i) bytes[i] = static_cast<char>(bytes[i] + turn);
// CHECK-DAG: sharing_vectorised.cpp:[[@LINE-1]]:{{.*}}loop vectorized
    seen += B[7] + v[1] + bytes[5];
  }
  return seen;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reasons that several uses of a variable have in common are told once.
// RUN: %kanorc --explain %s | %FileCheck %s
#include <algorithm>
#include <kanor/kanor.hpp>
#include <vector>

using kanor::world;

int main() {
  std::vector<double> v(1000, world.rank());
  for (int turn = 0; turn < 3; ++turn) {
    @communicate { v@(i + 1) % world.size() <<= v@i where i in world }
    // CHECK: remark: 'v' is copied: 'std::max_element' gets it, and is not known to let go of it [
    v[0] += *std::max_element(v.begin(), v.end());
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

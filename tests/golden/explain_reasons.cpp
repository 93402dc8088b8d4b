// Reasons that several uses of a variable have in common are told once, and each reason has its line.
// RUN: %kanorc --explain %s | %FileCheck %s
#include <algorithm>
#include <kanor/kanor.hpp>
#include <vector>

using kanor::world;

void unseen(std::vector<double>&);

void several() {
  std::vector<double> w(1000);
  auto* const pointer = &w;
  for (int turn = 0; turn < 3; ++turn) {
    @communicate { w@(i + 1) % world.size() <<= w@i where i in world }
    // CHECK: remark: 'w' is copied: its address is taken [-Rpass-missed=kanor]
    // CHECK-NEXT: {{^ +}}@communicate { w@
    // CHECK-NEXT: {{^ +\^$}}
    // CHECK-NEXT: {{^kanorc: note: 'unseen' gets it, but its body is not visible$}}
    unseen(*pointer);
    unseen(w);
  }
}

int main() {
  std::vector<double> v(1000, world.rank());
  for (int turn = 0; turn < 3; ++turn) {
    @communicate { v@(i + 1) % world.size() <<= v@i where i in world }
    // CHECK: remark: 'v' is copied: 'std::max_element' gets it, and may keep it [
    v[0] += *std::max_element(v.begin(), v.end());
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <kanor/kanor.hpp>

void count();

int main() {
  for (int at = 0; at <= kanor::world.rank(); ++at) count();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kanor/kanor.hpp>

#include <cstdio>

int main() {
  int ranks = 0;
  @communicate { ranks@0 << + << 1@i where i in kanor::world }
  if (kanor::world.rank() == 0) std::printf("%d ranks\n", ranks);
}

#include <kanor/kanor.hpp>
#include <cstdio>

int main() {
  int mine = 10 * kanor::world.rank(), left = -1;
  @communicate { left@(i + 1) % world.size() <<= mine@i where i in world }
  std::printf("rank %d got %d\n", kanor::world.rank(), left);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

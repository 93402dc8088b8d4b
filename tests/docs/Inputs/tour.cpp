#include <kanor/kanor.hpp>
#include <cstdio>
#include <vector>

int sent = 0;

int main() {
  const int me = kanor::world.rank();
  std::vector<double> mine{me + 0.5, 1.0}, left;
  double largest = 0;

  @communicate {
    left@(i + 1) % world.size() <<= mine@i where i in world;
    largest@0 << max << mine[0]@i where i in world, i != 2
  }
  ++sent;
  std::printf("rank %d: left %.1f, largest %.1f, sent %d\n", me, left[0], largest, sent);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

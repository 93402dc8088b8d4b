// An exchange that goes on while the rank computes shares as any other.
#include <kanor/kanor.hpp>

using kanor::world;

// given T = 8, V = 8192
int main() {
  long A[1024] = {1}, B[1024];
  long seen = 0;
  for (int turn = 0; turn < 8; ++turn) {
    // says B is copied, A is copied
    @communicate (async = done) { B@(i + 1) % world.size() <<= A@i where i in world }
    seen += A[turn];
    done.wait();
    for (int i = 0; i < 1024; ++i) seen += B[i];
  }
  return seen + A[0] < 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

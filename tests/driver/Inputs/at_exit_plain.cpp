#include <cstdio>
#include <cstdlib>

static int calls = 0;

void count() {
  if (calls++ == 0) {
    on_exit([](int status, void*) { std::printf("%d calls, status %d\n", calls, status); }, nullptr);
    std::atexit([] { calls *= 1; });
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

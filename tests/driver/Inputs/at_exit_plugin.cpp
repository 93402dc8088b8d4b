#include <cstdio>
#include <cstdlib>

extern "C" void use() {
  std::atexit([] { std::puts("the library ends"); });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

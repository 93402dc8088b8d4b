#include <cassert>
#include <kanor/kanor.hpp>

int checked(int line) {
  assert(line != 0);
  assert(line == 13);
  return line;
}

int main() {
  int a = 0;
  unsigned limit = 1;
  @communicate { a@0 <<= checked(__LINE__)@0
    where a < limit;
    a@0
      <<= checked(
        __LINE__)@0 }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

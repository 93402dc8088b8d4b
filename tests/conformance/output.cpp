// RUN: %kanorc %s -o %t && %run_everywhere --ranks 1,4,8 %t > %t.out
// RUN: %FileCheck %s < %t.out
// A line that one call writes comes out whole, however many ranks write at once: were one torn, the modes' lines would differ.
// CHECK: ranks: 1
// CHECK-COUNT-200: {{^(printf|puts|cout) rank 0 line [0-9]+ x*y$}}
// CHECK: ranks: 4
// CHECK-COUNT-800: {{^(printf|puts|cout) rank [0-3] line [0-9]+ x*y$}}
// CHECK: ranks: 8
// CHECK-COUNT-1600: {{^(printf|puts|cout) rank [0-7] line [0-9]+ x*y$}}
#include <kanor/kanor.hpp>

#include <cstdio>
#include <iostream>
#include <string>

int main() {
  // It stays synchronized, for the lines' sake.
  std::ios::sync_with_stdio(false);
  const int me = kanor::world.rank();
  for (int k = 0; k < 200; ++k) {
    const std::string end = "rank " + std::to_string(me) + " line " + std::to_string(k) + ' ' + std::string(static_cast<std::size_t>(37 * k % 600), 'x') + "y";
    if (k % 3 == 0) std::printf("printf %s\n", end.c_str());
    else if (k % 3 == 1) std::puts(("puts " + end).c_str());
    else std::cout << "cout " + end + "\n";
  }
}

// Not under Open MPI's launcher, which passes on what ranks print in pieces of 4096 bytes, wherever lines end.
// RUN: %kanorc %s -o %t && %run_everywhere --modes threads,processes,mpi,mpi-machines,mpi-net,mpi-threads,checked --ranks 1,4,8 %t > %t.out
// RUN: %FileCheck %s < %t.out
// Longer than what a pipe takes at once; the launcher of an MPI job takes such lines apart.
// RUN: %run_everywhere --modes threads,processes --ranks 4 %t long > %t.long
// RUN: %FileCheck %s --check-prefix=LONG < %t.long
// LONG: ranks: 4
// LONG-COUNT-1360: {{^(printf|puts|cout|pieces|both) rank [0-3] line [0-9]+ x*y$}}
// A line comes out whole, however it is put together and however many ranks write at once: were one torn, the modes'
// lines would differ.
// CHECK: ranks: 1
// CHECK-COUNT-340: {{^(printf|puts|cout|pieces|both) rank 0 line [0-9]+ x*y$}}
// CHECK: ranks: 4
// CHECK-COUNT-1360: {{^(printf|puts|cout|pieces|both) rank [0-3] line [0-9]+ x*y$}}
// CHECK: ranks: 8
// CHECK-COUNT-2720: {{^(printf|puts|cout|pieces|both) rank [0-7] line [0-9]+ x*y$}}
#include <kanor/kanor.hpp>

#include <cstdio>
#include <iostream>
#include <string>

int main(int argc, char**) {
  // It stays synchronized, for the lines' sake.
  std::ios::sync_with_stdio(false);
  const int me = kanor::world.rank();
  for (int k = 0; k < 200; ++k) {
    const std::string end = "rank " + std::to_string(me) + " line " + std::to_string(k) + ' ' + std::string(static_cast<std::size_t>(37 * k % 600), 'x') + "y";
    if (k % 3 == 0) std::printf("printf %s\n", end.c_str());
    else if (k % 3 == 1) std::puts(("puts " + end).c_str());
    else std::cout << "cout " + end + "\n";
  }
  for (int k = 0; k < 70; ++k) {
    const std::string xs(static_cast<std::size_t>(971 * k % (argc > 1 ? 9000 : 3000)), 'x');
    std::cout << "pieces rank " << me << " line " << k << ' ' << xs << 'y' << '\n';
    std::printf("both rank %d", me);
    std::fputs(" line ", stdout);
    std::cout << k;
    std::putchar(' ');
    std::fwrite(xs.data(), 1, xs.size(), stdout);
    std::puts("y");
    // A library writes like this.
    if (k == 30) std::fflush(stdout), std::cout.flush();
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
